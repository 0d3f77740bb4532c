// The words of a language: how long, how many, which first, some at random. All of it works on the
// minimal automaton, which is built (and remembered) on the first call; where the budget does not
// suffice for it, the functions say so.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/budget.h"
#include "regular/dfa.h"
#include "regular/lang.h"

namespace nacre::regular {

// The lengths of the words, in symbols: ultimately periodic, like every semilinear set of numbers.
// n belongs to it if head[n], or beyond the head if cycle[(n - head.size()) % cycle.size()].
struct LengthSet {
  std::vector<bool> head;
  std::vector<bool> cycle;  // empty: nothing beyond the head
  bool is_exact = true;     // if not: a superset

  [[nodiscard]] bool contains(uint64_t length) const;
  [[nodiscard]] bool empty() const;
  [[nodiscard]] uint32_t least() const;  // of a set that is not empty
  [[nodiscard]] uint32_t most() const;   // kUnbounded if there is no largest
};

LengthSet lengths_of(Lang a, const Budget& budget = {});

// Has the language finitely many words? Nothing if the budget ran out.
std::optional<bool> is_finite(Lang a, const Budget& budget = {});

// All words, shorter ones first, those of one length in the order of their symbols: letters,
// digits, blank, punctuation, the rest.
class Enumeration {
 public:
  explicit Enumeration(std::shared_ptr<const Dfa> dfa);
  // The next word; nothing after the last one.
  std::optional<std::string> next();

 private:
  struct Step {
    uint32_t state;
    size_t choice;  // the next entry of choices_[state] to try
  };
  struct Choice {
    Symbol symbol;
    uint32_t target;
  };

  bool advance_length();
  const std::vector<Choice>& choices(uint32_t state);

  std::shared_ptr<const Dfa> dfa_;
  std::vector<std::vector<bool>> accepts_in_;  // by length, by state: some word of that length
  std::vector<std::vector<Choice>> choices_;   // by state, in order; filled when first needed
  std::vector<Step> path_;
  std::vector<Symbol> word_;
  size_t length_ = 0;
  bool is_started_ = false;
};

// The first `count` words of the enumeration; fewer if there are no more or the budget ran out.
std::vector<std::string> first_words(Lang a, size_t count, const Budget& budget = {});

// Up to `count` short words of different shapes: "abc" and "xyz" are of one shape, "abc" and "a1"
// are not.
std::vector<std::string> examples_of(Lang a, size_t count, const Budget& budget = {});

// A random word of about the given length or, where the language has none, as near as it gets.
// Each alternative of the automaton has a fair chance, readable symbols a better one than others.
// The automaton must accept something.
std::string random_word(const Dfa& dfa, std::mt19937_64& random, size_t about = 12);

}  // namespace nacre::regular
