// Arithmetic, first half: from text to an Expression.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/ascii.h"
#include "machine/arithmetic.h"

namespace nacre::machine {
namespace {

using Op = shell::ArithmeticOp;

constexpr int kMaxNesting = 1000;  // of an expression: parsing and evaluating recurse

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
  Parser(std::string_view text, Names& names, shell::Arena& arena, bool has_arrays)
      : text_(text), names_(names), arena_(arena), has_arrays_(has_arrays) {
    advance();
  }

  Result<const Expression*> parse() {
    if (token_.kind == Token::kEnd) return number(0);
    const Expression* result = comma();
    if (error_.empty() && token_.kind != Token::kEnd) trailing();
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
    token_begin_ = at_;
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

  // As bash says it: the expression, the reason, and what it read last.
  const Expression* complain(std::string_view reason) {
    if (!error_.empty()) return number(0);
    std::string_view shown = text_;
    while (!shown.empty() && is_blank(shown.front())) shown.remove_prefix(1);
    error_ = fmt::format("{}: {} (error token is \"{}\")", shown, reason,
                         text_.substr(std::min(token_begin_, text_.size())));
    return number(0);
  }

  // What bash finds wrong with the number that is the token: nothing after it is shown.
  const Expression* bad_number() {
    std::string_view digits = token_.text;
    size_t hash = digits.find('#');
    std::string_view reason = "value too great for base";
    if (hash != std::string_view::npos) {
      int64_t base = 0;
      bool is_second = digits[0] == '0' || digits.find('#', hash + 1) != std::string_view::npos;
      bool is_base = parse_integer(digits.substr(0, hash), base) && base >= 2 && base <= 64;
      reason = is_second                   ? "invalid number"
               : !is_base                  ? "invalid arithmetic base"
               : hash + 1 == digits.size() ? "invalid integer constant"
                                           : reason;
    }
    if (!error_.empty()) return number(0);
    std::string_view shown = text_.substr(0, token_begin_ + digits.size());
    while (!shown.empty() && is_blank(shown.front())) shown.remove_prefix(1);
    error_ = fmt::format("{}: {} (error token is \"{}\")", shown, reason, digits);
    return number(0);
  }

  // Something follows the expression.
  void trailing() {
    if (!has_arrays_) {
      unexpected();
      return;
    }
    bool assigns = token_.kind == Token::kOperator &&
                   std::any_of(kAssign.begin(), kAssign.end(),
                               [&](const AssignOperator& op) { return op.text == token_.text; });
    bool is_operator = token_.kind == Token::kBad;
    complain(assigns       ? "attempted assignment to non-variable"
             : is_operator ? "syntax error: invalid arithmetic operator"
                           : "syntax error in expression");
  }

  const Expression* unexpected() {
    if (has_arrays_) return complain("syntax error: operand expected");
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
    if (has_arrays_ && (at(":") || token_.kind == Token::kEnd)) {
      return complain("expression expected");
    }
    made.left = comma();
    if (!take(":")) {
      return has_arrays_ ? complain("`:' expected for conditional expression") : unexpected();
    }
    if (has_arrays_ && (at(":") || token_.kind == Token::kEnd)) {
      return complain("expression expected");
    }
    made.right = has_arrays_ ? ternary() : assignment();
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
      if (!constant(token_.text, value)) {
        return has_arrays_ ? bad_number() : unexpected();
      }
      advance();
      return number(value);
    }
    if (token_.kind == Token::kName) {
      Expression made;
      made.kind = Expression::kVariable;
      made.name = names_.intern(token_.text);
      if (has_arrays_ && at_ < text_.size() && text_[at_] == '[') return element(made);
      advance();
      return arena_.make(made);
    }
    if (!take("(")) return unexpected();
    const Expression* inner = comma();
    if (!take(")")) return has_arrays_ ? complain("missing `)'") : unexpected();
    return inner;
  }

  // At the `[` after a name. Of an associative array the text is the key, so that an index that is
  // no expression fails only when it is evaluated.
  const Expression* element(Expression made) {
    size_t begin = ++at_;
    for (int depth = 1; at_ < text_.size(); ++at_) {
      if (text_[at_] == '[') ++depth;
      if (text_[at_] == ']' && --depth == 0) break;
    }
    if (at_ == text_.size()) {
      error_ = "bad array subscript";
      return number(0);
    }
    made.has_subscript = true;
    made.key = arena_.copy(text_.substr(begin, at_++ - begin));
    last_was_name_ = true;
    advance();
    return arena_.make(made);
  }

  // Also base#digits, which bash and ksh have.
  static bool constant(std::string_view text, int64_t& value) {
    size_t hash = text.find('#');
    if (hash == std::string_view::npos) return parse_integer(text, value);
    int64_t base = 0;
    if (!parse_integer(text.substr(0, hash), base) || base < 2 || base > 64) return false;
    uint64_t total = 0;
    for (char c : text.substr(hash + 1)) {
      int digit = digit_value(c, base);
      if (digit >= base) return false;
      total = total * static_cast<uint64_t>(base) + static_cast<uint64_t>(digit);
    }
    value = static_cast<int64_t>(total);
    return hash + 1 < text.size();
  }

  // Up to base 36 capital letters are the same as small ones.
  static int digit_value(char c, int64_t base) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + (base <= 36 ? 10 : 36);
    return c == '@' ? 62 : c == '_' ? 63 : 64;
  }

  std::string_view text_;
  Names& names_;
  shell::Arena& arena_;
  bool has_arrays_;
  size_t at_ = 0;
  size_t token_begin_ = 0;  // of the last token that is not an end
  Token token_;
  bool last_was_name_ = false;
  int depth_ = 0;
  std::string error_;
};

}  // namespace

Result<const Expression*> parse_arithmetic(std::string_view text, Names& names, shell::Arena& arena,
                                           bool has_arrays) {
  return Parser(text, names, arena, has_arrays).parse();
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
