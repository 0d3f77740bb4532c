// Operators on integers, strings and lists.
#include <algorithm>

#include "python/interpreter.h"

namespace nacre::python {

Evaluations Interpreter::evaluate_binary(const BinaryOperation& op, Span span, State state) {
  Evaluations out;
  evaluate_all({op.left, op.right}, std::move(state), [&](State after, Arguments values) {
    binary(op.op, span, std::move(after), values[0], values[1], out);
  });
  return out;
}

void Interpreter::binary(BinaryOp op, Span span, State state, const Value& left, const Value& right,
                         Evaluations& out) {
  const auto* text = left.as<Text>();
  const auto* other = right.as<Text>();
  std::optional<Linear> a = as_number(left);
  std::optional<Linear> b = as_number(right);
  if (text != nullptr && other != nullptr && op == BinaryOp::kAdd) {
    Text sum = *text;
    sum.insert(sum.end(), other->begin(), other->end());
    out.push_back({std::move(state), {std::move(sum)}});
  } else if (a && b) {
    arithmetic(op, span, std::move(state), *a, *b, out);
  } else if (op == BinaryOp::kMult && text != nullptr && b) {
    repeat(std::move(state), *text, *b, out);
  } else if (op == BinaryOp::kMult && other != nullptr && a) {
    repeat(std::move(state), *other, *a, out);
  } else if (const auto* first = left.as<Sequence>(), *second = right.as<Sequence>();
             op == BinaryOp::kAdd && first != nullptr && second != nullptr &&
             first->is_list == second->is_list) {
    Sequence sum = *first;
    sum.items.insert(sum.items.end(), second->items.begin(), second->items.end());
    out.push_back({std::move(state), {std::move(sum)}});
  } else if (left.as<Unknown>() != nullptr || right.as<Unknown>() != nullptr ||
             op == BinaryOp::kMod || left.as<SplitList>() != nullptr ||
             right.as<SplitList>() != nullptr) {
    out.push_back({std::move(state), unknown(span, "this operator on a " + type_name(left) +
                                                       " and a " + type_name(right))});
  } else {
    raise(std::move(state), "TypeError",
          "unsupported operands: " + type_name(left) + " and " + type_name(right), span);
  }
}

void Interpreter::arithmetic(BinaryOp op, Span span, State state, const Linear& left,
                             const Linear& right, Evaluations& out) {
  auto give = [&](Linear value) { out.push_back({std::move(state), {std::move(value)}}); };
  auto give_range = [&](Range range) { give(Linear::of(state.add_number(range))); };
  if (op == BinaryOp::kAdd || op == BinaryOp::kSub) {
    Linear result = state.linear(op == BinaryOp::kAdd ? left + right : left - right);
    if (result.constant >= kUnlimited || result.constant <= -kUnlimited) return give_range({});
    return give(std::move(result));
  }
  Range a = domain_.range(state, left);
  Range b = domain_.range(state, right);
  if (op == BinaryOp::kMult) {
    if (a.is_single() || b.is_single()) {
      int64_t factor = a.is_single() ? a.low : b.low;
      if (factor > 1000 || factor < -1000) return give_range({});
      Linear result;
      result.add(a.is_single() ? right : left, factor);
      return give(std::move(result));
    }
    return give_range({a.low >= 0 && b.low >= 0 ? 0 : -kUnlimited, kUnlimited});
  }
  if (op == BinaryOp::kFloorDiv || op == BinaryOp::kMod)
    return divide(op, span, std::move(state), left, right, out);
  if (op == BinaryOp::kDiv) {
    Split zero = domain_.equals_zero(std::move(state), right);
    for (State& bad : zero.yes)
      raise(std::move(bad), "ZeroDivisionError", "division by zero", span);
    for (State& good : zero.no) out.push_back({std::move(good), unknown(span, "a float")});
    return;
  }
  if (op == BinaryOp::kPow && b.is_single() && b.low >= 0 && b.low <= 1)
    return give(b.low == 0 ? Linear(1) : left);
  if (op == BinaryOp::kPow && a.is_single() && b.is_single() && b.low >= 0) {
    int64_t value = 1;
    for (int64_t i = 0; i < b.low && value < kUnlimited && value > -kUnlimited; ++i)
      value = saturate(value * std::clamp<int64_t>(a.low, -1000000, 1000000));
    if (value > -kUnlimited && value < kUnlimited && a.low > -1000000 && a.low < 1000000)
      return give(Linear(value));
  }
  out.push_back({std::move(state), unknown(span, "this operator on integers")});
}

// Floor division and remainder by a constant: the remainder is decided word by word, so that
// `len(s) % 2` narrows s.
void Interpreter::divide(BinaryOp op, Span span, State state, const Linear& left,
                         const Linear& right, Evaluations& out) {
  Split zero = domain_.equals_zero(std::move(state), right);
  for (State& bad : zero.yes)
    raise(std::move(bad), "ZeroDivisionError", "integer division or modulo by zero", span);
  for (State& good : zero.no) {
    Range by = domain_.range(good, right);
    Linear value = good.linear(left);
    int64_t k = by.low;
    if (!by.is_single() || k <= 0 || k > 64) {
      bool is_positive = by.low > 0;
      Range rest = op == BinaryOp::kMod && is_positive ? Range{0, by.high - 1} : Range{};
      SymbolId number = good.add_number(rest);
      out.push_back({std::move(good), {Linear::of(number)}});
      continue;
    }
    // value = sum of lengths + constant, if the factors allow it.
    bool is_sum =
        std::all_of(value.terms.begin(), value.terms.end(), [&](const Linear::Term& term) {
          return term.second == 1 && good[term.first].kind == Symbol::Kind::kWord;
        });
    Text text;
    if (is_sum) {
      for (const Linear::Term& term : value.terms) text.push_back(term.first);
    }
    for (int64_t rest = 0; rest < k; ++rest) {
      States fitting;
      if (is_sum) {
        int64_t wanted = (((rest - value.constant) % k) + k) % k;
        fitting = domain_.member(good, text, domain_.words().remainder(k, wanted)).yes;
      } else {
        fitting.push_back(good);
      }
      for (State& one : fitting) {
        // value = k * quotient + rest
        SymbolId quotient = one.add_number({});
        Linear product;
        product.add(Linear::of(quotient), k);
        Linear difference = one.linear(value) - product - rest;
        if (!domain_.assume(one, difference)) continue;
        Linear opposite;
        opposite.add(difference, -1);
        if (!domain_.assume(one, opposite)) continue;
        out.push_back(
            {std::move(one), {op == BinaryOp::kMod ? Linear(rest) : Linear::of(quotient)}});
      }
    }
  }
}

void Interpreter::repeat(State state, const Text& text, const Linear& times, Evaluations& out) {
  Range range = domain_.range(state, times);
  if (range.high <= 0) {
    out.push_back({std::move(state), {Text{}}});
  } else if (range.is_single() && range.low <= 64) {
    Text result;
    for (int64_t i = 0; i < range.low; ++i) result.insert(result.end(), text.begin(), text.end());
    out.push_back({std::move(state), {std::move(result)}});
  } else {
    SymbolId word = state.add_word(domain_.words().star(domain_.language(state, text)));
    out.push_back({std::move(state), {Text{word}}});
  }
}

}  // namespace nacre::python
