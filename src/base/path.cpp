#include "base/path.h"

#include <algorithm>
#include <vector>

namespace nacre {

namespace {

std::vector<std::string_view> components_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

}  // namespace

std::string parent_path(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || slash == 0) return "/";
  return std::string(path.substr(0, slash));
}

std::string normal_path(std::string_view path) {
  std::string result;
  for (const std::string_view part : components_of(path)) (result += '/') += part;
  return result.empty() ? "/" : result;
}

std::string relative_path(std::string_view path, std::string_view directory) {
  const auto target = components_of(path);
  const auto base = components_of(directory);
  const auto [from, to] = std::mismatch(base.begin(), base.end(), target.begin(), target.end());
  std::string result;
  const auto add = [&](std::string_view part) {
    if (!result.empty()) result += '/';
    result += part;
  };
  for (auto at = from; at != base.end(); ++at) add("..");
  for (auto at = to; at != target.end(); ++at) add(*at);
  return result.empty() ? "." : result;
}

std::string joined_path(std::string_view directory, std::string_view name) {
  std::string result(directory);
  if (!result.ends_with('/')) result += '/';
  return result += name;
}

}  // namespace nacre
