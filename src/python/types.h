// Declared and inferred types: what an annotation says, and what is left of a value when only its
// type is kept (the items of a list of any length). A type is a value of its own; the words in it
// belong to the store of one analysis.
#pragma once

#include <cstdint>
#include <vector>

#include "python/linear.h"
#include "python/words.h"

namespace nacre::python {

// Classes of the standard library of whose instances something is known.
enum class LibraryClass : uint32_t { kPath, kDate, kDateTime, kTime, kDuration, kUuid };

struct Type {
  enum class Kind : uint8_t {
    kMissing,  // no annotation
    kOther,    // anything at all
    kNone,
    kStr,
    kInt,  // in `range`
    kBool,
    kFloat,
    kBytes,
    kLanguage,  // a string of `words`
    kList,      // parts: the items
    kSet,
    kIterable,  // used up by the first who reads it, or not (`cls` 1: not, and it has indices)
    kDict,      // parts: keys, values
    kTuple,     // parts: each item
    kTupleOf,   // tuple[T, ...]
    kUnion,     // parts: the alternatives, no unions among them
    kInstance,  // of class `cls` or one derived from it
    kEnum,
    kMatch,     // of the regex written at expression `cls`
    kCallable,  // parts: what a call gives
    kLibrary,   // of the library class `cls`; a path: its string form is one of `words`
  };
  Kind kind = Kind::kMissing;
  Words words{};
  Range range{};
  std::vector<Type> parts{};
  uint32_t cls = 0;

  [[nodiscard]] bool is_any() const { return kind == Kind::kMissing || kind == Kind::kOther; }
  [[nodiscard]] bool is_container() const { return kind >= Kind::kList && kind <= Kind::kDict; }
  friend bool operator==(const Type&, const Type&) = default;
};

inline Type type_of_kind(Type::Kind kind) { return {kind, {}, {}, {}, 0}; }
inline Type type_of_words(Words words) { return {Type::Kind::kLanguage, words, {}, {}, 0}; }
inline Type type_of_range(Range range) { return {Type::Kind::kInt, {}, range, {}, 0}; }
inline Type type_of_parts(Type::Kind kind, std::vector<Type> parts) {
  return {kind, {}, {}, std::move(parts), 0};
}

inline Type type_of_library(LibraryClass cls, Words words = {}) {
  return {Type::Kind::kLibrary, words, {}, {}, static_cast<uint32_t>(cls)};
}
inline bool is_library(const Type& type, LibraryClass cls) {
  return type.kind == Type::Kind::kLibrary && type.cls == static_cast<uint32_t>(cls);
}

// A list, a tuple or anything else that has indices.
inline bool is_sequence(const Type& type) {
  return type.kind == Type::Kind::kIterable && type.cls == 1;
}

// Says the type something about the letters of a string, at any depth?
bool has_language(const Type& type);

// The least type known that covers both: languages are united, tuples of one size joined item by
// item, everything else becomes a union.
Type join(WordStore& words, const Type& a, const Type& b);

// Whether each value of `part` is one of `whole`. `is_subclass(derived, base)` knows the classes.
template <typename IsSubclass>
bool is_within(WordStore& words, const Type& part, const Type& whole,
               const IsSubclass& is_subclass);

// A type that covers `joined` and grows by leaps, for the head of a loop in its `round`.
Type widen(WordStore& words, const Type& old, const Type& joined, int round);

// The alternatives: the parts of a union, or the type itself.
std::vector<Type> alternatives(const Type& type);

template <typename IsSubclass>
bool is_within(WordStore& words, const Type& part, const Type& whole,
               const IsSubclass& is_subclass) {
  using Kind = Type::Kind;
  auto inside = [&](const Type& a, const Type& b) { return is_within(words, a, b, is_subclass); };
  auto all_parts = [&] {
    if (part.parts.size() != whole.parts.size()) return false;
    for (size_t i = 0; i < part.parts.size(); ++i) {
      if (!inside(part.parts[i], whole.parts[i])) return false;
    }
    return true;
  };
  if (whole.is_any()) return true;
  if (part.kind == Kind::kUnion) {
    for (const Type& one : part.parts) {
      if (!inside(one, whole)) return false;
    }
    return true;
  }
  if (whole.kind == Kind::kUnion) {
    // A language may be spread over several alternatives.
    if (part.kind == Kind::kLanguage) {
      Words rest = part.words;
      for (const Type& one : whole.parts) {
        if (one.kind == Kind::kStr) return true;
        if (one.kind == Kind::kLanguage) rest = words.minus(rest, one.words);
      }
      return words.is_empty(rest);
    }
    for (const Type& one : whole.parts) {
      if (inside(part, one)) return true;
    }
    return false;
  }
  if (part.is_any()) return false;
  switch (whole.kind) {
    case Kind::kStr: return part.kind == Kind::kStr || part.kind == Kind::kLanguage;
    case Kind::kFloat:
      return part.kind == Kind::kFloat || part.kind == Kind::kInt || part.kind == Kind::kBool;
    case Kind::kInt:
      return part.kind == Kind::kBool ||
             (part.kind == Kind::kInt && part.range.low >= whole.range.low &&
              part.range.high <= whole.range.high);
    case Kind::kLanguage:
      if (part.kind == Kind::kStr) return whole.words == words.all();
      return part.kind == Kind::kLanguage && words.is_empty(words.minus(part.words, whole.words));
    case Kind::kTupleOf:
      if (part.kind == Kind::kTuple) {
        for (const Type& item : part.parts) {
          if (!inside(item, whole.parts[0])) return false;
        }
        return true;
      }
      return part.kind == Kind::kTupleOf && all_parts();
    case Kind::kIterable:
      if (part.kind == Kind::kTuple) {
        for (const Type& item : part.parts) {
          if (!inside(item, whole.parts[0])) return false;
        }
        return true;
      }
      return (part.is_container() || part.kind == Kind::kTupleOf) &&
             inside(part.parts[0], whole.parts[0]);
    case Kind::kInstance: return part.kind == Kind::kInstance && is_subclass(part.cls, whole.cls);
    case Kind::kEnum: return part.kind == Kind::kEnum && part.cls == whole.cls;
    case Kind::kLibrary:
      // Every datetime is a date.
      if (is_library(whole, LibraryClass::kDate) && is_library(part, LibraryClass::kDateTime))
        return true;
      return part.kind == Kind::kLibrary && part.cls == whole.cls &&
             (part.words == whole.words || words.is_empty(words.minus(part.words, whole.words)));
    case Kind::kList:
    case Kind::kSet:
    case Kind::kDict:
    case Kind::kTuple: return part.kind == whole.kind && all_parts();
    default: return part.kind == whole.kind;
  }
}

}  // namespace nacre::python
