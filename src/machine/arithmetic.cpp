#include "machine/arithmetic.h"

#include <array>
#include <fmt/format.h>
#include <vector>

#include "base/ascii.h"

namespace nacre::machine {
namespace {

using Op = shell::ArithmeticOp;

constexpr int kMaxNesting = 1000;    // of an expression: parsing and evaluating recurse
constexpr int kMaxIndirection = 64;  // of variables whose values are expressions

struct Token {
  enum Kind : uint8_t { kEnd, kNumber, kName, kOperator, kBad } kind = kEnd;
  std::string_view text;
};

constexpr std::array<std::string_view, 40> kOperators = {
    "<<=", ">>=", "**", "++", "--", "&&", "||", "<<", ">>", "<=", ">=", "==", "!=", "*=",
    "/=",  "%=",  "+=", "-=", "&=", "^=", "|=", "+",  "-",  "*",  "/",  "%",  "<",  ">",
    "=",   "!",   "~",  "&",  "|",  "^",  "?",  ":",  "(",  ")",  ",",  "#"};

struct BinaryOperator {
  std::string_view text;
  int precedence;
  Op op;
};
constexpr std::array<BinaryOperator, 19> kBinary = {{
    {"||", 1, Op::kOr},         {"&&", 2, Op::kAnd},          {"|", 3, Op::kBitOr},
    {"^", 4, Op::kBitXor},      {"&", 5, Op::kBitAnd},        {"==", 6, Op::kEqual},
    {"!=", 6, Op::kNotEqual},   {"<", 7, Op::kLess},          {">", 7, Op::kGreater},
    {"<=", 7, Op::kLessEqual},  {">=", 7, Op::kGreaterEqual}, {"<<", 8, Op::kShiftLeft},
    {">>", 8, Op::kShiftRight}, {"+", 9, Op::kAdd},           {"-", 9, Op::kSubtract},
    {"*", 10, Op::kMultiply},   {"/", 10, Op::kDivide},       {"%", 10, Op::kRemainder},
    {"**", 11, Op::kPower},
}};

struct AssignOperator {
  std::string_view text;
  Op op;
};
constexpr std::array<AssignOperator, 11> kAssign = {{{"=", Op::kNone},
                                                     {"*=", Op::kMultiply},
                                                     {"/=", Op::kDivide},
                                                     {"%=", Op::kRemainder},
                                                     {"+=", Op::kAdd},
                                                     {"-=", Op::kSubtract},
                                                     {"<<=", Op::kShiftLeft},
                                                     {">>=", Op::kShiftRight},
                                                     {"&=", Op::kBitAnd},
                                                     {"^=", Op::kBitXor},
                                                     {"|=", Op::kBitOr}}};

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Recursive descent with precedence climbing. A failure is remembered once; parsing then unwinds.
class Parser {
 public:
  Parser(std::string_view text, Names& names, shell::Arena& arena)
      : text_(text), names_(names), arena_(arena) {
    advance();
  }

  Result<const Expression*> parse() {
    if (token_.kind == Token::kEnd) return number(0);
    const Expression* result = comma();
    if (error_.empty() && token_.kind != Token::kEnd) unexpected();
    if (!error_.empty()) return fail({}, error_);
    return result;
  }

 private:
  void advance() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    std::string_view rest = text_.substr(at_);
    if (rest.empty()) {
      token_ = {Token::kEnd, rest};
      return;
    }
    size_t size = 0;
    if (is_name_char(rest[0])) {
      while (size < rest.size() && (is_name_char(rest[size]) || rest[size] == '#')) ++size;
      if (!is_digit(rest[0])) {
        size = 0;
        while (size < rest.size() && is_name_char(rest[size])) ++size;
      }
      token_ = {is_digit(rest[0]) ? Token::kNumber : Token::kName, rest.substr(0, size)};
    } else {
      token_ = {Token::kBad, rest.substr(0, 1)};
      for (std::string_view op : kOperators) {
        if (rest.starts_with(op)) {
          token_ = {Token::kOperator, rest.substr(0, op.size())};
          break;
        }
      }
      // `2--5` is 2 - -5: a doubled sign is one token only beside a variable.
      if (token_.text == "++" || token_.text == "--") {
        size_t after = at_ + 2;
        while (after < text_.size() && is_blank(text_[after])) ++after;
        bool before_name = after < text_.size() && is_name_start(text_[after]);
        if (!before_name && !last_was_name_) token_.text.remove_suffix(1);
      }
    }
    last_was_name_ = token_.kind == Token::kName;
    at_ += token_.text.size();
  }

  [[nodiscard]] bool at(std::string_view op) const {
    return token_.kind == Token::kOperator && token_.text == op;
  }
  bool take(std::string_view op) {
    if (!at(op)) return false;
    advance();
    return true;
  }

  const Expression* unexpected() {
    if (error_.empty()) {
      error_ = token_.kind == Token::kEnd
                   ? fmt::format("arithmetic expression: expecting primary: \"{}\"", text_)
                   : fmt::format("arithmetic expression: syntax error at \"{}\": \"{}\"",
                                 token_.text, text_);
    }
    return number(0);
  }

  const Expression* number(int64_t value) {
    Expression made;
    made.value = value;
    return arena_.make(made);
  }
  const Expression* node(Expression::Kind kind, Op op, const Expression* left,
                         const Expression* right = nullptr) {
    Expression made;
    made.kind = kind;
    made.op = op;
    made.left = left;
    made.right = right;
    return arena_.make(made);
  }

  const Expression* comma() {
    const Expression* left = assignment();
    while (error_.empty() && take(",")) {
      left = node(Expression::kBinary, Op::kComma, left, assignment());
    }
    return left;
  }

  const Expression* assignment() {
    if (++depth_ > kMaxNesting) {
      error_ = "arithmetic expression: nested too deeply";
      return number(0);
    }
    const Expression* left = ternary();
    if (left->kind == Expression::kVariable && token_.kind == Token::kOperator) {
      for (const AssignOperator& op : kAssign) {
        if (!at(op.text)) continue;
        advance();
        left = node(Expression::kAssign, op.op, left, assignment());
        break;
      }
    }
    --depth_;
    return left;
  }

  const Expression* ternary() {
    const Expression* condition = binary(1);
    if (!error_.empty() || !take("?")) return condition;
    Expression made;
    made.kind = Expression::kTernary;
    made.condition = condition;
    made.left = comma();
    if (!take(":")) return unexpected();
    made.right = assignment();
    return arena_.make(made);
  }

  const BinaryOperator* binary_operator(int least) {
    if (token_.kind != Token::kOperator) return nullptr;
    for (const BinaryOperator& op : kBinary) {
      if (op.text == token_.text) return op.precedence >= least ? &op : nullptr;
    }
    return nullptr;
  }

  const Expression* binary(int least) {
    if (++depth_ > kMaxNesting && error_.empty()) {
      error_ = "arithmetic expression: nested too deeply";
    }
    const Expression* left = unary();
    while (error_.empty()) {
      const BinaryOperator* op = binary_operator(least);
      if (op == nullptr) break;
      advance();
      // ** is right-associative, all others are left-associative.
      const Expression* right = binary(op->op == Op::kPower ? op->precedence : op->precedence + 1);
      left = node(Expression::kBinary, op->op, left, right);
    }
    --depth_;
    return left;
  }

  const Expression* unary() {
    if (!error_.empty()) return number(0);
    if (++depth_ > kMaxNesting) {
      error_ = "arithmetic expression: nested too deeply";
      return number(0);
    }
    const Expression* result = nullptr;
    if (take("+")) {
      result = node(Expression::kUnary, Op::kPlus, unary());
    } else if (take("-")) {
      result = node(Expression::kUnary, Op::kMinus, unary());
    } else if (take("!")) {
      result = node(Expression::kUnary, Op::kNot, unary());
    } else if (take("~")) {
      result = node(Expression::kUnary, Op::kComplement, unary());
    } else if (at("++") || at("--")) {
      Op op = at("++") ? Op::kIncrement : Op::kDecrement;
      advance();
      const Expression* operand = unary();
      result = operand->kind == Expression::kVariable ? node(Expression::kUnary, op, operand)
                                                      : unexpected();
    } else {
      result = postfix();
    }
    --depth_;
    return result;
  }

  const Expression* postfix() {
    const Expression* operand = primary();
    if (operand->kind == Expression::kVariable && (at("++") || at("--"))) {
      operand = node(Expression::kPostfix, at("++") ? Op::kIncrement : Op::kDecrement, operand);
      advance();
    }
    return operand;
  }

  const Expression* primary() {
    if (token_.kind == Token::kNumber) {
      int64_t value = 0;
      if (!constant(token_.text, value)) return unexpected();
      advance();
      return number(value);
    }
    if (token_.kind == Token::kName) {
      Expression made;
      made.kind = Expression::kVariable;
      made.name = names_.intern(token_.text);
      advance();
      return arena_.make(made);
    }
    if (!take("(")) return unexpected();
    const Expression* inner = comma();
    if (!take(")")) return unexpected();
    return inner;
  }

  // Also base#digits, which bash and ksh have.
  static bool constant(std::string_view text, int64_t& value) {
    size_t hash = text.find('#');
    if (hash == std::string_view::npos) return parse_integer(text, value);
    int64_t base = 0;
    if (!parse_integer(text.substr(0, hash), base) || base < 2 || base > 36) return false;
    uint64_t total = 0;
    for (char c : text.substr(hash + 1)) {
      int digit = is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
      if (c == '_' || digit < 0 || digit >= base) return false;
      total = total * static_cast<uint64_t>(base) + static_cast<uint64_t>(digit);
    }
    value = static_cast<int64_t>(total);
    return hash + 1 < text.size();
  }

  std::string_view text_;
  Names& names_;
  shell::Arena& arena_;
  size_t at_ = 0;
  Token token_;
  bool last_was_name_ = false;
  int depth_ = 0;
  std::string error_;
};

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
      case Expression::kVariable: return variable(e.name);
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
  Result<int64_t> variable(NameId name) {
    auto text = bindings_.lookup(name);
    if (!text) return fail({}, text.error().message);
    int64_t number = 0;
    if (*text == nullptr || (*text)->empty() || parse_integer(**text, number)) return number;
    if (depth_ >= kMaxIndirection) {
      return fail({}, fmt::format("{}: expression recursion level exceeded", names_.text(name)));
    }
    shell::Arena arena;
    auto parsed = parse_arithmetic(**text, names_, arena);
    if (!parsed) return fail({}, fmt::format("Illegal number: {}", **text));
    return Evaluator(bindings_, names_, {}, depth_ + 1).value(**parsed);
  }

  Result<int64_t> store(NameId name, int64_t number) {
    fmt::format_int text(number);
    auto stored = bindings_.assign(name, {text.data(), text.size()});
    if (!stored) return fail({}, stored.error().message);
    return number;
  }

  Result<int64_t> unary(const Expression& e) {
    auto operand = value(*e.left);
    if (!operand) return operand;
    int64_t step = e.op == Op::kIncrement ? 1 : -1;
    switch (e.op) {
      case Op::kMinus: return static_cast<int64_t>(0 - static_cast<uint64_t>(*operand));
      case Op::kNot: return *operand == 0;
      case Op::kComplement: return ~*operand;
      case Op::kIncrement:
      case Op::kDecrement: {
        auto changed = store(e.left->name, *apply(Op::kAdd, *operand, step));
        return e.kind == Expression::kPostfix && changed ? operand : changed;
      }
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
    Result<int64_t> left = 0;
    if (e.op != Op::kNone) left = value(*e.left);
    if (!left) return left;
    auto right = value(*e.right);
    if (!right) return right;
    auto result = apply(e.op, *left, *right);
    if (!result) return result;
    return store(e.left->name, *result);
  }

  Bindings& bindings_;
  Names& names_;
  std::span<const int64_t> slots_;
  int depth_;
};

}  // namespace

Result<const Expression*> parse_arithmetic(std::string_view text, Names& names,
                                           shell::Arena& arena) {
  return Parser(text, names, arena).parse();
}

Result<int64_t> evaluate(const Expression& expression, Bindings& bindings, Names& names,
                         std::span<const int64_t> slots) {
  return Evaluator(bindings, names, slots, 0).value(expression);
}

bool parse_integer(std::string_view text, int64_t& value) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text[0])) return false;
  uint64_t base = 10;
  if (text[0] == '0' && text.size() > 1) {
    base = (text[1] | 0x20) == 'x' ? 16 : 8;
    text.remove_prefix(base == 16 ? 2 : 1);
    if (text.empty()) return false;
  }
  uint64_t total = 0;
  for (char c : text) {
    uint64_t digit =
        is_digit(c) ? static_cast<uint64_t>(c - '0') : static_cast<uint64_t>((c | 0x20) - 'a' + 10);
    if (digit >= base) return false;
    total = total * base + digit;
  }
  value = static_cast<int64_t>(negative ? 0 - total : total);
  return true;
}

}  // namespace nacre::machine
