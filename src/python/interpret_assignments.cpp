// Assignment and unpacking.
#include <algorithm>
#include <fmt/core.h>

#include "python/interpreter.h"

namespace nacre::python {

// map() and generators are used up by what reads them first; only lists can be kept.
bool Interpreter::is_iterator(ExprId expr) const {
  if (const auto* generator = tree_.get<ComprehensionExpr>(expr))
    return generator->kind == ComprehensionKind::kGenerator;
  const auto* call = tree_.get<Call>(expr);
  const auto* name = call != nullptr ? tree_.get<Name>(call->function) : nullptr;
  return name != nullptr && name->id == "map";
}

void Interpreter::execute_assign(const Assign& stmt, State state, Flow& flow) {
  for (Evaluated& value : evaluate(stmt.value, std::move(state))) {
    if (is_iterator(stmt.value) && tree_.get<Name>(stmt.targets[0]) != nullptr)
      value.value = unknown(tree_[stmt.value].span, "an iterator that is kept");
    const Value kept = value.value;
    States open;
    open.push_back(std::move(value.state));
    for (ExprId target : stmt.targets) {
      States next;
      for (State& one : open) append(next, assign_one(target, std::move(one), kept));
      open.swap(next);
    }
    append(flow.next, std::move(open));
  }
}

void Interpreter::execute_augmented(const AugAssign& stmt, Span span, State state, Flow& flow) {
  Evaluations values;
  evaluate_all(
      {stmt.target, stmt.value}, std::move(state), [&](State after, const Arguments& operands) {
        // A list is changed where it is; other values are replaced.
        const auto* ref = operands[0].as<Ref>();
        const bool is_list = ref != nullptr && stmt.op == BinaryOp::kAdd &&
                             type_of(after, operands[0]).kind == Type::Kind::kList;
        if (!is_list)
          return binary(stmt.op, span, std::move(after), operands[0], operands[1], values);
        Evaluations done;
        list_method("extend", span, std::move(after), ref->cell, {operands[1]}, false, done);
        for (Evaluated& one : done) values.push_back({std::move(one.state), operands[0]});
      });
  append(flow.next, assign(stmt.target, std::move(values)));
}

void Interpreter::execute_annotated(const AnnAssign& stmt, State state, Flow& flow) {
  if (!stmt.value) return flow.next.push_back(std::move(state));
  Type type = program_.type(stmt.annotation);
  for (Evaluated& value : evaluate(*stmt.value, std::move(state))) {
    const Value kept = value.value;
    for (State& checked : check_type(std::move(value.state), kept, type, FailureKind::kVariable,
                                     tree_[*stmt.value].span, stmt.value))
      append(flow.next, assign_one(stmt.target, std::move(checked), kept));
  }
}

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
    if (types_ != nullptr) record(target, state, value, true);
    auto slot = frame_.function->scope->slot(name->id);
    if (slot)
      state.slots[frame_.base + *slot] = value;
    else if (std::optional<size_t> outer = slot_of(name->id))
      state.slots[*outer] = value;
    out.push_back(std::move(state));
    return out;
  }
  const Span span = tree_[target].span;
  if (const auto* star = tree_.get<Starred>(target))
    return assign_one(star->value, std::move(state), value);
  if (const auto* attribute = tree_.get<Attribute>(target)) {
    const size_t base = state.stack.size();
    state.stack.push_back(value);
    for (Evaluated& object : evaluate(attribute->value, std::move(state))) {
      const Value kept = object.state.stack[base];
      object.state.stack.resize(base);
      set_attribute(std::move(object.state), object.value, attribute->name, kept, span, out);
    }
    return out;
  }
  if (const auto* subscript = tree_.get<Subscript>(target);
      subscript != nullptr && tree_.get<Slice>(subscript->index) == nullptr) {
    const size_t base = state.stack.size();
    state.stack.push_back(value);
    evaluate_all({subscript->value, subscript->index}, std::move(state),
                 [&](State here, const Arguments& values) {
                   const Value kept = here.stack[base];
                   here.stack.resize(base);
                   store_item(std::move(here), values[0], values[1], kept, span, out);
                 });
    return out;
  }
  if (const auto* tuple = tree_.get<TupleExpr>(target))
    return unpack(tuple->items, span, std::move(state), value);
  if (const auto* list = tree_.get<ListExpr>(target))
    return unpack(list->items, span, std::move(state), value);
  unknown(span, "an assignment to a part of a value");
  out.push_back(std::move(state));
  return out;
}

States Interpreter::unpack(const Exprs& targets, Span span, State state, const Value& given) {
  const Value value = state.deref(given);
  if (const auto* kept = value.as<Typed>()) {
    std::optional<Type> item = item_type(state, value);
    const bool has_star = std::any_of(targets.begin(), targets.end(), [&](ExprId target) {
      return tree_.get<Starred>(target) != nullptr;
    });
    if (!item || has_star) return unpack_unknown(targets, span, std::move(state), {Unknown{}});
    doubt(state, value, "ValueError", span,
          fmt::format("the {} has {} items", type_name(*kept->type), targets.size()));
    States out;
    for (Made& made :
         instantiate_all(std::move(state), std::vector<Type>(targets.size(), *item), false, 1))
      append(out, assign_each(targets, std::move(made.state), made.value.as<Sequence>()->items));
    return out;
  }
  auto star = std::find_if(targets.begin(), targets.end(),
                           [&](ExprId target) { return tree_.get<Starred>(target) != nullptr; });
  if (star != targets.end())
    return unpack_starred(targets, static_cast<size_t>(star - targets.begin()), span,
                          std::move(state), value);
  States out;
  auto wrong = [&](State bad) {
    raise(std::move(bad), "ValueError", fmt::format("expected {} values to unpack", targets.size()),
          span);
  };
  States whole;
  if (const auto* text = value.as<Text>()) {
    // All lengths but one at once.
    Linear difference = domain_.length(state, *text) - static_cast<int64_t>(targets.size());
    Split size = domain_.equals_zero(std::move(state), difference);
    for (State& bad : size.no) wrong(std::move(bad));
    whole = std::move(size.yes);
  } else {
    whole.push_back(std::move(state));
  }
  States more;
  for (State& one : whole) {
    if (!is_iterable(value)) return unpack_unknown(targets, span, std::move(one), value);
    items_of(
        std::move(one), value, targets.size(),
        [&](State here, const std::vector<Value>& items) {
          if (items.size() != targets.size()) return wrong(std::move(here));
          append(out, assign_each(targets, std::move(here), items));
        },
        more);
  }
  for (State& bad : more) wrong(std::move(bad));
  return out;
}

States Interpreter::assign_each(const Exprs& targets, State state,
                                const std::vector<Value>& items) {
  States open;
  open.push_back(std::move(state));
  for (size_t i = 0; i < targets.size(); ++i) {
    const auto* starred = tree_.get<Starred>(targets[i]);
    ExprId target = starred != nullptr ? starred->value : targets[i];
    States next;
    for (State& one : open) append(next, assign_one(target, std::move(one), items[i]));
    open.swap(next);
  }
  return open;
}

// A value that cannot be unpacked, or of which nothing is known.
States Interpreter::unpack_unknown(const Exprs& targets, Span span, State state,
                                   const Value& value) {
  if (value.as<Unknown>() == nullptr) {
    raise(std::move(state), "TypeError", "cannot unpack a " + type_name(value), span);
    return {};
  }
  unknown(span, "unpacking an unknown value");
  return assign_each(targets, std::move(state),
                     std::vector<Value>(targets.size(), Value{Unknown{}}));
}

// `first, *rest = value`. With names after the star all items are needed one by one; without, what
// is left stays whole.
States Interpreter::unpack_starred(const Exprs& targets, size_t star, Span span, State state,
                                   const Value& value) {
  States out;
  if (!is_iterable(value)) return unpack_unknown(targets, span, std::move(state), value);
  const size_t behind = targets.size() - star - 1;
  auto few = [&](State bad) {
    raise(std::move(bad), "ValueError",
          fmt::format("expected at least {} values to unpack", targets.size() - 1), span);
  };
  auto give = [&](State here, const std::vector<Value>& items) {
    if (items.size() + 1 < targets.size()) return few(std::move(here));
    auto at = [&](size_t i) { return items.begin() + static_cast<std::ptrdiff_t>(i); };
    std::vector<Value> values(at(0), at(star));
    values.push_back({Sequence{{at(star), at(items.size() - behind)}, true}});
    values.insert(values.end(), at(items.size() - behind), items.end());
    append(out, assign_each(targets, std::move(here), values));
  };
  if (const Text* letters = letters_of(value)) {
    Linear room = domain_.length(state, *letters) - static_cast<int64_t>(targets.size() - 1);
    Split size = domain_.compare(std::move(state), room);
    for (State& bad : size.no) few(std::move(bad));
    for (State& good : size.yes)
      append(out, unpack_letters(targets, star, std::move(good), *letters));
    return out;
  }
  const auto* split = value.as<SplitList>();
  if (behind == 0 && split != nullptr) {
    take(std::move(state), *split, star, [&](State here, std::vector<Value> items, Value rest) {
      if (items.size() < star) return few(std::move(here));
      items.push_back(std::move(rest));
      append(out, assign_each(targets, std::move(here), items));
    });
    return out;
  }
  States more;
  items_of(std::move(state), value, most_items(), give, more);
  for (State& many : more) {
    unknown(span, "unpacking too many values");
    append(out, assign_each(targets, std::move(many),
                            std::vector<Value>(targets.size(), Value{Unknown{}})));
  }
  return out;
}

// The letters at both ends one by one, and those between them as a list. There are enough of them.
States Interpreter::unpack_letters(const Exprs& targets, size_t star, State state,
                                   const Text& text) {
  States out, none;
  const size_t behind = targets.size() - star - 1;
  for (Divided& front : domain_.cut(std::move(state), text, Linear(static_cast<int64_t>(star)))) {
    const Text first = front.before, rest = front.after;
    Linear end = domain_.length(front.state, rest) - static_cast<int64_t>(behind);
    for (Divided& back : domain_.cut(std::move(front.state), rest, end)) {
      const Text middle = back.before, last = back.after;
      auto add_last = [&](State here, std::vector<Value> values) {
        values.push_back({SplitList{middle, {}, true}});
        items_of(
            std::move(here), {last}, behind + 1,
            [&](State whole, const std::vector<Value>& items) {
              std::vector<Value> all = values;
              all.insert(all.end(), items.begin(), items.end());
              append(out, assign_each(targets, std::move(whole), all));
            },
            none);
      };
      items_of(std::move(back.state), {first}, star + 1, add_last, none);
    }
  }
  return out;
}

}  // namespace nacre::python
