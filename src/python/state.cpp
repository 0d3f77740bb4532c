#include "python/state.h"

#include <algorithm>

namespace nacre::python {
namespace {

void append_resolved(const State& state, SymbolId id, Text& out) {
  const Symbol& symbol = state[id];
  if (symbol.kind != Symbol::Kind::kCut) {
    out.push_back(id);
    return;
  }
  append_resolved(state, symbol.left, out);
  if (symbol.right != symbol.left) append_resolved(state, symbol.right, out);
}

}  // namespace

Text State::text(const Text& stale) const {
  Text out;
  out.reserve(stale.size());
  for (SymbolId id : stale) append_resolved(*this, id, out);
  return out;
}

Linear State::linear(const Linear& stale) const {
  bool is_fresh =
      std::none_of(stale.terms.begin(), stale.terms.end(), [&](const Linear::Term& term) {
        Symbol::Kind kind = (*this)[term.first].kind;
        return kind == Symbol::Kind::kCut || kind == Symbol::Kind::kSubstituted;
      });
  if (is_fresh) return stale;
  Linear out(stale.constant);
  for (const Linear::Term& term : stale.terms) {
    const Symbol& symbol = (*this)[term.first];
    if (symbol.kind == Symbol::Kind::kSubstituted) {
      out.add(linear(symbol.value), term.second);
    } else {
      Text parts;
      append_resolved(*this, term.first, parts);
      for (SymbolId part : parts) out.add(Linear::of(part), term.second);
    }
  }
  return out;
}

std::vector<Value> State::resolve_all(const std::vector<Value>& stale) const {
  std::vector<Value> out;
  out.reserve(stale.size());
  for (const Value& value : stale) out.push_back(resolve(value));
  return out;
}

Value State::resolve(const Value& stale) const {
  if (const auto* number = stale.as<Linear>()) return {linear(*number)};
  if (const auto* letters = stale.as<Text>()) return {text(*letters)};
  if (const auto* split = stale.as<SplitList>())
    return {SplitList{text(split->subject), split->separator, split->is_letters}};
  if (const auto* sequence = stale.as<Sequence>()) {
    return {Sequence{resolve_all(sequence->items), sequence->is_list, sequence->is_set}};
  }
  if (const auto* dict = stale.as<Dict>())
    return {Dict{resolve_all(dict->keys), resolve_all(dict->values)}};
  if (const auto* instance = stale.as<Instance>())
    return {Instance{instance->cls, resolve_all(instance->fields)}};
  if (const auto* bound = stale.as<Callable>())
    return {Callable{bound->function, resolve_all(bound->self), bound->library}};
  if (const auto* match = stale.as<MatchObject>())
    return {MatchObject{resolve_all(match->groups), match->pattern, linear(match->start)}};
  return stale;
}

void append(States& into, States from) {
  for (State& state : from) into.push_back(std::move(state));
}

std::string_view library_class_name(LibraryClass cls) {
  switch (cls) {
    case LibraryClass::kPath: return "Path";
    case LibraryClass::kDate: return "date";
    case LibraryClass::kDateTime: return "datetime";
    case LibraryClass::kTime: return "time";
    case LibraryClass::kDuration: return "timedelta";
    case LibraryClass::kUuid: break;
  }
  return "UUID";
}

std::string type_name(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kFloat: return "float";
    case Type::Kind::kBytes: return "bytes";
    case Type::Kind::kList: return "list";
    case Type::Kind::kSet: return "set";
    case Type::Kind::kDict: return "dict";
    case Type::Kind::kIterable: return "iterator";
    case Type::Kind::kTuple:
    case Type::Kind::kTupleOf: return "tuple";
    case Type::Kind::kLibrary: return std::string(library_class_name(LibraryClass{type.cls}));
    default: return "value";
  }
}

std::string type_name(const Value& value) {
  constexpr std::string_view kNames[] = {"unbound", "None",  "bool",     "int",   "str",  "list",
                                         "list",    "value", "dict",     "value", "list", "object",
                                         "member",  "class", "function", "match"};
  if (const auto* sequence = value.as<Sequence>(); sequence != nullptr && !sequence->is_list)
    return sequence->is_set ? "set" : "tuple";
  if (const auto* typed = value.as<Typed>()) return type_name(*typed->type);
  return std::string(kNames[value.data.index()]);
}

}  // namespace nacre::python
