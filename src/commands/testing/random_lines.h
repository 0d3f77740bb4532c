// For tests only: random lines of a language, and lines that are known to make trouble.
#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "commands/stream.h"

namespace nacre::commands {

class RandomLines {
 public:
  explicit RandomLines(uint32_t seed) : random_(seed) {}

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  // Blanks at either end, tabs, empty fields, numbers in all their forms, quotes, backslashes,
  // UTF-8 and bytes that are not; and short random words over an alphabet of such things.
  std::string troublesome();
  // A word of the language, of about `length` symbols where it has a choice. The language must not
  // be empty.
  std::string member(Lang lang, uint32_t length = 8);

  template <typename Make>
  std::vector<std::string> lines(uint32_t most, Make make) {
    std::vector<std::string> result;
    for (uint32_t count = below(most + 1); count > 0; count--) {
      const bool repeats = !result.empty() && below(4) == 0;
      result.push_back(repeats ? result[below(static_cast<uint32_t>(result.size()))] : make());
    }
    return result;
  }

 private:
  std::optional<regular::Symbol> pick(const regular::CharSet& symbols);

  std::mt19937 random_;
};

}  // namespace nacre::commands
