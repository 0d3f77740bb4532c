#include "python/canonical.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <unordered_map>

namespace nacre::python {
namespace {

// Calls `text(Text&)` and `linear(Linear&)` for everything that a value is made of.
template <typename OnText, typename OnLinear>
void visit_value(Value& value, const OnText& text, const OnLinear& linear) {
  if (auto* letters = std::get_if<Text>(&value.data)) text(*letters);
  if (auto* number = std::get_if<Linear>(&value.data)) linear(*number);
  if (auto* split = std::get_if<SplitList>(&value.data)) text(split->subject);
  if (auto* sequence = std::get_if<Sequence>(&value.data)) {
    for (Value& item : sequence->items) visit_value(item, text, linear);
  }
}

template <typename OnText, typename OnLinear>
void visit_state(State& state, const OnText& text, const OnLinear& linear) {
  for (auto* values : {&state.inputs, &state.slots, &state.stack}) {
    for (Value& value : *values) visit_value(value, text, linear);
  }
  for (Pin& pin : state.pins) text(pin.text);
  for (Linear& constraint : state.constraints) linear(constraint);
}

void resolve_all(State& state) {
  visit_state(
      state, [&](Text& text) { text = state.text(text); },
      [&](Linear& linear) { linear = state.linear(linear); });
}

// Words that can only be empty vanish.
void drop_empty_words(const Domain& domain, State& state) {
  auto is_empty = [&](SymbolId id) {
    return state[id].kind == Symbol::Kind::kWord && state[id].words == domain.words().empty_word();
  };
  visit_state(
      state, [&](Text& text) { std::erase_if(text, is_empty); },
      [&](Linear& linear) {
        std::erase_if(linear.terms, [&](const Linear::Term& term) { return is_empty(term.first); });
      });
}

// Inequalities over symbols that nothing else mentions are forgotten.
void drop_idle_constraints(const Domain& domain, State& state) {
  if (state.constraints.empty()) return;
  std::vector<bool> used(state.symbols.size());
  auto use = [&](SymbolId id) { used[static_cast<uint32_t>(id)] = true; };
  std::vector<Linear> constraints;
  constraints.swap(state.constraints);
  visit_state(
      state,
      [&](Text& text) {
        for (SymbolId id : text) use(id);
      },
      [&](Linear& linear) {
        for (auto& term : linear.terms) use(term.first);
      });
  for (Linear& constraint : constraints) {
    bool is_live = std::all_of(
        constraint.terms.begin(), constraint.terms.end(),
        [&](const Linear::Term& term) { return used[static_cast<uint32_t>(term.first)]; });
    if (is_live && domain.range(state, constraint).low < 0)
      state.constraints.push_back(std::move(constraint));
  }
  std::sort(state.constraints.begin(), state.constraints.end(),
            [](const Linear& a, const Linear& b) {
              return std::tie(a.terms, a.constant) < std::tie(b.terms, b.constant);
            });
  state.constraints.erase(std::unique(state.constraints.begin(), state.constraints.end()),
                          state.constraints.end());
}

constexpr SymbolId kNobody{~uint32_t{0}};

// What always stands before and after each symbol, in every text; kNobody if that varies.
struct Neighbours {
  std::vector<SymbolId> before, after;
  std::vector<bool> occurs;
};

Neighbours neighbours(State& state) {
  Neighbours result{std::vector<SymbolId>(state.symbols.size(), kNobody),
                    std::vector<SymbolId>(state.symbols.size(), kNobody),
                    std::vector<bool>(state.symbols.size())};
  std::vector<bool> mixed_before(state.symbols.size()), mixed_after(state.symbols.size());
  auto note = [](std::vector<SymbolId>& table, std::vector<bool>& mixed, SymbolId id,
                 SymbolId other, bool is_first) {
    auto index = static_cast<uint32_t>(id);
    if (is_first)
      table[index] = other;
    else if (table[index] != other)
      mixed[index] = true;
  };
  visit_state(
      state,
      [&](Text& text) {
        for (size_t i = 0; i < text.size(); ++i) {
          auto index = static_cast<uint32_t>(text[i]);
          bool is_first = !result.occurs[index];
          result.occurs[index] = true;
          note(result.before, mixed_before, text[i], i > 0 ? text[i - 1] : kNobody, is_first);
          note(result.after, mixed_after, text[i], i + 1 < text.size() ? text[i + 1] : kNobody,
               is_first);
        }
      },
      [](Linear&) {});
  for (size_t i = 0; i < state.symbols.size(); ++i) {
    if (mixed_before[i]) result.before[i] = kNobody;
    if (mixed_after[i]) result.after[i] = kNobody;
  }
  return result;
}

// Two words that always stand together and whose lengths are only ever added become one.
bool merge_neighbours(const Domain& domain, State& state) {
  Neighbours around = neighbours(state);
  std::vector<bool> gone(state.symbols.size());
  bool any = false;
  for (size_t i = 0; i < state.symbols.size(); ++i) {
    SymbolId first{static_cast<uint32_t>(i)};
    if (!around.occurs[i] || gone[i]) continue;
    for (;;) {
      SymbolId second = around.after[i];
      if (second == kNobody || second == first) break;
      auto j = static_cast<uint32_t>(second);
      if (gone[j] || around.before[j] != first) break;
      bool same_factors = true;
      visit_state(
          state, [](Text&) {},
          [&](Linear& linear) {
            same_factors = same_factors && linear.factor(first) == linear.factor(second);
          });
      if (!same_factors) break;
      state[first].words = domain.words().concat(state[first].words, state[second].words);
      gone[j] = any = true;
      around.after[i] = around.after[j];
      if (around.after[i] == kNobody) continue;
      SymbolId& before = around.before[static_cast<uint32_t>(around.after[i])];
      if (before == second) before = first;
    }
  }
  if (!any) return false;
  auto is_gone = [&](SymbolId id) { return gone[static_cast<uint32_t>(id)]; };
  visit_state(
      state, [&](Text& text) { std::erase_if(text, is_gone); },
      [&](Linear& linear) {
        std::erase_if(linear.terms, [&](const Linear::Term& term) { return is_gone(term.first); });
      });
  return true;
}

void renumber(State& state) {
  std::vector<uint32_t> number(state.symbols.size(), ~uint32_t{0});
  std::vector<Symbol> kept;
  auto visit = [&](SymbolId id) {
    uint32_t& n = number[static_cast<uint32_t>(id)];
    if (n != ~uint32_t{0}) return;
    n = static_cast<uint32_t>(kept.size());
    kept.push_back(state[id]);
  };
  visit_state(
      state,
      [&](Text& text) {
        for (SymbolId id : text) visit(id);
      },
      [&](Linear& linear) {
        for (auto& term : linear.terms) visit(term.first);
      });
  auto renamed = [&](SymbolId id) { return SymbolId{number[static_cast<uint32_t>(id)]}; };
  visit_state(
      state,
      [&](Text& text) {
        for (SymbolId& id : text) id = renamed(id);
      },
      [&](Linear& linear) {
        for (auto& term : linear.terms) term.first = renamed(term.first);
        std::sort(linear.terms.begin(), linear.terms.end());
      });
  state.symbols = std::move(kept);
}

void append_shape(const Value& value, std::string& out) {
  struct Printer {
    std::string& out;
    void operator()(Unbound) const { out += '_'; }
    void operator()(NoneValue) const { out += 'N'; }
    void operator()(Unknown) const { out += '?'; }
    void operator()(bool b) const { out += b ? 'T' : 'F'; }
    void operator()(const Linear& linear) const {
      out += 'i';
      out += std::to_string(linear.constant);
      for (auto [id, factor] : linear.terms) {
        out += factor == 1 ? '+' : '*';
        if (factor != 1) (out += std::to_string(factor)) += '.';
        out += std::to_string(static_cast<uint32_t>(id));
      }
    }
    void operator()(const Text& text) const {
      out += 't';
      for (SymbolId id : text) (out += std::to_string(static_cast<uint32_t>(id))) += ',';
    }
    void operator()(const Sequence& sequence) const {
      out += '(';
      for (const Value& item : sequence.items) append_shape(item, out);
      out += sequence.is_list ? ']' : ')';
    }
    void operator()(const SplitList& split) const {
      (*this)(split.subject);
      out += '/';
      for (Letter letter : split.separator) (out += std::to_string(letter)) += '.';
    }
  };
  std::visit(Printer{out}, value.data);
  out += ';';
}

bool is_subset(const Domain& domain, Words part, Words whole) {
  return part == whole || domain.words().is_empty(domain.words().minus(part, whole));
}

// The union of two states of the same shape, symbol by symbol.
void join_symbols(const Domain& domain, State& into, const State& other) {
  for (size_t i = 0; i < into.symbols.size(); ++i) {
    Symbol& symbol = into.symbols[i];
    const Symbol& more = other.symbols[i];
    if (symbol.kind == Symbol::Kind::kWord) {
      symbol.words = domain.words().unite(symbol.words, more.words);
    } else {
      symbol.range = {std::min(symbol.range.low, more.range.low),
                      std::max(symbol.range.high, more.range.high)};
    }
  }
}

// Each inequality of either state, weakened until both satisfy it.
std::vector<Linear> join_constraints(const Domain& domain, const State& a, const State& b) {
  std::vector<Linear> result;
  auto least = [&](const State& state, const Linear& form) {
    std::vector<Linear> system = state.constraints;
    for (const Symbol& symbol : state.symbols) {
      SymbolId id{static_cast<uint32_t>(&symbol - state.symbols.data())};
      Range bounds = domain.range(state, Linear::of(id));
      if (bounds.low > -kUnlimited) system.push_back(Linear::of(id) - bounds.low);
      if (bounds.high < kUnlimited) system.push_back(Linear(bounds.high) - Linear::of(id));
    }
    return lower_bound(form, std::move(system));
  };
  auto add = [&](const State& from, const State& other) {
    for (const Linear& constraint : from.constraints) {
      Linear form = constraint;
      form.constant = 0;
      int64_t bound = std::min(-constraint.constant, least(other, form));
      if (bound <= -kUnlimited) continue;
      Linear weaker = form - bound;
      if (std::find(result.begin(), result.end(), weaker) == result.end())
        result.push_back(std::move(weaker));
    }
  };
  add(a, b);
  add(b, a);
  std::sort(result.begin(), result.end(), [](const Linear& x, const Linear& y) {
    return std::tie(x.terms, x.constant) < std::tie(y.terms, y.constant);
  });
  return result;
}

void join_into(const Domain& domain, State& into, const State& other) {
  std::vector<Linear> constraints;
  if (!into.constraints.empty() || !other.constraints.empty())
    constraints = join_constraints(domain, into, other);
  join_symbols(domain, into, other);
  into.constraints = std::move(constraints);
}

// Joins if the union is exactly the two states: they differ in the language of one symbol at most.
bool join_exactly(const Domain& domain, State& into, const State& other) {
  if (covers(domain, into, other)) return true;
  if (covers(domain, other, into)) {
    into = other;
    return true;
  }
  if (into.constraints != other.constraints) return false;
  size_t different = 0;
  for (size_t i = 0; i < into.symbols.size(); ++i) {
    const Symbol& a = into.symbols[i];
    const Symbol& b = other.symbols[i];
    if (a.kind == Symbol::Kind::kWord) {
      different += a.words != b.words ? 1 : 0;
    } else if (!(a.range == b.range)) {
      bool touch = std::max(a.range.low, b.range.low) <= std::min(a.range.high, b.range.high) + 1;
      different += touch ? 1 : 2;
    }
  }
  if (different > 1) return false;
  join_symbols(domain, into, other);
  return true;
}

}  // namespace

void compact(const Domain& domain, State& state) {
  resolve_all(state);
  drop_empty_words(domain, state);
  drop_idle_constraints(domain, state);
  merge_neighbours(domain, state);
  renumber(state);
}

std::string shape(const State& state) {
  std::string out;
  for (const auto* values : {&state.inputs, &state.slots, &state.stack}) {
    for (const Value& value : *values) append_shape(value, out);
    out += '|';
  }
  for (const Pin& pin : state.pins) {
    out += fmt::format("p{}", static_cast<uint32_t>(pin.automaton));
    append_shape(Value{pin.text}, out);
  }
  return out;
}

bool covers(const Domain& domain, const State& whole, const State& part) {
  for (size_t i = 0; i < whole.symbols.size(); ++i) {
    const Symbol& a = whole.symbols[i];
    const Symbol& b = part.symbols[i];
    if (a.kind == Symbol::Kind::kWord) {
      if (!is_subset(domain, b.words, a.words)) return false;
    } else if (b.range.low < a.range.low || b.range.high > a.range.high) {
      return false;
    }
  }
  return std::all_of(whole.constraints.begin(), whole.constraints.end(),
                     [&](const Linear& constraint) { return domain.entails(part, constraint); });
}

void reduce(const Domain& domain, States& states, size_t limit) {
  if (states.size() < 2) return;
  std::map<std::string, States> groups;
  for (State& state : states) {
    compact(domain, state);
    States& group = groups[shape(state)];
    bool is_joined = false;
    for (State& known : group) {
      if ((is_joined = join_exactly(domain, known, state))) break;
    }
    if (!is_joined) group.push_back(std::move(state));
  }
  size_t count = 0;
  for (auto& [key, group] : groups) count += group.size();
  states.clear();
  for (auto& [key, group] : groups) {
    if (count > limit) {
      for (size_t i = 1; i < group.size(); ++i) join_into(domain, group[0], group[i]);
      group.resize(1);
    }
    for (State& state : group) states.push_back(std::move(state));
  }
}

// ---- loop heads

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

// An integer that the loop moves and that is no position becomes a number with bounds, unless it is
// a small constant, a constant of the program, or close to a sum of lengths.
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
    bool is_position =
        is_near &&
        std::all_of(number.terms.begin(), number.terms.end(), [&](const Linear::Term& term) {
          return term.second == 1 && state[term.first].kind == Symbol::Kind::kWord;
        });
    if (!number.is_constant() && is_position) continue;
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

// Cuts the texts that `slot` may index at its value, and spells the value as the length before it.
States place_index(const Domain& domain, State state, size_t slot, const LoopHead& head) {
  const auto* value = state.slots[slot].as<Linear>();
  if (value == nullptr) return {std::move(state)};
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
