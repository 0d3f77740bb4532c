#include "python/letters.h"

#include <algorithm>

#include "regular/partition.h"

namespace nacre::python {

using regular::CharSet;

Letters::Letters(const std::vector<CharSet>& sets) {
  std::vector<CharSet> all = sets;
  all.push_back(CharSet::all(regular::Alphabet::kCodePoints));
  classes_ = regular::partition(all).classes;
  // Letters in the order in which examples read best.
  std::stable_sort(classes_.begin(), classes_.end(), [](const CharSet& a, const CharSet& b) {
    constexpr auto kAlphabet = regular::Alphabet::kCodePoints;
    return regular::naturalness(a.most_natural(), kAlphabet) <
           regular::naturalness(b.most_natural(), kAlphabet);
  });
  for (size_t i = 0; i < classes_.size(); ++i) {
    for (regular::SymbolRange range : classes_[i].ranges())
      starts_.emplace_back(range.first, static_cast<Letter>(i));
  }
  std::sort(starts_.begin(), starts_.end());
}

Letter Letters::letter(uint32_t code_point) const {
  auto after = std::upper_bound(
      starts_.begin(), starts_.end(), code_point,
      [](uint32_t c, const std::pair<uint32_t, Letter>& start) { return c < start.first; });
  return std::prev(after)->second;
}

LetterSet Letters::inside(const CharSet& set) const {
  LetterSet result(classes_.size());
  for (size_t i = 0; i < classes_.size(); ++i) result[i] = set.contains(classes_[i]);
  return result;
}

Word Letters::word(std::string_view utf8) const {
  Word result;
  for (regular::Symbol symbol : regular::decode(utf8, regular::Alphabet::kCodePoints))
    result.push_back(letter(symbol));
  return result;
}

std::string Letters::text(const Word& word) const {
  std::string result;
  for (Letter letter : word)
    regular::append_symbol(result, classes_[letter].most_natural(), regular::Alphabet::kCodePoints);
  return result;
}

}  // namespace nacre::python
