// Indices and slices, as Python has them: negative ones count from the end, slices never raise.
#include <algorithm>

#include "python/interpreter.h"

namespace nacre::python {

Evaluations Interpreter::evaluate_subscript(const Subscript& subscript, Span span, State state) {
  if (const auto* slice = tree_.get<Slice>(subscript.index))
    return evaluate_slice(subscript, *slice, span, std::move(state));
  Evaluations out;
  evaluate_all({subscript.value, subscript.index}, std::move(state),
               [&](State after, Arguments values) {
                 index(span, std::move(after), values[0], values[1], out);
               });
  return out;
}

void Interpreter::index(Span span, State state, const Value& given, const Value& at,
                        Evaluations& out) {
  Value value = state.deref(given);
  if (const auto* match = value.as<MatchObject>()) {
    Actuals actuals;
    actuals.positional = {at};
    const MatchObject kept = *match;
    return match_method("__getitem__", span, std::move(state), kept, actuals, out);
  }
  if (value.as<Dict>() != nullptr) {
    return look_up(
        std::move(state), value, at, span,
        [&](State here, Value found) {
          out.push_back({std::move(here), std::move(found)});
        },
        [&](State here) { raise(std::move(here), "KeyError", "the key is not there", span); });
  }
  if (const auto* kept = value.as<Typed>();
      kept != nullptr && (kept->type->is_container() || kept->type->kind == Type::Kind::kTupleOf)) {
    const Typed copy = *kept;
    return index_typed(span, std::move(state), copy, at, out);
  }
  if (const auto* instance = value.as<Instance>();
      instance != nullptr &&
      program_.classes()[instance->cls].kind == ClassFacts::Kind::kNamedTuple)
    value = {Sequence{std::vector<Value>(instance->fields), false}};
  std::optional<Linear> number = as_number(at);
  if (const Text* text = letters_of(value); text != nullptr && number) {
    return index_text(span, std::move(state), *text, *number, out);
  }
  if (const auto* sequence = value.as<Sequence>(); sequence != nullptr && sequence->is_set)
    return raise(std::move(state), "TypeError", "a set has no subscripts", span);
  std::optional<int64_t> constant = as_constant(state, at);
  if (const auto* split = value.as<SplitList>(); split != nullptr && constant) {
    return index_split(span, std::move(state), *split, *constant, out);
  }
  if (const auto* sequence = value.as<Sequence>(); sequence != nullptr && number) {
    auto size = static_cast<int64_t>(sequence->items.size());
    for (int64_t i = -size; i < size; ++i) {
      State here = state;
      if (!domain_.assume_zero(here, *number - i)) continue;
      Value item = sequence->items[static_cast<size_t>(i < 0 ? i + size : i)];
      out.push_back({std::move(here), std::move(item)});
    }
    State beyond = state;
    if (domain_.assume(beyond, *number - size))
      raise(std::move(beyond), "IndexError", "list index out of range", span);
    Linear below(-size - 1);
    below.add(*number, -1);
    if (domain_.assume(state, below))
      raise(std::move(state), "IndexError", "list index out of range", span);
    return;
  }
  if (value.as<NoneValue>() != nullptr || value.as<Linear>() != nullptr ||
      value.as<bool>() != nullptr) {
    return raise(std::move(state), "TypeError", "a " + type_name(value) + " has no items", span);
  }
  out.push_back({std::move(state), unknown(span, "a subscript of a " + type_name(value))});
}

void Interpreter::index_text(Span span, State state, const Text& text, const Linear& at,
                             Evaluations& out) {
  auto from = [&](State here, const Linear& position) {
    Linear room = domain_.length(here, text) - here.linear(position) - 1;
    Split fits = domain_.compare(std::move(here), room);
    for (State& bad : fits.no)
      raise(std::move(bad), "IndexError", "string index out of range", span);
    for (State& good : fits.yes) {
      for (Divided& first : domain_.cut(std::move(good), text, position)) {
        Text rest = first.after;
        for (Divided& second : domain_.cut(std::move(first.state), rest, Linear(1))) {
          out.push_back({std::move(second.state), {std::move(second.before)}});
        }
      }
    }
  };
  Split sign = domain_.compare(std::move(state), at);
  for (State& positive : sign.yes) from(std::move(positive), at);
  for (State& negative : sign.no) {
    Linear position = domain_.length(negative, text) + negative.linear(at);
    Split reaches = domain_.compare(std::move(negative), position);
    for (State& bad : reaches.no)
      raise(std::move(bad), "IndexError", "string index out of range", span);
    for (State& good : reaches.yes) from(std::move(good), position);
  }
}

Evaluations Interpreter::evaluate_slice(const Subscript& subscript, const Slice& slice, Span span,
                                        State state) {
  Evaluations out;
  size_t base = state.stack.size();
  for (Evaluated& subject : evaluate(subscript.value, std::move(state))) {
    subject.state.stack.push_back(std::move(subject.value));
    for (Evaluated& low : evaluate_optional(slice.lower, std::move(subject.state))) {
      low.state.stack.push_back(std::move(low.value));
      for (Evaluated& high : evaluate_optional(slice.upper, std::move(low.state))) {
        high.state.stack.push_back(std::move(high.value));
        for (Evaluated& step : evaluate_optional(slice.step, std::move(high.state))) {
          State& here = step.state;
          Value subject_value = std::move(here.stack[base]);
          Bounds bounds{std::move(here.stack[base + 1]), std::move(here.stack[base + 2]),
                        std::move(step.value)};
          here.stack.resize(base);
          slice_value(span, std::move(here), subject_value, bounds, out);
        }
      }
    }
  }
  return out;
}

void Interpreter::slice_value(Span span, State state, const Value& given, const Bounds& bounds,
                              Evaluations& out) {
  const Value value = state.deref(given);
  if (const auto* kept = value.as<Typed>();
      kept != nullptr && (kept->type->kind == Type::Kind::kList ||
                          kept->type->kind == Type::Kind::kTupleOf || is_sequence(*kept->type))) {
    Value part = new_list(state, typed(*kept->type, false, kept->is_given));
    return out.push_back({std::move(state), std::move(part)});
  }
  const Text* text = letters_of(value);
  std::optional<int64_t> step =
      bounds.step.as<NoneValue>() != nullptr ? 1 : as_constant(state, bounds.step);
  if (step == 0) return raise(std::move(state), "ValueError", "slice step cannot be zero", span);
  if (text != nullptr && step) {
    Evaluations pieces;
    if (*step == 1)
      slice_text(std::move(state), *text, bounds.low, bounds.high, pieces);
    else if (*step == -1)
      slice_backwards(std::move(state), *text, bounds.low, bounds.high, pieces);
    else
      slice_letters(std::move(state), *text, pieces);
    for (Evaluated& piece : pieces) {
      if (value.as<SplitList>() != nullptr)
        piece.value = {SplitList{*piece.value.as<Text>(), {}, true}};
      out.push_back(std::move(piece));
    }
    return;
  }
  if ((value.as<Sequence>() == nullptr && value.as<SplitList>() == nullptr) || step != 1)
    return out.push_back({std::move(state), unknown(span, "this slice")});
  // What is after a number of items stays a list, however long it is.
  std::optional<int64_t> low =
      bounds.low.as<NoneValue>() != nullptr ? 0 : as_constant(state, bounds.low);
  const auto* split = value.as<SplitList>();
  if (split != nullptr && bounds.high.as<NoneValue>() != nullptr && low && *low >= 0 &&
      *low <= static_cast<int64_t>(most_items())) {
    return take(std::move(state), *split, static_cast<size_t>(*low),
                [&](State here, const std::vector<Value>&, Value rest) {
                  out.push_back({std::move(here), std::move(rest)});
                });
  }
  // So does what is before one: the rest is not looked at.
  std::optional<int64_t> high = as_constant(state, bounds.high);
  if (split != nullptr && low && high && *low >= 0 && *high >= *low &&
      *high <= static_cast<int64_t>(most_items())) {
    return take(std::move(state), *split, static_cast<size_t>(*high),
                [&](State here, std::vector<Value> items, const Value&) {
                  const size_t skipped = std::min(static_cast<size_t>(*low), items.size());
                  items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(skipped));
                  Value part = new_list(here, {Sequence{std::move(items), true}});
                  out.push_back({std::move(here), std::move(part)});
                });
  }
  States more;
  items_of(
      std::move(state), value, most_items(),
      [&](State here, const std::vector<Value>& items) {
        const auto* sequence = value.as<Sequence>();
        slice_items(span, std::move(here), {items, sequence == nullptr || sequence->is_list},
                    bounds, out);
      },
      more);
  for (State& many : more) out.push_back({std::move(many), unknown(span, "this slice of a list")});
}

void Interpreter::slice_items(Span span, State state, const Sequence& list, const Bounds& bounds,
                              Evaluations& out) {
  auto size = static_cast<int64_t>(list.items.size());
  auto bound = [&](const Value& value, int64_t missing) -> std::optional<int64_t> {
    if (value.as<NoneValue>() != nullptr) return missing;
    std::optional<int64_t> at = as_constant(state, value);
    if (at && *at < 0) *at += size;
    return at ? std::optional(std::clamp<int64_t>(*at, 0, size)) : std::nullopt;
  };
  std::optional<int64_t> first = bound(bounds.low, 0), last = bound(bounds.high, size);
  if (!first || !last) return out.push_back({std::move(state), unknown(span, "a slice of a list")});
  Sequence part{{}, list.is_list};
  for (int64_t i = *first; i < *last; ++i) part.items.push_back(list.items[static_cast<size_t>(i)]);
  out.push_back({std::move(state), {std::move(part)}});
}

// With another step: some of the letters, in some order.
void Interpreter::slice_letters(State state, const Text& text, Evaluations& out) {
  SymbolId word = state.add_word(domain_.words().over_letters_of(domain_.language(state, text)));
  Linear room = domain_.length(state, text) - Linear::of(word);
  if (domain_.assume(state, room)) out.push_back({std::move(state), {Text{word}}});
}

// Python never raises here: positions count from the end if negative and stop at both ends. With
// `offset` 1 it is the position after the one that is meant.
std::vector<std::pair<State, Linear>> Interpreter::clamp(State state, const Linear& at,
                                                         const Linear& length, int64_t offset) {
  std::vector<std::pair<State, Linear>> out;
  Split sign = domain_.compare(std::move(state), at);
  for (State& positive : sign.yes) {
    Linear room = positive.linear(length - at - offset);
    Split fits = domain_.compare(std::move(positive), room);
    for (State& inside : fits.yes) out.emplace_back(std::move(inside), at + offset);
    for (State& beyond : fits.no) out.emplace_back(std::move(beyond), length);
  }
  for (State& negative : sign.no) {
    Linear position = negative.linear(length + at + offset);
    Split reaches = domain_.compare(std::move(negative), position);
    for (State& inside : reaches.yes) out.emplace_back(std::move(inside), position);
    for (State& before : reaches.no) out.emplace_back(std::move(before), Linear());
  }
  return out;
}

void Interpreter::slice_text(State state, const Text& text, const Value& low, const Value& high,
                             Evaluations& out) {
  slice_between(std::move(state), text, low, high, 0, out);
}

// s[i:j:-1] is s[j+1:i+1] backwards.
void Interpreter::slice_backwards(State state, const Text& text, const Value& low,
                                  const Value& high, Evaluations& out) {
  Evaluations pieces;
  slice_between(std::move(state), text, high, low, 1, pieces);
  for (Evaluated& piece : pieces) {
    Text backwards = reversed(piece.state, *piece.value.as<Text>());
    out.push_back({std::move(piece.state), {std::move(backwards)}});
  }
}

void Interpreter::slice_between(State state, const Text& text, const Value& low, const Value& high,
                                int64_t offset, Evaluations& out) {
  Linear length = domain_.length(state, text);
  std::optional<Linear> first = as_number(low), last = as_number(high);
  if ((!first && low.as<NoneValue>() == nullptr) || (!last && high.as<NoneValue>() == nullptr)) {
    unknown(frame_.function->definition->name_span, "a slice with bounds that are not integers");
    Text any = any_text(state);
    return out.push_back({std::move(state), {std::move(any)}});
  }
  auto place = [&](State here, const std::optional<Linear>& at, const Linear& otherwise) {
    if (at) return clamp(std::move(here), *at, length, offset);
    std::vector<std::pair<State, Linear>> whole;
    whole.emplace_back(std::move(here), otherwise);
    return whole;
  };
  for (auto& [from_state, from] : place(std::move(state), first, Linear())) {
    for (auto& [to_state, to] : place(std::move(from_state), last, length)) {
      Split order = domain_.compare(std::move(to_state), to - from);
      for (State& empty : order.no) out.push_back({std::move(empty), {Text{}}});
      for (State& good : order.yes) {
        for (Divided& end : domain_.cut(std::move(good), text, to)) {
          Text head = end.before;
          for (Divided& begin : domain_.cut(std::move(end.state), head, from)) {
            out.push_back({std::move(begin.state), {std::move(begin.after)}});
          }
        }
      }
    }
  }
}

Text Interpreter::reversed(State& state, const Text& stale) {
  Text text = state.text(stale);
  Text out;
  for (size_t i = text.size(); i-- > 0;) {
    SymbolId id = text[i];
    Words words = state[id].words;
    if (domain_.words()[words].max_length <= 1) {
      out.push_back(id);
      continue;
    }
    SymbolId mirrored = state.add_word(domain_.words().reverse(words));
    Linear difference = Linear::of(mirrored) - Linear::of(id);
    Linear opposite;
    opposite.add(difference, -1);
    if (!domain_.range(state, difference).is_single()) {
      state.constraints.push_back(difference);
      state.constraints.push_back(opposite);
    }
    out.push_back(mirrored);
  }
  return out;
}

}  // namespace nacre::python
