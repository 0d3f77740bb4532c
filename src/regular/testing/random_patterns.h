// For tests only: random patterns made of a dialect's tokens, and random subjects over few letters,
// so that many of them match. The same seed gives the same patterns.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::regular {

class RandomPatterns {
 public:
  explicit RandomPatterns(uint32_t seed) : random_(seed) {}

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  std::string pick(std::span<const std::string_view> choices) {
    return std::string(choices[below(static_cast<uint32_t>(choices.size()))]);
  }

  // One to `most` tokens; the shorter the likelier.
  std::string tokens(std::span<const std::string_view> choices, uint32_t most) {
    std::string text;
    for (uint32_t count = 1 + below(1 + below(most)); count > 0; --count) text += pick(choices);
    return text;
  }

  std::vector<std::string> subjects(std::string_view letters, size_t count, uint32_t longest) {
    std::vector<std::string> result = {""};
    while (result.size() < count) {
      std::string word;
      for (uint32_t length = below(longest + 1); length > 0; --length) {
        word += letters[below(static_cast<uint32_t>(letters.size()))];
      }
      result.push_back(word);
    }
    return result;
  }

 private:
  std::minstd_rand random_;
};

}  // namespace nacre::regular
