#include "commands/effect_paths.h"

#include <algorithm>

namespace nacre::commands {

std::string bare(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return std::string(path);
}

std::string base_of(std::string_view path) {
  const std::string whole = bare(path);
  const size_t slash = whole.rfind('/');
  return slash == std::string::npos || whole == "/" ? whole : whole.substr(slash + 1);
}

std::string parent_of(std::string_view path) {
  const std::string whole = bare(path);
  const size_t slash = whole.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : bare(std::string_view(whole).substr(0, slash));
}

std::string joined_path(std::string_view directory, std::string_view name) {
  std::string result(directory);
  if (!result.ends_with('/')) result += '/';
  while (name.starts_with('/')) name.remove_prefix(1);
  return result.append(name);
}

std::vector<std::string> parents_of(std::string_view path) {
  const std::string whole = bare(path);
  std::vector<std::string> result;
  for (size_t slash = whole.find('/', 1); slash != std::string::npos;
       slash = whole.find('/', slash + 1)) {
    if (whole[slash - 1] != '/') result.push_back(whole.substr(0, slash));
  }
  return result;
}

bool holds_of_text(PathTest test, std::string_view path) {
  switch (test) {
    case PathTest::kBlank: return path.empty();
    case PathTest::kSlashed: return path.ends_with('/');
    case PathTest::kRoot: return !path.empty() && bare(path) == "/";
    case PathTest::kDot: return base_of(path) == ".";
    default: return base_of(path) == "." || base_of(path) == "..";
  }
}

}  // namespace nacre::commands
