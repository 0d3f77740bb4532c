// `.dockerignore`: which paths of the build context are left out. Patterns are those of Go's
// filepath.Match with `**`; the last one that fits a path, or a directory above it, decides, and
// `!` takes it in again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nacre::docker {

class IgnorePatterns {
 public:
  explicit IgnorePatterns(std::string_view text);
  [[nodiscard]] bool ignores(std::string_view path) const;
  // `*`, and nothing is taken in again.
  [[nodiscard]] bool ignores_all() const;

 private:
  struct Pattern {
    std::vector<std::string> components;
    bool is_exception = false;
  };
  std::vector<Pattern> patterns_;
};

}  // namespace nacre::docker
