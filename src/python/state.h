// One abstract state: everything that may be true at a point of the program along some paths. It
// stands for the concrete states in which each unknown word is some word of its language, each
// unknown number lies in its range, and the inequalities hold. Strings are concatenations of
// unknown words ("symbols"; a constant is a symbol with one word), integers are linear expressions
// over the lengths of those words. So `s[i+1]`, `t = s[:i]`, `len(s) - i` and s itself share their
// symbols, and a test of one of them narrows all others: nothing is ever copied.
//
// A symbol that was cut in two stays as a reference to its parts, so that values held elsewhere do
// not go stale: text() and linear() resolve them. Compaction (canonical.h) forgets them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "python/ast.h"
#include "python/linear.h"
#include "python/words.h"

namespace nacre::python {

using Text = std::vector<SymbolId>;

struct Value;

struct Unbound {  // the variable has no value (or one that nobody reads any more)
  friend bool operator==(Unbound, Unbound) = default;
};
struct NoneValue {
  friend bool operator==(NoneValue, NoneValue) = default;
};
// Something outside the fragment: any value at all.
struct Unknown {
  friend bool operator==(Unknown, Unknown) = default;
};
struct Sequence {  // a tuple or a list whose items are known one by one
  std::vector<Value> items;
  bool is_list = false;
  friend bool operator==(const Sequence&, const Sequence&) = default;
};
// The result of `subject.split(separator)`, cut open only as far as it is looked at.
struct SplitList {
  Text subject;
  Word separator;  // empty: at runs of white space
  friend bool operator==(const SplitList&, const SplitList&) = default;
};

struct Value {
  std::variant<Unbound, NoneValue, bool, Linear, Text, Sequence, SplitList, Unknown> data;
  template <typename T>
  [[nodiscard]] const T* as() const {
    return std::get_if<T>(&data);
  }
  friend bool operator==(const Value&, const Value&) = default;
};

struct Symbol {
  enum class Kind : uint8_t { kWord, kNumber, kCut, kSubstituted };
  Kind kind = Kind::kWord;
  Words words{};             // kWord
  SymbolId left{}, right{};  // kCut
  Range range;               // kNumber
  Linear value;              // kSubstituted, a former number
};

// The words that were unknown when a loop was entered: boundaries inside them are told apart by the
// state of the automaton there (canonical.h).
struct Pin {
  Text text;
  Words automaton{};
};

struct State {
  std::vector<Symbol> symbols;
  std::vector<Linear> constraints;  // each is non-negative
  std::vector<Value> inputs;        // the arguments of the checked function, as they came in
  std::vector<Value> slots;         // the variables of all active functions
  std::vector<Value> stack;         // values under evaluation
  std::vector<Pin> pins;            // of all active loops

  [[nodiscard]] const Symbol& operator[](SymbolId id) const {
    return symbols[static_cast<uint32_t>(id)];
  }
  Symbol& operator[](SymbolId id) { return symbols[static_cast<uint32_t>(id)]; }
  SymbolId add(Symbol symbol) {
    symbols.push_back(std::move(symbol));
    return SymbolId(symbols.size() - 1);
  }
  SymbolId add_word(Words words) { return add({Symbol::Kind::kWord, words, {}, {}, {}, {}}); }
  SymbolId add_number(Range range) { return add({Symbol::Kind::kNumber, {}, {}, {}, range, {}}); }

  [[nodiscard]] Text text(const Text& stale) const;
  [[nodiscard]] Linear linear(const Linear& stale) const;
  [[nodiscard]] Value resolve(const Value& stale) const;
};

using States = std::vector<State>;

struct Split {  // the outcomes of a test
  States yes, no;
};

struct Divided {  // a text cut in two
  State state;
  Text before, after;
};

// The exact operations on states. Each gives a finite set of states whose union is the result.
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
