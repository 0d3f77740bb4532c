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
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "python/ast.h"
#include "python/linear.h"
#include "python/types.h"
#include "python/words.h"

namespace nacre::python {

using Text = std::vector<SymbolId>;

struct Value;

struct Unbound {  // the variable has no value (or one that is never read again)
  friend bool operator==(Unbound, Unbound) = default;
};
struct NoneValue {
  friend bool operator==(NoneValue, NoneValue) = default;
};
// Something outside the fragment: any value at all.
struct Unknown {
  friend bool operator==(Unknown, Unknown) = default;
};
struct Sequence {  // a tuple, list or set whose items are known one by one
  std::vector<Value> items;
  bool is_list = false;
  bool is_set = false;
  friend bool operator==(const Sequence&, const Sequence&) = default;
};
// The list `subject.split(separator)` or `list(subject)`, cut open only as far as it is looked at.
struct SplitList {
  Text subject;
  Word separator;           // empty: at runs of white space
  bool is_letters = false;  // between all letters
  friend bool operator==(const SplitList&, const SplitList&) = default;
};

// A dictionary whose keys are known one by one, in the order of their insertion.
struct Dict {
  std::vector<Value> keys, values;
  friend bool operator==(const Dict&, const Dict&) = default;
};
// Only the type is known: a list of any length, a float.
struct Typed {
  std::shared_ptr<const Type> type;
  bool is_filled = false;  // a container that is not empty
  bool is_given = false;   // not made by the checked code: what it holds is a matter of the caller
  friend bool operator==(const Typed& a, const Typed& b) {
    return a.is_filled == b.is_filled && a.is_given == b.is_given && *a.type == *b.type;
  }
};
// What can be changed through several names lies on the heap.
struct Ref {
  uint32_t cell;
  friend bool operator==(Ref, Ref) = default;
};
struct Instance {  // its fields are those of its class, in their order; Unbound: not set yet
  uint32_t cls;
  std::vector<Value> fields;
  friend bool operator==(const Instance&, const Instance&) = default;
};
struct EnumMember {
  uint32_t cls, index;
  friend bool operator==(EnumMember, EnumMember) = default;
};
struct ClassObject {
  uint32_t cls;
  friend bool operator==(ClassObject, ClassObject) = default;
};
// A function of the file, a bound method (`self` is its one item), or something by its dotted name
// in the library ("re.compile", "str.upper").
struct Callable {
  uint32_t function = 0;
  std::vector<Value> self;
  std::string library;
  friend bool operator==(const Callable&, const Callable&) = default;
};
// A match of the regex written at `pattern`: group 0 and the others; None: took no part.
struct MatchObject {
  std::vector<Value> groups;
  ExprId pattern{};
  Linear start;
  friend bool operator==(const MatchObject&, const MatchObject&) = default;
};

struct Value {
  std::variant<Unbound, NoneValue, bool, Linear, Text, Sequence, SplitList, Unknown, Dict, Typed,
               Ref, Instance, EnumMember, ClassObject, Callable, MatchObject>
      data;
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

struct Cell {
  Value value;                           // a list, set, dictionary or instance
  std::shared_ptr<const Type> declared;  // what may be put into it; null: anything
};

// How an argument of the checked function was made: from one of the inputs, or by calling a class.
struct Recipe {
  static constexpr uint32_t kInput = ~uint32_t{0};
  static constexpr uint32_t kTuple = kInput - 1;
  static constexpr uint32_t kMember = kInput - 2;  // of the enumeration `input`, number `member`
  uint32_t cls = kInput;
  uint32_t input = 0, member = 0;
  std::vector<Recipe> arguments;
  friend bool operator==(const Recipe&, const Recipe&) = default;
};

struct State {
  std::vector<Symbol> symbols;
  std::vector<Linear> constraints;  // each is non-negative
  std::vector<Value> inputs;        // what the arguments of the checked function are made of
  std::vector<Recipe> recipes;      // the arguments themselves
  std::vector<Cell> heap;
  std::vector<Value> slots;  // the variables of all active functions
  std::vector<Value> stack;  // values under evaluation
  std::vector<Pin> pins;     // of all active loops

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
  [[nodiscard]] std::vector<Value> resolve_all(const std::vector<Value>& stale) const;

  // A new cell.
  Value allocate(Value value, std::shared_ptr<const Type> declared = nullptr) {
    heap.push_back({std::move(value), std::move(declared)});
    return {Ref{static_cast<uint32_t>(heap.size() - 1)}};
  }
  // What a reference leads to; other values are themselves.
  [[nodiscard]] const Value& deref(const Value& value) const {
    const auto* ref = value.as<Ref>();
    return ref != nullptr ? heap[ref->cell].value : value;
  }
};

using States = std::vector<State>;
void append(States& into, States from);

// "str", "tuple", ...: what messages call a value.
std::string type_name(const Value& value);
std::string type_name(const Type& type);
std::string_view library_class_name(LibraryClass cls);

inline Value typed(Type type, bool is_filled = false, bool is_given = false) {
  return {Typed{std::make_shared<const Type>(std::move(type)), is_filled, is_given}};
}

}  // namespace nacre::python
