// Expressions: dispatch, names, literals.
#include <algorithm>

#include "python/interpreter.h"
#include "python/walk.h"

namespace nacre::python {
namespace {

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
    return evaluate_call(*call, span, std::move(state));
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
  if (const auto* comprehension = std::get_if<ComprehensionExpr>(&expr.node))
    return evaluate_comprehension(*comprehension, span, std::move(state));
  if (const auto* tuple = std::get_if<TupleExpr>(&expr.node))
    return evaluate_items(tuple->items, false, std::move(state));
  if (const auto* list = std::get_if<ListExpr>(&expr.node))
    return evaluate_items(list->items, true, std::move(state));
  // A set of constants is a list to look in; one of other values could be smaller than it looks.
  if (const auto* set = std::get_if<SetExpr>(&expr.node);
      set != nullptr && std::all_of(set->items.begin(), set->items.end(), [&](ExprId item) {
        return tree_.get<StringLiteral>(item) != nullptr;
      }))
    return evaluate_items(set->items, true, std::move(state));
  Value value = literal(expr, state);
  out.push_back({std::move(state), std::move(value)});
  return out;
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
  evaluate_all(items, std::move(state), [&](State after, Arguments values) {
    out.push_back({std::move(after), {Sequence{std::move(values), is_list}}});
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
  evaluate_all(exprs, 0, std::move(state), base, then);
}

Evaluations Interpreter::evaluate_name(const Name& name, Span span, State state) {
  Evaluations out;
  if (auto slot = frame_.function->scope->slot(name.id)) {
    Value value = state.slots[frame_.base + *slot];
    if (value.as<Unbound>() != nullptr) {
      raise(std::move(state), "UnboundLocalError", "'" + name.id + "' has no value yet", span);
      return out;
    }
    out.push_back({std::move(state), std::move(value)});
    return out;
  }
  if (Optional global = program_.global(name.id)) {
    if (++depth_ > 50) {
      --depth_;
      out.push_back({std::move(state), unknown(span, "the global '" + name.id + "'")});
      return out;
    }
    out = evaluate(*global, std::move(state));
    --depth_;
    return out;
  }
  out.push_back({std::move(state), unknown(span, "the name '" + name.id + "'")});
  return out;
}

}  // namespace nacre::python
