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

namespace {

bool is_float(const Value& value) {
  const auto* kept = value.as<Typed>();
  return kept != nullptr && kept->type->kind == Type::Kind::kFloat;
}

// Is it certain that the list is not empty?
bool has_items(const Value& value) {
  const auto* kept = value.as<Typed>();
  const auto* sequence = value.as<Sequence>();
  const auto* split = value.as<SplitList>();
  return (kept != nullptr && kept->is_filled) ||
         (sequence != nullptr && !sequence->items.empty()) ||
         (split != nullptr && !split->separator.empty());
}

}  // namespace

void Interpreter::binary(BinaryOp op, Span span, State state, const Value& given,
                         const Value& other_given, Evaluations& out) {
  const Value left = state.deref(given), right = state.deref(other_given);
  const auto* text = left.as<Text>();
  const auto* other = right.as<Text>();
  std::optional<Linear> a = as_number(left);
  std::optional<Linear> b = as_number(right);
  if (text != nullptr && other != nullptr && op == BinaryOp::kAdd) {
    Text sum = *text;
    sum.insert(sum.end(), other->begin(), other->end());
    // A string that is doubled again and again is soon remembered as one word.
    constexpr size_t kMaxPieces = 256;
    if (sum.size() > kMaxPieces) {
      const Range length = domain_.range(state, domain_.length(state, sum));
      constexpr int64_t kMaxLength = 100'000;
      if (domain_.is_concrete() && length.high > kMaxLength) {
        outcome_.is_exhausted = true;
        return;
      }
      sum = {state.add_word(domain_.language(state, sum))};
    }
    out.push_back({std::move(state), {std::move(sum)}});
  } else if (a && b) {
    arithmetic(op, span, std::move(state), *a, *b, out);
  } else if (op == BinaryOp::kMult && text != nullptr && b) {
    repeat(span, std::move(state), *text, *b, out);
  } else if (op == BinaryOp::kMult && other != nullptr && a) {
    repeat(span, std::move(state), *other, *a, out);
  } else if (const auto* first = left.as<Sequence>(), *second = right.as<Sequence>();
             op == BinaryOp::kAdd && first != nullptr && second != nullptr &&
             first->is_list == second->is_list) {
    Sequence sum = *first;
    sum.items.insert(sum.items.end(), second->items.begin(), second->items.end());
    Value made = new_list(state, {std::move(sum)});
    out.push_back({std::move(state), std::move(made)});
  } else if (library_operator(op, state, left, right, out)) {
    return;
  } else if (op == BinaryOp::kMod && text != nullptr) {
    percent(span, std::move(state), *text, right, out);
  } else if ((is_float(left) && (b || is_float(right))) || (is_float(right) && a)) {
    if (op == BinaryOp::kDiv || op == BinaryOp::kFloorDiv || op == BinaryOp::kMod)
      doubt(state, right, "ZeroDivisionError", span, "the divisor is not zero");
    out.push_back({std::move(state), typed(type_of_kind(Type::Kind::kFloat))});
  } else if (const Type one = type_of(state, left), two = type_of(state, right);
             one.is_container() && one.kind == two.kind &&
             (op == BinaryOp::kAdd || op == BinaryOp::kBitOr || op == BinaryOp::kSub ||
              op == BinaryOp::kBitAnd)) {
    const bool is_filled =
        (op == BinaryOp::kAdd || op == BinaryOp::kBitOr) && (has_items(left) || has_items(right));
    Value made = new_list(state, typed(join(domain_.words(), one, two), is_filled));
    out.push_back({std::move(state), std::move(made)});
  } else if (op == BinaryOp::kMult && one.kind == Type::Kind::kList && b) {
    Value made = new_list(state, typed(one));
    out.push_back({std::move(state), std::move(made)});
  } else if (left.as<Unknown>() != nullptr || right.as<Unknown>() != nullptr ||
             left.as<SplitList>() != nullptr || right.as<SplitList>() != nullptr ||
             left.as<Typed>() != nullptr || right.as<Typed>() != nullptr ||
             left.as<Instance>() != nullptr || right.as<Instance>() != nullptr ||
             left.as<Callable>() != nullptr || right.as<Callable>() != nullptr ||
             left.as<ClassObject>() != nullptr || right.as<ClassObject>() != nullptr ||
             left.as<EnumMember>() != nullptr || left.as<Sequence>() != nullptr ||
             right.as<Sequence>() != nullptr) {
    out.push_back({std::move(state), unknown(span, "this operator on a " + type_name(left) +
                                                       " and a " + type_name(right))});
  } else {
    raise(std::move(state), "TypeError",
          "unsupported operands: " + type_name(left) + " and " + type_name(right), span);
  }
}

namespace {

Range product(Range a, Range b) {
  auto times = [](int64_t x, int64_t y) {
    if (x == 0 || y == 0) return int64_t{0};
    const bool is_large = std::abs(x) >= kUnlimited || std::abs(y) >= kUnlimited ||
                          std::abs(x) > kUnlimited / std::abs(y);
    return is_large ? ((x < 0) == (y < 0) ? kUnlimited : -kUnlimited) : x * y;
  };
  const int64_t all[] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low),
                         times(a.high, b.high)};
  return {*std::min_element(std::begin(all), std::end(all)),
          *std::max_element(std::begin(all), std::end(all))};
}

}  // namespace

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
      if (factor > 1'000'000 || factor < -1'000'000) return give_range({});
      Linear result;
      if (factor == 0) return give(Linear(0));
      result.add(a.is_single() ? right : left, factor);
      return give(std::move(result));
    }
    return give_range(product(a, b));
  }
  if (op == BinaryOp::kFloorDiv || op == BinaryOp::kMod)
    return divide(op, span, std::move(state), left, right, out);
  if (op == BinaryOp::kDiv) {
    Split zero = domain_.equals_zero(std::move(state), right);
    for (State& bad : zero.yes)
      raise(std::move(bad), "ZeroDivisionError", "division by zero", span);
    for (State& good : zero.no)
      out.push_back({std::move(good), typed(type_of_kind(Type::Kind::kFloat))});
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
  if (op == BinaryOp::kBitAnd && (a.low >= 0 || b.low >= 0)) {
    const int64_t high = a.low >= 0 && b.low >= 0 ? std::min(a.high, b.high)
                         : a.low >= 0             ? a.high
                                                  : b.high;
    return give_range({0, high});
  }
  if (op == BinaryOp::kRShift && b.is_single() && b.low >= 0 && b.low < 40)
    return divide(BinaryOp::kFloorDiv, span, std::move(state), left, Linear(int64_t{1} << b.low),
                  out);
  const bool is_positive = a.low >= 0 && b.low >= 0;
  if (op == BinaryOp::kPow && b.low < 0) {
    out.push_back({std::move(state), unknown(span, "a power with a negative exponent")});
    return;
  }
  if (op == BinaryOp::kRShift || op == BinaryOp::kLShift) {
    if (b.low < 0) {
      State negative = state;
      Linear below(-1);
      below.add(right, -1);
      if (domain_.assume(negative, below))
        raise(std::move(negative), "ValueError", "negative shift count", span);
    }
    return give_range({a.low >= 0 ? 0 : -kUnlimited, kUnlimited});
  }
  if (op == BinaryOp::kMatMult)
    return raise(std::move(state), "TypeError", "unsupported operands: int and int", span);
  give_range({is_positive ? 0 : -kUnlimited, kUnlimited});
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
    if (!by.is_single() || k <= 0) {
      bool is_positive = by.low > 0;
      Range rest = op == BinaryOp::kMod && is_positive ? Range{0, by.high - 1} : Range{};
      SymbolId number = good.add_number(rest);
      out.push_back({std::move(good), {Linear::of(number)}});
      continue;
    }
    const bool has_numbers = std::any_of(
        value.terms.begin(), value.terms.end(),
        [&](const Linear::Term& term) { return good[term.first].kind == Symbol::Kind::kNumber; });
    if (k > 64 || (has_numbers && k > 4)) {
      quotient_and_rest(op, std::move(good), value, k, out);
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

// value = k * quotient + rest, with both unknown but bounded.
void Interpreter::quotient_and_rest(BinaryOp op, State state, const Linear& value, int64_t k,
                                    Evaluations& out) {
  const Range range = domain_.range(state, value);
  auto divided = [&](int64_t bound) {
    return bound <= -kUnlimited || bound >= kUnlimited ? bound : floor_divide(bound, k);
  };
  if (range.is_single() && range.low > -kUnlimited && range.high < kUnlimited) {
    const int64_t quotient = floor_divide(range.low, k);
    return out.push_back(
        {std::move(state), {Linear(op == BinaryOp::kMod ? range.low - quotient * k : quotient)}});
  }
  const Range quotients{divided(range.low), divided(range.high)};
  // Small numbers stay as they are.
  if (quotients == Range{0, 0})
    return out.push_back({std::move(state), {op == BinaryOp::kMod ? value : Linear(0)}});
  const SymbolId quotient = state.add_number(quotients);
  const SymbolId rest = state.add_number({0, k - 1});
  Linear product;
  product.add(Linear::of(quotient), k);
  const Linear difference = value - product - Linear::of(rest);
  Linear opposite;
  opposite.add(difference, -1);
  if (!domain_.assume(state, difference) || !domain_.assume(state, opposite)) return;
  out.push_back({std::move(state), {Linear::of(op == BinaryOp::kMod ? rest : quotient)}});
}

void Interpreter::repeat(Span span, State state, const Text& text, const Linear& times,
                         Evaluations& out) {
  Range range = domain_.range(state, times);
  // A string of a length beyond all memory raises MemoryError.
  if (range.high >= kUnlimited) assume(span, "the repeated string fits into memory");
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
