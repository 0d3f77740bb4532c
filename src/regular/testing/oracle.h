// The slow, obviously right engine that tests compare with: a language is the set of its words up
// to a length over a small alphabet, each operation its definition. For tests only.
#pragma once

#include <bitset>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "regular/lang.h"

namespace nacre::regular::oracle {

inline constexpr std::string_view kLetters = "ab-";
inline constexpr size_t kLongest = 5;
inline constexpr size_t kCount = 364;  // words over three letters of length 0..5
using WordSet = std::bitset<kCount>;

// All words in order of length.
inline const std::vector<std::string>& words() {
  static const std::vector<std::string> kWords = [] {
    std::vector<std::string> all = {""};
    for (size_t i = 0; all.size() < kCount; ++i) {
      for (char letter : kLetters) all.push_back(all[i] + letter);
    }
    return all;
  }();
  return kWords;
}

inline size_t number(std::string_view word) {
  size_t at = 0;
  for (char c : word) at = at * kLetters.size() + kLetters.find(c) + 1;
  return at;
}

inline WordSet concat(const WordSet& a, const WordSet& b) {
  WordSet result;
  for (size_t i = 0; i < kCount; ++i) {
    for (size_t j = 0; a[i] && j < kCount; ++j) {
      if (b[j] && words()[i].size() + words()[j].size() <= kLongest) {
        result.set(number(words()[i] + words()[j]));
      }
    }
  }
  return result;
}

inline WordSet power(const WordSet& a, uint32_t times) {
  WordSet result;
  result.set(0);
  while (times-- > 0) result = concat(result, a);
  return result;
}

inline WordSet repeat(const WordSet& a, uint32_t least, uint32_t most) {
  WordSet result;
  for (uint32_t n = least; n <= most && n <= least + kLongest; ++n) result |= power(a, n);
  return result;
}

inline WordSet reverse(const WordSet& a) {
  WordSet result;
  for (size_t i = 0; i < kCount; ++i) {
    if (a[i]) result.set(number(std::string(words()[i].rbegin(), words()[i].rend())));
  }
  return result;
}

// A language and, independently, its short words.
struct Sample {
  Lang lang;
  WordSet words;
};

using Random = std::mt19937;

inline uint32_t below(Random& random, uint32_t n) { return static_cast<uint32_t>(random() % n); }

inline Sample random_set(Context& cx, Random& random) {
  CharSet set;
  WordSet words;
  for (size_t i = 0; i < kLetters.size(); ++i) {
    if (below(random, 2) == 0) continue;
    set.add(static_cast<Symbol>(kLetters[i]));
    words.set(i + 1);
  }
  return {cx.set(set), words};
}

// An expression with `size` operators. Complements are relative to the words over kLetters.
inline Sample random_sample(Context& cx, Random& random, uint32_t size) {
  if (size == 0) {
    if (below(random, 8) > 0) return random_set(cx, random);
    WordSet epsilon;
    epsilon.set(0);
    return {cx.epsilon(), epsilon};
  }
  uint32_t kind = below(random, 10);
  if (kind >= 6) {
    uint32_t left = below(random, size);
    Sample a = random_sample(cx, random, left);
    Sample b = random_sample(cx, random, size - 1 - left);
    if (kind == 6) return {a.lang & b.lang, a.words & b.words};
    if (kind == 7) return {a.lang | b.lang, a.words | b.words};
    return {a.lang + b.lang, concat(a.words, b.words)};
  }
  Sample a = random_sample(cx, random, size - 1);
  Lang all = star(cx.set(CharSet::of(kLetters)));
  uint32_t least = below(random, 3);
  uint32_t most = least + below(random, 3);
  switch (kind) {
    case 0: return {all - a.lang, ~a.words};
    case 1: return {star(a.lang), repeat(a.words, 0, kUnbounded)};
    case 2: return {repeat(a.lang, least, most), repeat(a.words, least, most)};
    case 3: return {repeat(a.lang, least, kUnbounded), repeat(a.words, least, kUnbounded)};
    case 4: return {reverse(a.lang), reverse(a.words)};
    default: return {optional(a.lang), repeat(a.words, 0, 1)};
  }
}

}  // namespace nacre::regular::oracle
