// The alphabet of an analysis: classes of code points that the program treats alike.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/words.h"
#include "regular/char_set.h"

namespace nacre::python {

class Letters {
 public:
  explicit Letters(const std::vector<regular::CharSet>& sets);
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(classes_.size()); }
  [[nodiscard]] const regular::CharSet& operator[](Letter letter) const { return classes_[letter]; }
  [[nodiscard]] Letter letter(uint32_t code_point) const;
  [[nodiscard]] bool is_single(Letter letter) const { return classes_[letter].size() == 1; }
  // The letters all of whose characters are in the set.
  [[nodiscard]] LetterSet inside(const regular::CharSet& set) const;
  [[nodiscard]] Word word(std::string_view utf8) const;
  // Each letter as its most natural character.
  [[nodiscard]] std::string text(const Word& word) const;

 private:
  std::vector<regular::CharSet> classes_;
  std::vector<std::pair<uint32_t, Letter>> starts_;  // sorted: from this code point on, this letter
};

}  // namespace nacre::python
