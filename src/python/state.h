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
// The list `subject.split(separator)` or `list(subject)`, cut open only as far as it is looked at.
struct SplitList {
  Text subject;
  Word separator;           // empty: at runs of white space
  bool is_letters = false;  // between all letters
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
void append(States& into, States from);

// "str", "tuple", ...: what messages call a value.
std::string type_name(const Value& value);

}  // namespace nacre::python
