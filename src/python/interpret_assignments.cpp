// Assignment and unpacking.
#include <algorithm>
#include <fmt/core.h>

#include "python/interpreter.h"

namespace nacre::python {

States Interpreter::assign(ExprId target, Evaluations values) {
  States out;
  for (Evaluated& value : values) {
    Value kept = std::move(value.value);
    append(out, assign_one(target, std::move(value.state), kept));
  }
  return out;
}

States Interpreter::assign_one(ExprId target, State state, const Value& value) {
  States out;
  if (const auto* name = tree_.get<Name>(target)) {
    auto slot = frame_.function->scope->slot(name->id);
    if (slot) state.slots[frame_.base + *slot] = value;
    out.push_back(std::move(state));
    return out;
  }
  const Span span = tree_[target].span;
  if (const auto* tuple = tree_.get<TupleExpr>(target))
    return unpack(tuple->items, span, std::move(state), value);
  if (const auto* list = tree_.get<ListExpr>(target))
    return unpack(list->items, span, std::move(state), value);
  unknown(span, "an assignment to a part of a value");
  out.push_back(std::move(state));
  return out;
}

States Interpreter::unpack(const Exprs& targets, Span span, State state, const Value& value) {
  States out;
  const auto wanted = static_cast<int64_t>(targets.size());
  bool has_star = std::any_of(targets.begin(), targets.end(),
                              [&](ExprId target) { return tree_.get<Starred>(target) != nullptr; });
  auto wrong = [&](State bad) {
    raise(std::move(bad), "ValueError", fmt::format("expected {} values to unpack", wanted), span);
  };
  auto give = [&](State good, const std::vector<Value>& items) {
    States open;
    open.push_back(std::move(good));
    for (size_t i = 0; i < targets.size(); ++i) {
      States next;
      for (State& one : open) append(next, assign_one(targets[i], std::move(one), items[i]));
      open.swap(next);
    }
    append(out, std::move(open));
  };
  auto forget = [&](State any) {
    for (ExprId target : targets) {
      const auto* starred = tree_.get<Starred>(target);
      States one =
          assign_one(starred != nullptr ? starred->value : target, std::move(any), {Unknown{}});
      any = std::move(one[0]);
    }
    out.push_back(std::move(any));
  };
  if (has_star) {
    unknown(span, "unpacking with a star");
    forget(std::move(state));
  } else if (const auto* sequence = value.as<Sequence>()) {
    if (sequence->items.size() != targets.size())
      wrong(std::move(state));
    else
      give(std::move(state), sequence->items);
  } else if (const auto* text = value.as<Text>()) {
    Linear difference = domain_.length(state, *text) - wanted;
    Split size = domain_.equals_zero(std::move(state), difference);
    for (State& bad : size.no) wrong(std::move(bad));
    for (State& good : size.yes) {
      std::function<void(State, Text, std::vector<Value>)> letters = [&](State here, Text rest,
                                                                         std::vector<Value> items) {
        if (items.size() + 1 == targets.size()) {
          items.push_back({std::move(rest)});
          return give(std::move(here), items);
        }
        for (Divided& cut : domain_.cut(std::move(here), rest, Linear(1))) {
          std::vector<Value> more = items;
          more.push_back({cut.before});
          letters(std::move(cut.state), cut.after, std::move(more));
        }
      };
      letters(std::move(good), *text, {});
    }
  } else if (const auto* split = value.as<SplitList>()) {
    States more;
    expand(
        std::move(state), *split, targets.size(),
        [&](State here, const std::vector<Text>& items) {
          if (items.size() != targets.size()) return wrong(std::move(here));
          std::vector<Value> values;
          for (const Text& item : items) values.push_back({item});
          give(std::move(here), values);
        },
        more);
    for (State& bad : more) wrong(std::move(bad));
  } else if (value.as<Unknown>() != nullptr) {
    unknown(span, "unpacking an unknown value");
    forget(std::move(state));
  } else {
    raise(std::move(state), "TypeError", "cannot unpack this value", span);
  }
  return out;
}

}  // namespace nacre::python
