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

namespace {

// can[n][s]: some word of exactly n letters leads from state s to acceptance.
std::vector<std::vector<bool>> reach_by_length(const Automaton& automaton, uint32_t letters,
                                               size_t longest) {
  std::vector<std::vector<bool>> can(longest + 1, std::vector<bool>(automaton.size()));
  for (uint32_t s = 0; s < automaton.size(); ++s) can[0][s] = automaton.accepting[s] != 0;
  for (size_t n = 1; n <= longest; ++n) {
    for (uint32_t s = 0; s < automaton.size(); ++s) {
      for (uint32_t c = 0; c < letters && !can[n][s]; ++c) {
        uint32_t t = automaton.next[s * letters + c];
        can[n][s] = t != kNoState && can[n - 1][t];
      }
    }
  }
  return can;
}

// A word of the length, chosen letter by letter among those that lead on: the one for which
// `rank(position, letter)` is least.
template <typename Rank>
Word choose_word(const Automaton& automaton, uint32_t letters,
                 const std::vector<std::vector<bool>>& can, size_t length, Rank rank) {
  Word word;
  uint32_t state = 0;
  for (size_t left = length; left > 0; --left) {
    std::optional<uint32_t> best;
    for (uint32_t c = 0; c < letters; ++c) {
      uint32_t t = automaton.next[state * letters + c];
      if (t == kNoState || !can[left - 1][t]) continue;
      if (!best || rank(left, c) < rank(left, *best)) best = c;
    }
    word.push_back(static_cast<Letter>(*best));
    state = automaton.next[state * letters + *best];
  }
  return word;
}

}  // namespace

std::optional<Word> WordStore::least_word(Words a, int64_t length,
                                          const std::vector<int64_t>& order) const {
  const Automaton& automaton = (*this)[a];
  if (automaton.size() == 0 || length < 0 || length > 100000) return std::nullopt;
  const auto size = static_cast<size_t>(length);
  auto can = reach_by_length(automaton, letters_, size);
  if (!can[size][0]) return std::nullopt;
  return choose_word(automaton, letters_, can, size, [&](size_t, uint32_t c) { return order[c]; });
}

std::optional<Word> WordStore::word_of_length(Words a, int64_t length) const {
  return least_word(a, length, std::vector<int64_t>(letters_));
}

std::vector<Word> WordStore::varied_words(Words a, size_t limit) const {
  const Automaton& automaton = (*this)[a];
  std::vector<Word> result;
  if (automaton.size() == 0) return result;
  constexpr int64_t kLonger = 24;
  constexpr uint64_t kEach = 5;  // of one length
  const auto longest =
      static_cast<size_t>(std::min<int64_t>(automaton.max_length, automaton.min_length + kLonger));
  auto can = reach_by_length(automaton, letters_, longest);
  for (size_t length = 0; length <= longest && result.size() < limit; ++length) {
    for (uint64_t variant = 0; can[length][0] && variant < kEach; ++variant) {
      // Any mixing function will do; it must be the same in every run.
      result.push_back(choose_word(automaton, letters_, can, length, [&](size_t left, uint32_t c) {
        uint64_t mixed = (variant * 8191 + left) * 0x9E3779B97F4A7C15u + c;
        mixed = (mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9u;
        return mixed ^ (mixed >> 32);
      }));
    }
  }
  return result;
}

LetterSet WordStore::letters_in(Words a) const {
  LetterSet seen(letters_);
  const Automaton& automaton = (*this)[a];
  for (size_t i = 0; i < automaton.next.size(); ++i) {
    if (automaton.next[i] != kNoState) seen[i % letters_] = true;
  }
  return seen;
}

LetterSet WordStore::first_letters(Words a) const {
  LetterSet result(letters_);
  const Automaton& automaton = (*this)[a];
  for (uint32_t c = 0; automaton.size() > 0 && c < letters_; ++c)
    result[c] = automaton.next[c] != kNoState;
  return result;
}

}  // namespace nacre::python
