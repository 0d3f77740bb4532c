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

Value State::resolve(const Value& stale) const {
  if (const auto* number = stale.as<Linear>()) return {linear(*number)};
  if (const auto* letters = stale.as<Text>()) return {text(*letters)};
  if (const auto* split = stale.as<SplitList>())
    return {SplitList{text(split->subject), split->separator, split->is_letters}};
  if (const auto* sequence = stale.as<Sequence>()) {
    Sequence out{{}, sequence->is_list};
    for (const Value& item : sequence->items) out.items.push_back(resolve(item));
    return {std::move(out)};
  }
  return stale;
}

void append(States& into, States from) {
  for (State& state : from) into.push_back(std::move(state));
}

std::string type_name(const Value& value) {
  constexpr std::string_view kNames[] = {"unbound", "None", "bool", "int",
                                         "str",     "list", "list", "unknown"};
  if (const auto* sequence = value.as<Sequence>(); sequence != nullptr && !sequence->is_list)
    return "tuple";
  return std::string(kNames[value.data.index()]);
}

}  // namespace nacre::python
