#include "python/canonical.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <unordered_map>

namespace nacre::python {
namespace {

// The values that a value is made of, but for what references lead to.
template <typename AnyValue, typename Visit>
void visit_parts(AnyValue& value, const Visit& visit) {
  auto all = [&](auto& parts) {
    for (auto& part : parts) visit(part);
  };
  if (auto* sequence = std::get_if<Sequence>(&value.data)) all(sequence->items);
  if (auto* dict = std::get_if<Dict>(&value.data)) all(dict->keys), all(dict->values);
  if (auto* instance = std::get_if<Instance>(&value.data)) all(instance->fields);
  if (auto* callable = std::get_if<Callable>(&value.data)) all(callable->self);
  if (auto* match = std::get_if<MatchObject>(&value.data)) all(match->groups);
}

// Calls `text(Text&)` and `linear(Linear&)` for everything that a value is made of.
template <typename OnText, typename OnLinear>
void visit_value(Value& value, const OnText& text, const OnLinear& linear) {
  if (auto* letters = std::get_if<Text>(&value.data)) text(*letters);
  if (auto* number = std::get_if<Linear>(&value.data)) linear(*number);
  if (auto* split = std::get_if<SplitList>(&value.data)) text(split->subject);
  if (auto* match = std::get_if<MatchObject>(&value.data)) linear(match->start);
  visit_parts(value, [&](Value& part) { visit_value(part, text, linear); });
}

template <typename OnText, typename OnLinear>
void visit_state(State& state, const OnText& text, const OnLinear& linear) {
  for (auto* values : {&state.inputs, &state.slots, &state.stack}) {
    for (Value& value : *values) visit_value(value, text, linear);
  }
  for (Cell& cell : state.heap) visit_value(cell.value, text, linear);
  for (Pin& pin : state.pins) text(pin.text);
  for (Linear& constraint : state.constraints) linear(constraint);
}

// Keeps the cells that can be reached, numbered in the order in which they are.
void collect_heap(State& state) {
  if (state.heap.empty()) return;
  std::vector<uint32_t> number(state.heap.size(), ~uint32_t{0});
  std::vector<uint32_t> order;
  auto reach = [&](auto&& self, Value& value) -> void {
    if (auto* ref = std::get_if<Ref>(&value.data)) {
      uint32_t& n = number[ref->cell];
      if (n == ~uint32_t{0}) {
        n = static_cast<uint32_t>(order.size());
        order.push_back(ref->cell);
      }
      ref->cell = n;
    }
    visit_parts(value, [&](Value& part) { self(self, part); });
  };
  for (auto* values : {&state.inputs, &state.slots, &state.stack}) {
    for (Value& value : *values) reach(reach, value);
  }
  std::vector<Cell> kept;
  for (size_t i = 0; i < order.size(); ++i) {
    kept.push_back(std::move(state.heap[order[i]]));
    reach(reach, kept[i].value);
  }
  state.heap = std::move(kept);
}

// The types of a state in a fixed order; states of one shape have as many.
template <typename AnyState>
auto types_of(AnyState& state) {
  using Found = std::conditional_t<std::is_const_v<AnyState>, const Typed, Typed>;
  std::vector<Found*> out;
  auto look = [&](auto&& self, auto& value) -> void {
    if (auto* typed = std::get_if<Typed>(&value.data)) out.push_back(typed);
    visit_parts(value, [&](auto& part) { self(self, part); });
  };
  for (auto* values : {&state.inputs, &state.slots, &state.stack}) {
    for (auto& value : *values) look(look, value);
  }
  for (auto& cell : state.heap) look(look, cell.value);
  return out;
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
      out += sequence.is_set ? '}' : sequence.is_list ? ']' : ')';
    }
    void all(const std::vector<Value>& values) const {
      for (const Value& value : values) append_shape(value, out);
    }
    void operator()(const Dict& dict) const {
      out += '{';
      all(dict.keys);
      out += ':';
      all(dict.values);
    }
    void operator()(const Typed& typed) const {
      out += 'y';
      out += std::to_string(static_cast<int>(typed.type->kind));
    }
    void operator()(Ref ref) const { (out += 'r') += std::to_string(ref.cell); }
    void operator()(const Instance& instance) const {
      (out += 'o') += std::to_string(instance.cls);
      all(instance.fields);
    }
    void operator()(EnumMember member) const {
      out += fmt::format("e{}.{}", member.cls, member.index);
    }
    void operator()(ClassObject object) const { (out += 'c') += std::to_string(object.cls); }
    void operator()(const Callable& callable) const {
      out += fmt::format("f{}{}", callable.function, callable.library);
      all(callable.self);
    }
    void operator()(const MatchObject& match) const {
      out += fmt::format("m{}", static_cast<uint32_t>(match.pattern));
      (*this)(match.start);
      all(match.groups);
    }
    void operator()(const SplitList& split) const {
      (*this)(split.subject);
      out += split.is_letters ? '|' : '/';
      for (Letter letter : split.separator) (out += std::to_string(letter)) += '.';
    }
  };
  std::visit(Printer{out}, value.data);
  out += ';';
}

void append_shape(const Recipe& recipe, std::string& out) {
  out += fmt::format("R{}.{}(", static_cast<int32_t>(recipe.cls), recipe.input);
  for (const Recipe& argument : recipe.arguments) append_shape(argument, out);
  out += ')';
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
  std::vector<Typed*> mine = types_of(into);
  std::vector<const Typed*> others = types_of(other);
  for (size_t i = 0; i < mine.size(); ++i) {
    mine[i]->is_filled = mine[i]->is_filled && others[i]->is_filled;
    mine[i]->is_given = mine[i]->is_given && others[i]->is_given;
    if (mine[i]->type == others[i]->type || *mine[i]->type == *others[i]->type) continue;
    mine[i]->type =
        std::make_shared<const Type>(join(domain.words(), *mine[i]->type, *others[i]->type));
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

// Joins if the union is exactly the two states: they differ in the language of one symbol at most.
bool join_exactly(const Domain& domain, State& into, const State& other) {
  if (covers(domain, into, other)) return true;
  if (covers(domain, other, into)) {
    into = other;
    return true;
  }
  if (into.constraints != other.constraints) return false;
  size_t different = 0;
  std::vector<Typed*> mine = types_of(into);
  std::vector<const Typed*> others = types_of(other);
  for (size_t i = 0; i < mine.size(); ++i) different += *mine[i] == *others[i] ? 0 : 2;
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

void join_into(const Domain& domain, State& into, const State& other) {
  std::vector<Linear> constraints;
  if (!into.constraints.empty() || !other.constraints.empty())
    constraints = join_constraints(domain, into, other);
  join_symbols(domain, into, other);
  into.constraints = std::move(constraints);
}

void compact(const Domain& domain, State& state) {
  collect_heap(state);
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
  for (const Cell& cell : state.heap) append_shape(cell.value, out);
  for (const Recipe& recipe : state.recipes) append_shape(recipe, out);
  for (const Pin& pin : state.pins) {
    out += fmt::format("p{}", static_cast<uint32_t>(pin.automaton));
    append_shape(Value{pin.text}, out);
  }
  return out;
}

void widen_types(const Domain& domain, const State& old, State& grown, int round) {
  std::vector<const Typed*> before = types_of(old);
  std::vector<Typed*> after = types_of(grown);
  for (size_t i = 0; i < after.size(); ++i) {
    if (*before[i]->type == *after[i]->type) continue;
    after[i]->type = std::make_shared<const Type>(
        widen(domain.words(), *before[i]->type, *after[i]->type, round));
  }
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
  std::vector<const Typed*> more = types_of(whole), less = types_of(part);
  for (size_t i = 0; i < more.size(); ++i) {
    if (more[i]->is_filled && !less[i]->is_filled) return false;
    if (more[i]->is_given && !less[i]->is_given) return false;
    auto same_class = [](uint32_t a, uint32_t b) { return a == b; };
    if (more[i]->type != less[i]->type &&
        !is_within(domain.words(), *less[i]->type, *more[i]->type, same_class))
      return false;
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

}  // namespace nacre::python
