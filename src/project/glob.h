// Path patterns with git's meaning (gitignore(5), wildmatch): `*` and `?` stay within a directory,
// `**/`, `/**` and `/**/` cross them, `[...]` with ranges, negation and POSIX classes, `\`
// escapes. Matching is linear in pattern times path; no pattern can make it slow.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace nacre::project {

class Glob {
 public:
  // A pattern that git could never match (an unclosed bracket, a backslash at its end) matches
  // nothing.
  explicit Glob(std::string_view pattern);
  [[nodiscard]] bool matches(std::string_view path) const;

 private:
  enum class Kind : uint8_t { kClass, kStar, kDirectories, kRest };
  struct Element {
    Kind kind;
    std::bitset<256> set;  // of a kClass
  };
  struct Parser;
  std::optional<std::vector<Element>> elements_;  // none: matches nothing
};

// A pattern as people write it in ignore files and configurations: without a slash in front of its
// last character it matches names in any directory, otherwise paths from the file's own directory.
class PathPattern {
 public:
  explicit PathPattern(std::string_view pattern);
  // `path` is relative to where the pattern stands, without a leading slash.
  [[nodiscard]] bool matches(std::string_view path, bool is_directory) const;

 private:
  bool is_anchored_ = false;
  bool is_directory_only_ = false;
  std::optional<Glob> glob_;
};

}  // namespace nacre::project
