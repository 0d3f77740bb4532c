#include "docker/dockerignore.h"

#include <span>

#include "docker/text.h"

namespace nacre::docker {

namespace {

// Without empty components and `.`; `..` is kept, nothing above the context is ever there.
std::vector<std::string> components_of(std::string_view path) {
  std::vector<std::string> result;
  for (const std::string_view part : split(path, '/')) {
    if (!part.empty() && part != ".") result.emplace_back(part);
  }
  return result;
}

using Components = std::span<const std::string>;

bool fits(Components path, Components pattern) {
  if (pattern.empty()) return path.empty();
  if (pattern[0] == "**") {
    for (size_t skipped = 0; skipped <= path.size(); skipped++) {
      if (fits(path.subspan(skipped), pattern.subspan(1))) return true;
    }
    return false;
  }
  return !path.empty() && matches(path[0], pattern[0]) && fits(path.subspan(1), pattern.subspan(1));
}

bool fits_with_parents(Components path, Components pattern) {
  for (size_t length = 1; length <= path.size(); length++) {
    if (fits(path.first(length), pattern)) return true;
  }
  return false;
}

}  // namespace

IgnorePatterns::IgnorePatterns(std::string_view text) {
  constexpr size_t kMaxPatterns = 10'000, kMaxStars = 4;
  for (std::string_view line : split(text, '\n')) {
    if (line.empty() || line[0] == '#' || patterns_.size() >= kMaxPatterns) continue;
    Pattern made;
    if (line[0] == '!') {
      made.is_exception = true;
      line = trim(line.substr(1));
    }
    made.components = components_of(line);
    size_t stars = 0;
    for (const std::string& each : made.components) stars += each == "**" ? 1 : 0;
    if (!made.components.empty() && stars <= kMaxStars) patterns_.push_back(std::move(made));
  }
}

bool IgnorePatterns::ignores(std::string_view path) const {
  const std::vector<std::string> components = components_of(path);
  bool is_ignored = false;
  for (const Pattern& pattern : patterns_) {
    if (fits_with_parents(components, pattern.components)) is_ignored = !pattern.is_exception;
  }
  return is_ignored;
}

bool IgnorePatterns::ignores_all() const {
  bool is_ignored = false;
  for (const Pattern& pattern : patterns_) {
    const bool is_everything = pattern.components.size() == 1 &&
                               (pattern.components[0] == "*" || pattern.components[0] == "**");
    is_ignored = pattern.is_exception ? false : is_ignored || is_everything;
  }
  return is_ignored;
}

}  // namespace nacre::docker
