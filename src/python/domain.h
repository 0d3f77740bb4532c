// The exact operations on abstract states (state.h): narrow one, cut a text at a position, scan it
// for the first occurrence of something, ask whether it is a word of a set. Each gives a finite set
// of states whose union is the result; nothing is approximated but inequalities over integers,
// which are decided over the rationals.
#pragma once

#include <optional>
#include <vector>

#include "python/state.h"

namespace nacre::python {

struct Split {  // the outcomes of a test
  States yes, no;
};

struct Divided {  // a text cut in two
  State state;
  Text before, after;
};

class Domain {
 public:
  // `is_single` tells which letters stand for one character only. With `is_concrete` all do: every
  // input is one word, and running a program is what Python does.
  Domain(WordStore& words, std::vector<bool> is_single, bool is_concrete)
      : words_(words), is_single_(std::move(is_single)), is_concrete_(is_concrete) {}
  [[nodiscard]] bool is_concrete() const { return is_concrete_; }
  // Whether equal words of letters are equal strings.
  [[nodiscard]] bool is_exact(const Word& word) const;
  [[nodiscard]] WordStore& words() const { return words_; }

  [[nodiscard]] Range range(const State& state, const Linear& value) const;
  [[nodiscard]] Linear length(const State& state, const Text& text) const;
  [[nodiscard]] Words language(const State& state, const Text& text) const;
  [[nodiscard]] std::optional<Word> constant(const State& state, const Text& text) const;

  // Narrow a state; false if nothing is left of it.
  bool restrict(State& state, SymbolId symbol, Words words) const;
  bool assume(State& state, const Linear& nonnegative) const;
  bool assume_zero(State& state, const Linear& zero) const;
  [[nodiscard]] bool entails(const State& state, const Linear& nonnegative) const;
  [[nodiscard]] bool is_feasible(const State& state) const;

  Split compare(State state, const Linear& nonnegative) const;  // yes: >= 0
  Split equals_zero(State state, const Linear& value) const;

  // Is the text a word of the set?
  Split member(State state, const Text& text, Words set) const;
  // Cut at a position that is known to lie in 0 .. len(text).
  std::vector<Divided> cut(State state, const Text& text, const Linear& position) const;
  // Cut after the shortest prefix in `first` (a set of which no word is a prefix of another), or,
  // backwards, before the shortest suffix whose reversal is in `first`. `none` gets the rest.
  std::vector<Divided> scan(State state, const Text& text, Words first, bool backwards,
                            States& none) const;
  // The words that end with the first occurrence of `pattern`, for scan.
  Words first_occurrence(const Word& pattern) const;
  Words first_letter(const LetterSet& set) const;

  Text constant_text(State& state, const Word& word) const;
  // Words for all inputs that lead to a concrete state of this one, if a bounded search finds any.
  [[nodiscard]] std::optional<std::vector<Word>> example(const State& state,
                                                         std::vector<int64_t>* numbers) const;

 private:
  bool propagate(State& state) const;
  [[nodiscard]] std::vector<Linear> system(const State& state) const;
  void divide(State state, const Text& text, size_t at, const Linear& offset,
              std::vector<Divided>& out) const;
  void member_from(State state, const Text& text, size_t at, Words set, uint32_t from,
                   Split& out) const;
  void scan_from(State state, const Text& text, size_t at, Words first, uint32_t from,
                 bool backwards, std::vector<Divided>& found, States& none) const;

  WordStore& words_;
  std::vector<bool> is_single_;
  bool is_concrete_;
};

}  // namespace nacre::python
