// Arithmetic, second half: the value of an Expression.
#include "machine/arithmetic.h"

#include <fmt/format.h>
#include <vector>

namespace nacre::machine {
namespace {

using Op = shell::ArithmeticOp;

constexpr int kMaxIndirection = 64;  // of variables whose values are expressions

int64_t power(int64_t base, int64_t exponent) {
  uint64_t result = 1;
  auto factor = static_cast<uint64_t>(base);
  for (auto e = static_cast<uint64_t>(exponent); e != 0; e >>= 1) {
    if ((e & 1) != 0) result *= factor;
    factor *= factor;
  }
  return static_cast<int64_t>(result);
}

// All operators but the lazy ones; unsigned inside, so that overflow wraps.
Result<int64_t> apply(Op op, int64_t a, int64_t b) {
  auto x = static_cast<uint64_t>(a);
  auto y = static_cast<uint64_t>(b);
  switch (op) {
    case Op::kAdd: return static_cast<int64_t>(x + y);
    case Op::kSubtract: return static_cast<int64_t>(x - y);
    case Op::kMultiply: return static_cast<int64_t>(x * y);
    case Op::kDivide:
    case Op::kRemainder:
      if (b == 0) return fail({}, "arithmetic expression: division by zero");
      if (b == -1) return op == Op::kDivide ? static_cast<int64_t>(0 - x) : 0;
      return op == Op::kDivide ? a / b : a % b;
    case Op::kPower:
      if (b < 0) return fail({}, "arithmetic expression: exponent less than 0");
      return power(a, b);
    case Op::kShiftLeft: return static_cast<int64_t>(x << (y & 63));
    case Op::kShiftRight: return a >> (y & 63);
    case Op::kLess: return a < b;
    case Op::kLessEqual: return a <= b;
    case Op::kGreater: return a > b;
    case Op::kGreaterEqual: return a >= b;
    case Op::kEqual: return a == b;
    case Op::kNotEqual: return a != b;
    case Op::kBitAnd: return a & b;
    case Op::kBitXor: return a ^ b;
    case Op::kBitOr: return a | b;
    default: return b;  // kNone of a plain assignment, kComma
  }
}

class Evaluator {
 public:
  Evaluator(Bindings& bindings, Names& names, std::span<const int64_t> slots, int depth)
      : bindings_(bindings), names_(names), slots_(slots), depth_(depth) {}

  Result<int64_t> value(const Expression& e) {
    switch (e.kind) {
      case Expression::kNumber: return e.value;
      case Expression::kSlot: return slots_[static_cast<size_t>(e.value)];
      case Expression::kVariable: {
        auto at = place(e);
        if (!at) return fail({}, at.error().message);
        return load(*at);
      }
      case Expression::kUnary:
      case Expression::kPostfix: return unary(e);
      case Expression::kBinary: return binary(e);
      case Expression::kAssign: return assign(e);
      case Expression::kTernary: {
        auto condition = value(*e.condition);
        if (!condition) return condition;
        return value(*condition != 0 ? *e.left : *e.right);
      }
    }
    return 0;
  }

 private:
  // A variable or an element, whose index is evaluated once.
  struct Place {
    NameId name = kNoName;
    bool is_element = false;
    Key key;
  };

  Result<Place> place(const Expression& e) {
    Place result{e.name, e.has_subscript, {}};
    if (!e.has_subscript) return result;
    if (bindings_.is_associative(e.name)) {
      result.key = Key(e.key);
      return result;
    }
    Result<int64_t> index = e.left != nullptr ? value(*e.left) : value_of(e.key);
    if (!index) return fail({}, index.error().message);
    result.key = Key(*index);
    return result;
  }

  Result<int64_t> value_of(std::string_view text) {
    shell::Arena arena;
    auto parsed = parse_arithmetic(text, names_, arena, bindings_.has_arrays());
    if (!parsed) return fail({}, parsed.error().message);
    return Evaluator(bindings_, names_, {}, depth_ + 1).value(**parsed);
  }

  Result<int64_t> load(const Place& from) {
    auto text =
        from.is_element ? bindings_.lookup(from.name, from.key) : bindings_.lookup(from.name);
    if (!text) return fail({}, text.error().message);
    int64_t number = 0;
    if (*text == nullptr || (*text)->empty() || parse_integer(**text, number)) return number;
    if (depth_ >= kMaxIndirection) {
      return fail({},
                  fmt::format("{}: expression recursion level exceeded", names_.text(from.name)));
    }
    std::string expression = **text;
    auto result = value_of(expression);
    if (!result && !bindings_.has_arrays()) return fail({}, "Illegal number: " + expression);
    return result;
  }

  Result<int64_t> store(const Place& to, int64_t number) {
    fmt::format_int digits(number);
    std::string_view text(digits.data(), digits.size());
    auto stored =
        to.is_element ? bindings_.assign(to.name, to.key, text) : bindings_.assign(to.name, text);
    if (!stored) return fail({}, stored.error().message);
    return number;
  }

  Result<int64_t> step(const Expression& e) {
    auto at = place(*e.left);
    if (!at) return fail({}, at.error().message);
    auto old = load(*at);
    if (!old) return old;
    auto changed = store(*at, *apply(Op::kAdd, *old, e.op == Op::kIncrement ? 1 : -1));
    return e.kind == Expression::kPostfix && changed ? old : changed;
  }

  Result<int64_t> unary(const Expression& e) {
    if (e.op == Op::kIncrement || e.op == Op::kDecrement) return step(e);
    auto operand = value(*e.left);
    if (!operand) return operand;
    switch (e.op) {
      case Op::kMinus: return static_cast<int64_t>(0 - static_cast<uint64_t>(*operand));
      case Op::kNot: return *operand == 0;
      case Op::kComplement: return ~*operand;
      default: return operand;
    }
  }

  // `1 + 2 + 3 + ...` nests as deeply to the left as it is long: no recursion there.
  Result<int64_t> binary(const Expression& e) {
    if (e.left->kind != Expression::kBinary) {
      auto left = value(*e.left);
      return left ? operate(e, *left) : left;
    }
    std::vector<const Expression*> chain;
    const Expression* first = &e;
    for (; first->kind == Expression::kBinary; first = first->left) chain.push_back(first);
    Result<int64_t> left = value(*first);
    while (left && !chain.empty()) {
      left = operate(*chain.back(), *left);
      chain.pop_back();
    }
    return left;
  }

  Result<int64_t> operate(const Expression& e, int64_t left) {
    if (e.op == Op::kAnd && left == 0) return 0;
    if (e.op == Op::kOr && left != 0) return 1;
    auto right = value(*e.right);
    if (!right) return right;
    if (e.op == Op::kAnd || e.op == Op::kOr) return *right != 0;
    return apply(e.op, left, *right);
  }

  Result<int64_t> assign(const Expression& e) {
    auto at = place(*e.left);
    if (!at) return fail({}, at.error().message);
    Result<int64_t> left = 0;
    if (e.op != Op::kNone) left = load(*at);
    if (!left) return left;
    auto right = value(*e.right);
    if (!right) return right;
    auto result = apply(e.op, *left, *right);
    if (!result) return result;
    return store(*at, *result);
  }

  Bindings& bindings_;
  Names& names_;
  std::span<const int64_t> slots_;
  int depth_;
};

}  // namespace

Result<int64_t> evaluate(const Expression& expression, Bindings& bindings, Names& names,
                         std::span<const int64_t> slots) {
  return Evaluator(bindings, names, slots, 0).value(expression);
}

}  // namespace nacre::machine
