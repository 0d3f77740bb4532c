#include "python/loop_heads.h"

#include <algorithm>
#include <fmt/core.h>

#include "python/canonical.h"

namespace nacre::python {
namespace {

// Does `part` stand somewhere in `whole` without a gap?
bool is_within(const Text& whole, const Text& part) {
  return std::search(whole.begin(), whole.end(), part.begin(), part.end()) != whole.end();
}

// A string that the loop changes is kept as a piece of something that stays, or as one constant of
// the program, or else it becomes a word of its own, remembered only by its language.
void summarise_texts(const Domain& domain, State& state, const LoopHead& head) {
  std::vector<Text> anchors;
  for (const Value& input : state.inputs) {
    if (const auto* text = input.as<Text>()) anchors.push_back(state.text(*text));
  }
  for (size_t slot = 0; slot < state.slots.size(); ++slot) {
    const auto* text = state.slots[slot].as<Text>();
    if (text != nullptr && !head.modified[slot]) anchors.push_back(state.text(*text));
  }
  for (size_t slot = 0; slot < state.slots.size(); ++slot) {
    auto* value = std::get_if<Text>(&state.slots[slot].data);
    if (value == nullptr || !head.modified[slot]) continue;
    Text text = state.text(*value);
    if (std::any_of(anchors.begin(), anchors.end(),
                    [&](const Text& whole) { return is_within(whole, text); }))
      continue;
    Words language = domain.language(state, text);
    *value = {state.add_word(language)};
  }
}

// Is it the length of a piece of some text? A sum over scattered pieces could have ever more terms.
bool is_length(const State& state, const Linear& number) {
  auto is_term = [&](SymbolId id) { return number.factor(id) == 1; };
  auto is_piece = [&](const Value& value) {
    const auto* stale = value.as<Text>();
    if (stale == nullptr) return false;
    Text text = state.text(*stale);
    auto first = std::find_if(text.begin(), text.end(), is_term);
    auto last = std::find_if_not(first, text.end(), is_term);
    return static_cast<size_t>(last - first) == number.terms.size();
  };
  return std::any_of(state.inputs.begin(), state.inputs.end(), is_piece) ||
         std::any_of(state.slots.begin(), state.slots.end(), is_piece);
}

// An integer that the loop moves and that is not a position becomes a number with bounds, unless it
// is a small constant, a constant of the program, or close to the length of a piece of text.
void loosen_numbers(const Domain& domain, State& state, const LoopHead& head) {
  for (size_t slot = 0; slot < state.slots.size(); ++slot) {
    auto* value = std::get_if<Linear>(&state.slots[slot].data);
    if (value == nullptr || !head.modified[slot]) continue;
    Linear number = state.linear(*value);
    // The value may be spelled with words of fixed length.
    Range bounds = domain.range(state, number);
    bool is_number = number.terms.size() == 1 && number.constant == 0 &&
                     number.terms[0].second == 1 &&
                     state[number.terms[0].first].kind == Symbol::Kind::kNumber;
    if (is_number) continue;
    bool is_near = number.constant >= -3 && number.constant <= 3;
    if (number.is_constant() && (is_near || head.numbers->count(number.constant) > 0)) continue;
    if (!number.is_constant() && is_near && is_length(state, number)) continue;
    SymbolId loose = state.add_number(bounds);
    if (!number.is_constant()) {
      Linear difference = Linear::of(loose) - number;
      Linear opposite;
      opposite.add(difference, -1);
      state.constraints.push_back(difference);
      state.constraints.push_back(opposite);
    }
    *value = Linear::of(loose);
  }
}

// What lies on the heap and may be changed by the loop is known by its type only; so is a field
// that holds a string or a number.
void summarise_heap(const Domain& domain, State& state, const LoopHead& head) {
  for (Cell& cell : state.heap) {
    if (auto* instance = std::get_if<Instance>(&cell.value.data)) {
      for (size_t i = 0; i < instance->fields.size(); ++i) {
        if (!head.is_changed_field(instance->cls, i)) continue;
        Value& field = instance->fields[i];
        if (const auto* text = field.as<Text>()) {
          const Words language = domain.language(state, *text);
          field = {Text{state.add_word(language)}};
        } else if (const auto* number = field.as<Linear>()) {
          if (!number->is_constant() || head.numbers->count(number->constant) == 0)
            field = {Linear::of(state.add_number(domain.range(state, *number)))};
        }
      }
      continue;
    }
    if (!head.changes_containers || cell.value.as<Typed>() != nullptr) continue;
    const auto* sequence = cell.value.as<Sequence>();
    const auto* dict = cell.value.as<Dict>();
    const bool is_filled = (sequence != nullptr && !sequence->items.empty()) ||
                           (dict != nullptr && !dict->keys.empty()) ||
                           cell.value.as<SplitList>() != nullptr;
    Type type = head.type_of(state, cell.value);
    if (is_filled && cell.value.as<SplitList>() == nullptr)
      cell.value = typed(std::move(type), true);
    else
      cell.value = typed(std::move(type));
  }
}

// Cuts the texts that `slot` may index at its value, and spells the value as the length before it.
States place_index(const Domain& domain, State state, size_t slot, const LoopHead& head) {
  const auto* value = state.slots[slot].as<Linear>();
  // A number that is not a sum of lengths says too little about a place.
  auto is_loose = [&](const Linear::Term& term) {
    return state[term.first].kind == Symbol::Kind::kNumber;
  };
  if (value == nullptr || std::any_of(value->terms.begin(), value->terms.end(), is_loose))
    return {std::move(state)};
  for (uint32_t other : head.related[slot]) {
    const auto* text = state.slots[other].as<Text>();
    if (text == nullptr) continue;
    Linear index = *value;
    Text subject = *text;
    States out;
    Split above = domain.compare(std::move(state), index);
    for (State& below : above.no) out.push_back(std::move(below));
    for (State& positive : above.yes) {
      Linear room = domain.length(positive, subject) - positive.linear(index);
      Split within = domain.compare(std::move(positive), room);
      for (State& beyond : within.no) out.push_back(std::move(beyond));
      for (State& inside : within.yes) {
        for (Divided& divided : domain.cut(std::move(inside), subject, index)) {
          divided.state.slots[slot] = {domain.length(divided.state, divided.before)};
          out.push_back(std::move(divided.state));
        }
      }
    }
    return out;
  }
  return {std::move(state)};
}

// Splits the pieces of each pin by the states that its automaton has at the boundaries.
void pin_from(const Domain& domain, HeadState head, size_t pin, size_t piece, uint32_t from,
              std::vector<HeadState>& out) {
  if (pin == head.state.pins.size()) return out.push_back(std::move(head));
  const Words set = head.state.pins[pin].automaton;
  const Text& text = head.state.pins[pin].text;
  const Automaton& automaton = domain.words()[set];
  if (piece == 0) head.paths.push_back({0});
  if (piece == text.size()) {
    if (!automaton.accepting[from]) return;
    return pin_from(domain, std::move(head), pin + 1, 0, 0, out);
  }
  SymbolId id = text[piece];
  Words own = head.state[id].words;
  bool is_last = piece + 1 == text.size();
  if (is_last) {
    // No boundary to pin at the end: what is left must only lead to acceptance.
    Words part = domain.words().intersect(own, domain.words().residual(set, from));
    if (domain.words().is_empty(part)) return;
    head.state[id].words = part;
    head.paths.back().push_back(kNoState);
    return pin_from(domain, std::move(head), pin + 1, 0, 0, out);
  }
  for (uint32_t to = 0; to < automaton.size(); ++to) {
    Words part = domain.words().intersect(own, domain.words().between(set, from, to));
    if (domain.words().is_empty(part)) continue;
    HeadState next = head;
    next.state[id].words = part;
    next.paths.back().push_back(to);
    pin_from(domain, std::move(next), pin, piece + 1, to, out);
  }
}

// What the key says of the constants: those of the program stay apart.
void append_constants(const State& state, const LoopHead& head, std::string& key) {
  for (size_t i = 0; i < state.symbols.size(); ++i) {
    const Symbol& symbol = state.symbols[i];
    if (symbol.kind == Symbol::Kind::kNumber)
      key += fmt::format("n{}", i);
    else if (head.constants->count(symbol.words) > 0)
      key += fmt::format("c{}={}", i, static_cast<uint32_t>(symbol.words));
  }
}

}  // namespace

std::vector<HeadState> at_head(const Domain& domain, State state, const LoopHead& head) {
  compact(domain, state);
  States placed = {std::move(state)};
  for (size_t slot = 0; slot < head.modified.size(); ++slot) {
    if (!head.modified[slot]) continue;
    States next;
    for (State& one : placed) {
      for (State& result : place_index(domain, std::move(one), slot, head))
        next.push_back(std::move(result));
    }
    placed.swap(next);
  }
  std::vector<HeadState> out;
  for (State& one : placed) {
    summarise_heap(domain, one, head);
    summarise_texts(domain, one, head);
    loosen_numbers(domain, one, head);
    compact(domain, one);
    std::vector<HeadState> pinned;
    pin_from(domain, {std::move(one), "", {}}, head.first_pin, 0, 0, pinned);
    for (HeadState& result : pinned) {
      result.key = shape(result.state);
      for (const auto& path : result.paths) {
        for (uint32_t q : path) result.key += fmt::format("@{}", static_cast<int32_t>(q));
      }
      append_constants(result.state, head, result.key);
      out.push_back(std::move(result));
    }
  }
  return out;
}

bool widen(const Domain& domain, HeadState& into, const State& state, size_t first_pin, int round) {
  if (covers(domain, into.state, state)) return false;
  State old = into.state;
  join_into(domain, into.state, state);
  if (round < 3) return true;
  widen_types(domain, old, into.state, round);
  WordStore& words = domain.words();
  // The most that a pinned piece can be: the ways between its two states.
  std::vector<Words> most(into.state.symbols.size(), words.all());
  for (size_t pin = first_pin; pin < into.state.pins.size(); ++pin) {
    const Text& text = into.state.pins[pin].text;
    const auto& path = into.paths[pin - first_pin];
    for (size_t i = 0; i < text.size(); ++i) {
      Words set = into.state.pins[pin].automaton;
      Words way = path[i + 1] == kNoState ? words.residual(set, path[i])
                                          : words.between(set, path[i], path[i + 1]);
      Words& limit = most[static_cast<uint32_t>(text[i])];
      limit = words.intersect(limit, way);
    }
  }
  for (size_t i = 0; i < into.state.symbols.size(); ++i) {
    Symbol& symbol = into.state.symbols[i];
    const Symbol& before = old.symbols[i];
    if (symbol.kind == Symbol::Kind::kWord) {
      if (symbol.words == before.words) continue;
      Words leap = round < 6   ? words.generalise(symbol.words, 2)
                   : round < 9 ? words.over_letters_of(symbol.words)
                               : words.all();
      symbol.words = words.intersect(leap, most[i]);
    } else {
      if (symbol.range.low < before.range.low)
        symbol.range.low = symbol.range.low >= 0 && round < 6 ? 0 : -kUnlimited;
      if (symbol.range.high > before.range.high) symbol.range.high = kUnlimited;
    }
  }
  std::erase_if(into.state.constraints, [&](const Linear& constraint) {
    return std::find(old.constraints.begin(), old.constraints.end(), constraint) ==
           old.constraints.end();
  });
  return true;
}

}  // namespace nacre::python
