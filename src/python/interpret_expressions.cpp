// Expressions: dispatch, names, literals.
#include <algorithm>
#include <set>

#include "python/interpreter.h"
#include "python/walk.h"

namespace nacre::python {
namespace {

constexpr size_t kMaxItems = 300;  // of a list or dictionary that is written out

// The value of a decimal, hexadecimal, octal or binary literal; nothing if it is huge.
std::optional<int64_t> literal_value(const std::string& digits) {
  int64_t base = 10;
  size_t begin = 0;
  if (digits.size() > 1 && digits[1] > '9') {
    base = digits[1] == 'x' ? 16 : digits[1] == 'o' ? 8 : 2;
    begin = 2;
  }
  int64_t value = 0;
  for (size_t i = begin; i < digits.size(); ++i) {
    value = value * base + (digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
    if (value >= kUnlimited) return std::nullopt;
  }
  return value;
}

}  // namespace

Evaluations Interpreter::evaluate(ExprId id, State state) {
  Evaluations out;
  if (!spend()) return out;
  if (depth_ > limits_.depth || state.symbols.size() > limits_.symbols) {
    outcome_.is_exhausted = true;
    return out;
  }
  ++depth_;
  steps_ += (state.symbols.size() + state.slots.size() + state.heap.size()) / 64;
  out = evaluate_here(id, std::move(state));
  if (types_ != nullptr) {
    for (const Evaluated& one : out) record(id, one.state, one.value, false);
  }
  steps_ += out.size() / 8;
  --depth_;
  return out;
}

// Functions that are checked on their own are not looked at again where they are called.
void Interpreter::record(ExprId expr, const State& state, const Value& value, bool is_assigned) {
  const FunctionFacts& facts = *frame_.function->facts;
  if (frame_.is_static || (frames_.size() > 1 && !facts.parent && !facts.is_lambda)) return;
  Recorded& known = (*types_)[expr];
  known.type = join(domain_.words(), known.type, type_of(state, value));
  known.is_assigned = known.is_assigned || is_assigned;
}

Evaluations Interpreter::evaluate_here(ExprId id, State state) {
  Evaluations out;
  const Expr& expr = tree_[id];
  const Span span = expr.span;
  if (const auto* name = std::get_if<Name>(&expr.node))
    return evaluate_name(*name, span, std::move(state));
  if (const auto* joined = std::get_if<JoinedStr>(&expr.node))
    return evaluate_fstring(*joined, std::move(state));
  if (const auto* op = std::get_if<BinaryOperation>(&expr.node))
    return evaluate_binary(*op, span, std::move(state));
  if (const auto* subscript = std::get_if<Subscript>(&expr.node))
    return evaluate_subscript(*subscript, span, std::move(state));
  if (const auto* call = std::get_if<Call>(&expr.node))
    return evaluate_call(id, *call, span, std::move(state));
  if (const auto* attribute = std::get_if<Attribute>(&expr.node))
    return evaluate_attribute(*attribute, span, std::move(state));
  if (const auto* given = std::get_if<Yield>(&expr.node))
    return evaluate_yield(given->value, span, std::move(state));
  if (const auto* dict = std::get_if<DictExpr>(&expr.node))
    return evaluate_dict(*dict, std::move(state));
  if (const auto* dict = std::get_if<DictComprehension>(&expr.node))
    return evaluate_general({dict->key, dict->value}, dict->generators, Type::Kind::kDict, span,
                            std::move(state));
  if (std::holds_alternative<Lambda>(expr.node)) {
    std::optional<uint32_t> lambda = program_.definitions().lambda(id);
    Value value = lambda ? Value{Callable{*lambda, {}, ""}} : unknown(span, "this lambda");
    out.push_back({std::move(state), std::move(value)});
    return out;
  }
  if (const auto* op = std::get_if<UnaryOperation>(&expr.node);
      op != nullptr && op->op != UnaryOp::kNot)
    return evaluate_unary(*op, span, std::move(state));
  if (std::holds_alternative<Compare>(expr.node) ||
      std::holds_alternative<UnaryOperation>(expr.node)) {
    Split split = test(id, std::move(state));
    for (State& yes : split.yes) out.push_back({std::move(yes), {true}});
    for (State& no : split.no) out.push_back({std::move(no), {false}});
    return out;
  }
  if (const auto* op = std::get_if<BoolOperation>(&expr.node))
    return evaluate_junction(*op, std::move(state));
  if (const auto* choice = std::get_if<IfExp>(&expr.node))
    return evaluate_choice(*choice, std::move(state));
  if (const auto* walrus = std::get_if<NamedExpr>(&expr.node)) {
    for (Evaluated& value : evaluate(walrus->value, std::move(state))) {
      Value kept = value.value;
      for (State& assigned : assign_one(walrus->target, std::move(value.state), kept))
        out.push_back({std::move(assigned), kept});
    }
    return out;
  }
  if (const auto* comprehension = std::get_if<ComprehensionExpr>(&expr.node)) {
    const size_t raised = raised_->size() + outcome_.failures.size();
    out = evaluate_comprehension(*comprehension, span, std::move(state));
    note_lazy(comprehension->kind == ComprehensionKind::kGenerator, id, raised);
    for (Evaluated& made : out) made.value = new_list(made.state, std::move(made.value));
    return out;
  }
  if (const auto* tuple = std::get_if<TupleExpr>(&expr.node))
    return evaluate_items(tuple->items, false, std::move(state));
  if (const auto* list = std::get_if<ListExpr>(&expr.node)) {
    out = evaluate_items(list->items, true, std::move(state));
    for (Evaluated& made : out) made.value = new_list(made.state, std::move(made.value));
    return out;
  }
  if (const auto* set = std::get_if<SetExpr>(&expr.node);
      set != nullptr && set->items.size() <= kMaxItems) {
    evaluate_all(set->items, std::move(state), [&](State after, Arguments values) {
      for (const Value& value : values) {
        if (is_unhashable(after, value, span)) return;
      }
      // Constants that are all different; other values could be fewer than they look.
      std::set<std::string> seen;
      bool is_plain = true;
      for (const Value& value : values) {
        const auto* text = value.as<Text>();
        std::optional<Word> word = text != nullptr ? domain_.constant(after, *text) : std::nullopt;
        is_plain = is_plain && word && seen.insert(program_.letters().text(*word)).second;
      }
      Value content{Sequence{std::move(values), true, true}};
      if (!is_plain && !domain_.is_concrete()) content = typed(type_of(after, content), true);
      Value made = after.allocate(std::move(content));
      out.push_back({std::move(after), std::move(made)});
    });
    return out;
  }
  Value value = literal(expr, state);
  out.push_back({std::move(state), std::move(value)});
  return out;
}

// What an iterator raises is raised when it is read: a real run that does not read it to its end
// there and then says nothing of it.
void Interpreter::note_lazy(bool is_iterator, ExprId id, size_t raised) {
  if (is_iterator && domain_.is_concrete() && raised_->size() + outcome_.failures.size() > raised &&
      !program_.definitions().is_consumed(id))
    unknown(tree_[id].span, "an exception inside an iterator");
}

Value Interpreter::literal(const Expr& expr, State& state) {
  if (const auto* text = std::get_if<StringLiteral>(&expr.node)) {
    if (text->is_exact) return {domain_.constant_text(state, program_.letters().word(text->value))};
    unknown(expr.span, "a character by name");
    return {any_text(state)};
  }
  if (const auto* number = std::get_if<IntLiteral>(&expr.node)) {
    std::optional<int64_t> value = literal_value(number->digits);
    return value ? Value{Linear(*value)}
                 : Value{Linear::of(state.add_number({kUnlimited, kUnlimited}))};
  }
  if (const auto* truth = std::get_if<BoolLiteral>(&expr.node)) return {truth->value};
  if (std::holds_alternative<NoneLiteral>(expr.node)) return {NoneValue{}};
  if (std::holds_alternative<FloatLiteral>(expr.node))
    return typed(type_of_kind(Type::Kind::kFloat));
  if (std::holds_alternative<BytesLiteral>(expr.node))
    return typed(type_of_kind(Type::Kind::kBytes));
  return unknown(expr.span, std::string(kind_name(expr)));
}

Evaluations Interpreter::evaluate_unary(const UnaryOperation& op, Span span, State state) {
  Evaluations out;
  for (Evaluated& operand : evaluate(op.operand, std::move(state))) {
    std::optional<Linear> number = as_number(operand.value);
    if (!number || op.op == UnaryOp::kInvert) {
      out.push_back({std::move(operand.state),
                     unknown(span, "this operator on a " + type_name(operand.value))});
      continue;
    }
    Linear result;
    result.add(*number, op.op == UnaryOp::kMinus ? -1 : 1);
    out.push_back({std::move(operand.state), {std::move(result)}});
  }
  return out;
}

// `a or b` is the last operand looked at, not its truth.
Evaluations Interpreter::evaluate_junction(const BoolOperation& op, State state) {
  Evaluations out;
  Evaluations open = evaluate(op.values[0], std::move(state));
  for (size_t i = 1; i < op.values.size(); ++i) {
    Evaluations next;
    for (Evaluated& left : open) {
      Value value = left.value;
      Split split = truth(std::move(left.state), value);
      for (State& stays : op.op == BoolOp::kOr ? split.yes : split.no) {
        Value kept = stays.resolve(value);
        out.push_back({std::move(stays), std::move(kept)});
      }
      for (State& goes : op.op == BoolOp::kOr ? split.no : split.yes) {
        for (Evaluated& right : evaluate(op.values[i], std::move(goes)))
          next.push_back(std::move(right));
      }
    }
    open.swap(next);
  }
  for (Evaluated& last : open) out.push_back(std::move(last));
  return out;
}

Evaluations Interpreter::evaluate_choice(const IfExp& choice, State state) {
  Evaluations out;
  Split split = test(choice.test, std::move(state));
  for (State& yes : split.yes) {
    for (Evaluated& result : evaluate(choice.body, std::move(yes)))
      out.push_back(std::move(result));
  }
  for (State& no : split.no) {
    for (Evaluated& result : evaluate(choice.orelse, std::move(no)))
      out.push_back(std::move(result));
  }
  return out;
}

Evaluations Interpreter::evaluate_items(const Exprs& items, bool is_list, State state) {
  Evaluations out;
  if (items.size() > kMaxItems) {
    Value any = typed(type_of_parts(is_list ? Type::Kind::kList : Type::Kind::kTupleOf,
                                    {type_of_kind(Type::Kind::kOther)}),
                      true);
    if (domain_.is_concrete()) unknown(tree_[items[0]].span, "a list with too many items");
    out.push_back({std::move(state), std::move(any)});
    return out;
  }
  Exprs parts;
  for (ExprId item : items) {
    const auto* star = tree_.get<Starred>(item);
    parts.push_back(star != nullptr ? star->value : item);
  }
  evaluate_all(parts, std::move(state), [&](State after, Arguments values) {
    Sequence list{{}, is_list};
    for (size_t i = 0; i < items.size(); ++i) {
      if (tree_.get<Starred>(items[i]) == nullptr) {
        list.items.push_back(std::move(values[i]));
        continue;
      }
      const Value content = after.deref(values[i]);
      if (const auto* more = content.as<Sequence>()) {
        list.items.insert(list.items.end(), more->items.begin(), more->items.end());
        continue;
      }
      std::optional<Type> item = item_type(after, values[i]);
      if (!item) {
        Value any = unknown(tree_[items[i]].span, "a star before this value");
        return out.push_back({std::move(after), std::move(any)});
      }
      Type all = *item;
      for (size_t k = 0; k < items.size(); ++k) {
        std::optional<Type> other = tree_.get<Starred>(items[k]) != nullptr
                                        ? item_type(after, values[k])
                                        : std::optional(type_of(after, values[k]));
        all = join(domain_.words(), all, other.value_or(type_of_kind(Type::Kind::kOther)));
      }
      Value made = typed(type_of_parts(is_list ? Type::Kind::kList : Type::Kind::kTupleOf, {all}));
      return out.push_back({std::move(after), std::move(made)});
    }
    out.push_back({std::move(after), {std::move(list)}});
  });
  return out;
}

Evaluations Interpreter::evaluate_dict(const DictExpr& dict, State state) {
  Evaluations out;
  Exprs parts;
  bool is_plain = dict.values.size() <= kMaxItems;
  if (!is_plain && domain_.is_concrete() && !dict.values.empty())
    unknown(tree_[dict.values[0]].span, "a dictionary with too many items");
  for (size_t i = 0; i < std::min(dict.values.size(), kMaxItems); ++i) {
    if (dict.keys[i]) parts.push_back(*dict.keys[i]);
    is_plain = is_plain && dict.keys[i];
    parts.push_back(dict.values[i]);
  }
  evaluate_all(parts, std::move(state), [&](State after, Arguments values) {
    if (!is_plain) {
      Value any = typed(type_of_parts(
          Type::Kind::kDict, {type_of_kind(Type::Kind::kOther), type_of_kind(Type::Kind::kOther)}));
      Value made = after.allocate(std::move(any));
      return out.push_back({std::move(after), std::move(made)});
    }
    Value made = after.allocate({Dict{}});
    const uint32_t cell = made.as<Ref>()->cell;
    States open;
    open.push_back(std::move(after));
    for (size_t i = 0; i + 1 < values.size(); i += 2) {
      States next;
      for (State& one : open)
        store_item(std::move(one), {Ref{cell}}, values[i], values[i + 1],
                   tree_[dict.values[i / 2]].span, next);
      open.swap(next);
    }
    for (State& one : open) out.push_back({std::move(one), made});
  });
  return out;
}

Evaluations Interpreter::evaluate_optional(Optional expr, State state) {
  if (expr) return evaluate(*expr, std::move(state));
  Evaluations out;
  out.push_back({std::move(state), {NoneValue{}}});
  return out;
}

// Earlier values wait on the state's stack: a call in a later one may renumber everything.
void Interpreter::evaluate_all(const Exprs& exprs, size_t at, State state, size_t base,
                               const std::function<void(State, Arguments)>& then) {
  if (at == exprs.size()) {
    Arguments values(state.stack.begin() + static_cast<std::ptrdiff_t>(base), state.stack.end());
    state.stack.resize(base);
    return then(std::move(state), std::move(values));
  }
  for (Evaluated& value : evaluate(exprs[at], std::move(state))) {
    value.state.stack.push_back(std::move(value.value));
    evaluate_all(exprs, at + 1, std::move(value.state), base, then);
  }
}

void Interpreter::evaluate_all(const Exprs& exprs, State state,
                               const std::function<void(State, Arguments)>& then) {
  size_t base = state.stack.size();
  if (exprs.size() > 3 * kMaxItems) {
    outcome_.is_exhausted = true;
    return;
  }
  evaluate_all(exprs, 0, std::move(state), base, then);
}

// Where the value of a variable lies: of this function, of one around it, or of the module.
std::optional<size_t> Interpreter::slot_of(const std::string& name) const {
  const Function* function = frame_.function;
  if (!frame_.is_static) {
    if (auto slot = function->scope->slot(name)) return frame_.base + *slot;
  } else if (auto slot = function->scope->slot(name)) {
    // Only what a comprehension binds has a value there.
    for (auto frame = frames_.begin(); frame != frames_.end(); ++frame) {
      if (frame->function == function && !frame->is_static) return frame->base + *slot;
    }
    return std::nullopt;
  }
  while (function->facts->parent) {
    function = &program_.functions()[*function->facts->parent];
    auto slot = function->scope->slot(name);
    if (!slot) continue;
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
      if (frame->function == function && !frame->is_static) return frame->base + *slot;
    }
    return std::nullopt;
  }
  const Frame& first = frames_.front();
  if (first.function == &program_.module() && frame_.function != first.function) {
    if (auto slot = first.function->scope->slot(name)) return first.base + *slot;
  }
  return std::nullopt;
}

Evaluations Interpreter::evaluate_name(const Name& name, Span span, State state) {
  Evaluations out;
  auto give = [&](Value value) { out.push_back({std::move(state), std::move(value)}); };
  if (frame_.is_static) {
    // A variable of a comprehension.
    auto slot = frame_.function->scope->slot(name.id);
    if (slot && state.slots[frame_.base + *slot].as<Unbound>() == nullptr)
      return give(state.slots[frame_.base + *slot]), std::move(out);
  }
  if (std::optional<size_t> slot = slot_of(name.id)) {
    Value value = state.slots[*slot];
    if (value.as<Unbound>() == nullptr) return give(std::move(value)), std::move(out);
    const bool is_local = frame_.function->scope->slot(name.id).has_value();
    // A class or function of the module may come later under the same name.
    raise(std::move(state),
          is_local && frame_.function != &program_.module() ? "UnboundLocalError" : "NameError",
          "'" + name.id + "' has no value yet", span);
    return out;
  }
  if (const Function* function = program_.function(name.id)) {
    if (function->facts->has_unknown_decorator)
      give(unknown(span, "the decorated function '" + name.id + "'"));
    else
      give({Callable{function->index, {}, ""}});
    return out;
  }
  if (std::optional<uint32_t> cls = program_.definitions().cls(name.id))
    return give({ClassObject{*cls}}), std::move(out);
  if (Optional global = program_.global(name.id))
    return evaluate_statically(*global, std::move(state));
  if (std::optional<Type> declared = program_.global_type(name.id)) {
    instantiate_item(std::move(state), *declared, out);
    return out;
  }
  if (std::optional<std::string> library = program_.definitions().imported(name.id)) {
    if (std::optional<Value> value = library_value(*library, state))
      give(std::move(*value));
    else
      give({Callable{0, {}, *library}});
    return out;
  }
  if (name.id == "__name__" && frames_.front().function == &program_.module())
    return give({domain_.constant_text(state, program_.letters().word("__main__"))}),
           std::move(out);
  if (name.id == "__name__" || name.id == "__file__") {
    Text any = any_text(state);
    return give({std::move(any)}), std::move(out);
  }
  if (program_.alias(name.id)) return give({Callable{0, {}, "type"}}), std::move(out);
  if (is_builtin_name(name.id))
    return give({Callable{0, {}, "builtins." + name.id}}), std::move(out);
  give(unknown(span, "the name '" + name.id + "'"));
  return out;
}

}  // namespace nacre::python
