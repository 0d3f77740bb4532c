// Questions about sets of words that leave the store as it is.
#include <algorithm>
#include <functional>

#include "python/words.h"

namespace nacre::python {

bool WordStore::contains(Words a, const Word& word) const {
  const Automaton& automaton = (*this)[a];
  uint32_t state = automaton.size() == 0 ? kNoState : 0;
  for (Letter letter : word) {
    if (state == kNoState) return false;
    state = automaton.next[state * letters_ + letter];
  }
  return state != kNoState && automaton.accepting[state] != 0;
}

std::optional<Word> WordStore::single(Words a) const {
  const Automaton& automaton = (*this)[a];
  if (automaton.size() == 0 || automaton.min_length != automaton.max_length) return std::nullopt;
  if (automaton.size() != static_cast<size_t>(automaton.min_length) + 1) return std::nullopt;
  Word word;
  for (uint32_t state = 0; static_cast<int64_t>(word.size()) < automaton.min_length;) {
    uint32_t target = kNoState;
    for (uint32_t c = 0; c < letters_; ++c) {
      uint32_t t = automaton.next[state * letters_ + c];
      if (t == kNoState) continue;
      if (target != kNoState) return std::nullopt;
      target = t;
      word.push_back(static_cast<Letter>(c));
    }
    state = target;
  }
  return word;
}

std::vector<Word> WordStore::first_words(Words a, size_t limit) const {
  const Automaton& automaton = (*this)[a];
  std::vector<Word> result;
  if (automaton.size() == 0) return result;
  const int64_t longest = std::min<int64_t>(automaton.max_length, automaton.min_length + 60);
  // reach[n]: the states from which some word of exactly n letters is accepted.
  std::vector<std::vector<bool>> reach(1, std::vector<bool>(automaton.size()));
  for (uint32_t s = 0; s < automaton.size(); ++s) reach[0][s] = automaton.accepting[s] != 0;
  std::function<void(uint32_t, size_t, Word&)> extend = [&](uint32_t state, size_t left,
                                                            Word& word) {
    if (left == 0) return result.push_back(word);
    for (uint32_t c = 0; c < letters_ && result.size() < limit; ++c) {
      uint32_t t = automaton.next[state * letters_ + c];
      if (t == kNoState || !reach[left - 1][t]) continue;
      word.push_back(static_cast<Letter>(c));
      extend(t, left - 1, word);
      word.pop_back();
    }
  };
  for (size_t length = 0; static_cast<int64_t>(length) <= longest && result.size() < limit;
       ++length) {
    Word word;
    if (reach[length][0]) extend(0, length, word);
    std::vector<bool> next(automaton.size());
    for (uint32_t s = 0; s < automaton.size(); ++s) {
      for (uint32_t c = 0; c < letters_ && !next[s]; ++c) {
        uint32_t t = automaton.next[s * letters_ + c];
        next[s] = t != kNoState && reach[length][t];
      }
    }
    reach.push_back(std::move(next));
  }
  return result;
}

std::optional<std::vector<Word>> WordStore::enumerate(Words a, size_t limit) const {
  if (!is_finite(a) || (*this)[a].max_length > (*this)[a].min_length + 60) return std::nullopt;
  std::vector<Word> words = first_words(a, limit + 1);
  if (words.size() > limit) return std::nullopt;
  return words;
}

std::optional<Word> WordStore::word_of_length(Words a, int64_t length) const {
  const Automaton& automaton = (*this)[a];
  if (automaton.size() == 0 || length < 0 || length > 100000) return std::nullopt;
  // Which states can still accept in exactly n steps, for all n from 0 on.
  std::vector<std::vector<bool>> can(static_cast<size_t>(length) + 1,
                                     std::vector<bool>(automaton.size()));
  for (uint32_t s = 0; s < automaton.size(); ++s) can[0][s] = automaton.accepting[s] != 0;
  auto step = [&](uint32_t s, size_t n) -> std::optional<Letter> {
    for (uint32_t c = 0; c < letters_; ++c) {
      uint32_t t = automaton.next[s * letters_ + c];
      if (t != kNoState && can[n - 1][t]) return static_cast<Letter>(c);
    }
    return std::nullopt;
  };
  for (size_t n = 1; n <= static_cast<size_t>(length); ++n) {
    for (uint32_t s = 0; s < automaton.size(); ++s) can[n][s] = step(s, n).has_value();
  }
  if (!can.back()[0]) return std::nullopt;
  Word word;
  uint32_t state = 0;
  for (size_t n = static_cast<size_t>(length); n > 0; --n) {
    Letter letter = *step(state, n);
    word.push_back(letter);
    state = automaton.next[state * letters_ + letter];
  }
  return word;
}

LetterSet WordStore::first_letters(Words a) const {
  LetterSet result(letters_);
  const Automaton& automaton = (*this)[a];
  for (uint32_t c = 0; automaton.size() > 0 && c < letters_; ++c)
    result[c] = automaton.next[c] != kNoState;
  return result;
}

}  // namespace nacre::python
