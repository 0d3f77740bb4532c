#include "shell/arithmetic.h"

#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "shell/characters.h"

namespace nacre::shell {

namespace {

using Expression = ArithmeticExpression;
using Op = ArithmeticOp;

struct BinaryOperator {
  std::string_view text;
  Op op;
  int precedence;  // higher binds tighter
};

// Longer operators before their prefixes. Assignments and `?:` are handled apart.
constexpr std::array kBinaryOperators = {
    BinaryOperator{"**", Op::kPower, 13},       BinaryOperator{"<<", Op::kShiftLeft, 10},
    BinaryOperator{">>", Op::kShiftRight, 10},  BinaryOperator{"<=", Op::kLessEqual, 9},
    BinaryOperator{">=", Op::kGreaterEqual, 9}, BinaryOperator{"==", Op::kEqual, 8},
    BinaryOperator{"!=", Op::kNotEqual, 8},     BinaryOperator{"&&", Op::kAnd, 4},
    BinaryOperator{"||", Op::kOr, 3},           BinaryOperator{"*", Op::kMultiply, 12},
    BinaryOperator{"/", Op::kDivide, 12},       BinaryOperator{"%", Op::kRemainder, 12},
    BinaryOperator{"+", Op::kAdd, 11},          BinaryOperator{"-", Op::kSubtract, 11},
    BinaryOperator{"<", Op::kLess, 9},          BinaryOperator{">", Op::kGreater, 9},
    BinaryOperator{"&", Op::kBitAnd, 7},        BinaryOperator{"^", Op::kBitXor, 6},
    BinaryOperator{"|", Op::kBitOr, 5},
};

constexpr std::string_view kAssignable = "*/%+-&^|";  // and << >>

class ArithmeticParser {
 public:
  ArithmeticParser(std::span<const Part> parts, const ParseOptions& options, Arena& arena)
      : parts_(parts),
        arena_(arena),
        is_bash_(options.dialect == Dialect::kBash),
        depth_left_(options.max_depth),
        operators_left_(4 * options.max_depth) {}

  const Expression* parse() {
    const Expression* result = comma();
    skip_blanks();
    return is_at_end() && operators_left_ > 0 ? result : nullptr;
  }

 private:
  // Text and expansions in one sequence of positions: (part, offset in its text).
  [[nodiscard]] bool is_at_end() const { return part_ >= parts_.size(); }
  [[nodiscard]] bool is_at_text() const {
    return !is_at_end() && parts_[part_].kind == PartKind::kLiteral;
  }
  [[nodiscard]] std::string_view rest() const {
    return is_at_text() ? parts_[part_].text().substr(offset_) : std::string_view();
  }
  void step(size_t bytes) {
    offset_ += bytes;
    while (!is_at_end() && parts_[part_].kind == PartKind::kLiteral &&
           offset_ >= parts_[part_].size) {
      part_++;
      offset_ = 0;
    }
  }
  void skip_blanks() {
    while (is_at_text() && std::string_view(" \t\n").find(rest()[0]) != std::string_view::npos) {
      step(1);
    }
  }
  [[nodiscard]] uint32_t position() const {
    if (is_at_end()) return parts_.empty() ? 0 : parts_.back().span.end;
    return parts_[part_].span.begin + static_cast<uint32_t>(offset_);
  }

  // An operator that starts with `text` but is longer, or is not followed by `=`, is not accepted.
  bool accept(std::string_view text) {
    skip_blanks();
    if (!rest().starts_with(text)) return false;
    end_ = position() + static_cast<uint32_t>(text.size());
    step(text.size());
    return true;
  }

  Expression* make(ArithmeticKind kind, Op op, uint32_t begin, const Expression* left,
                   const Expression* right) {
    operators_left_ -= operators_left_ > 0 ? 1 : 0;
    Expression expression;
    expression.kind = kind;
    expression.op = op;
    expression.span = {begin, end_};
    expression.left = left;
    expression.right = right;
    return arena_.make(expression);
  }

  const Expression* comma() {
    if (depth_left_ == 0) return nullptr;
    depth_left_--;
    const Expression* left = assignment();
    while (left != nullptr && accept(",")) {
      const Expression* right = assignment();
      if (right == nullptr) return nullptr;
      left = make(ArithmeticKind::kBinary, Op::kComma, left->span.begin, left, right);
    }
    depth_left_++;
    return left;
  }

  std::optional<Op> accept_assignment() {
    skip_blanks();
    std::string_view text = rest();
    if (text.starts_with("=") && !text.starts_with("==")) {
      accept("=");
      return Op::kNone;
    }
    for (const BinaryOperator& binary : kBinaryOperators) {
      bool is_shift = binary.text == "<<" || binary.text == ">>";
      if (!is_shift && kAssignable.find(binary.text) == std::string_view::npos) continue;
      size_t size = binary.text.size();
      if (!text.starts_with(binary.text) || text.size() <= size || text[size] != '=') continue;
      accept(text.substr(0, size + 1));
      return binary.op;
    }
    return std::nullopt;
  }

  const Expression* assignment() {
    if (depth_left_ == 0) return nullptr;
    depth_left_--;
    const Expression* left = ternary();
    bool is_target = left != nullptr && (left->kind == ArithmeticKind::kVariable ||
                                         left->kind == ArithmeticKind::kExpansion);
    if (is_target) {
      if (auto op = accept_assignment()) {
        const Expression* right = assignment();
        if (right == nullptr) return nullptr;
        left = make(ArithmeticKind::kAssign, *op, left->span.begin, left, right);
      }
    }
    depth_left_++;
    return left;
  }

  const Expression* ternary() {
    const Expression* condition = binary(0);
    if (condition == nullptr || !accept("?")) return condition;
    const Expression* left = comma();
    if (left == nullptr || !accept(":")) return nullptr;
    // To bash `c ? a : x = 1` assigns to the whole condition, which is an error.
    const Expression* right = is_bash_ ? ternary() : assignment();
    if (right == nullptr) return nullptr;
    Expression* result =
        make(ArithmeticKind::kTernary, Op::kNone, condition->span.begin, left, right);
    result->condition = condition;
    return result;
  }

  [[nodiscard]] const BinaryOperator* next_binary() {
    skip_blanks();
    std::string_view text = rest();
    for (const BinaryOperator& binary : kBinaryOperators) {
      if (!text.starts_with(binary.text)) continue;
      bool assigns = binary.precedence > 4 && binary.precedence != 8 && binary.precedence != 9 &&
                     text.size() > binary.text.size() && text[binary.text.size()] == '=';
      return assigns ? nullptr : &binary;
    }
    return nullptr;
  }

  const Expression* binary(int precedence) {
    if (depth_left_ == 0) return nullptr;
    depth_left_--;
    const Expression* left = unary();
    while (left != nullptr) {
      const BinaryOperator* next = next_binary();
      if (next == nullptr || next->precedence <= precedence) break;
      accept(next->text);
      bool is_right_associative = next->op == Op::kPower;
      const Expression* right =
          binary(is_right_associative ? next->precedence - 1 : next->precedence);
      if (right == nullptr) return nullptr;
      left = make(ArithmeticKind::kBinary, next->op, left->span.begin, left, right);
    }
    depth_left_++;
    return left;
  }

  const Expression* unary() {
    skip_blanks();
    uint32_t begin = position();
    Op op = accept("++")   ? Op::kIncrement
            : accept("--") ? Op::kDecrement
            : accept("+")  ? Op::kPlus
            : accept("-")  ? Op::kMinus
            : accept("!")  ? Op::kNot
            : accept("~")  ? Op::kComplement
                           : Op::kNone;
    if (op == Op::kNone) return postfix();
    if (depth_left_ == 0) return nullptr;
    depth_left_--;
    const Expression* operand = unary();
    depth_left_++;
    return operand == nullptr ? nullptr : make(ArithmeticKind::kUnary, op, begin, operand, nullptr);
  }

  const Expression* postfix() {
    const Expression* operand = primary();
    while (operand != nullptr && operand->kind == ArithmeticKind::kVariable) {
      Op op = accept("++") ? Op::kIncrement : accept("--") ? Op::kDecrement : Op::kNone;
      if (op == Op::kNone) break;
      operand = make(ArithmeticKind::kPostfix, op, operand->span.begin, operand, nullptr);
    }
    return operand;
  }

  const Expression* primary() {
    skip_blanks();
    uint32_t begin = position();
    if (accept("(")) {
      const Expression* inner = comma();
      if (inner == nullptr || !accept(")")) return nullptr;
      return make(ArithmeticKind::kGroup, Op::kNone, begin, inner, nullptr);
    }
    return operand(begin);
  }

  // A run of name characters and expansions that touch: a number, a variable or `10#$x`.
  const Expression* operand(uint32_t begin) {
    std::vector<Part> pieces;
    while (!is_at_end()) {
      if (!is_at_text()) {
        pieces.push_back(parts_[part_]);
        end_ = parts_[part_].span.end;
        part_++;
        offset_ = 0;
        step(0);
        continue;
      }
      std::string_view text = rest();
      size_t size = 0;
      while (size < text.size() &&
             (is(text[size], kInName) || ((text[size] == '#' || text[size] == '@') && size > 0))) {
        size++;
      }
      if (size == 0) break;
      Part piece = parts_[part_];
      piece.bytes = text.data();
      piece.size = static_cast<uint32_t>(size);
      piece.span = {position(), position() + piece.size};
      pieces.push_back(piece);
      end_ = piece.span.end;
      step(size);
    }
    if (pieces.empty()) return nullptr;
    if (pieces.size() == 1 && pieces[0].kind == PartKind::kLiteral) {
      return literal(pieces[0].text(), begin);
    }
    Expression* result = make(ArithmeticKind::kExpansion, Op::kNone, begin, nullptr, nullptr);
    result->parts = arena_.copy(std::span<const Part>(pieces));
    return result;
  }

  const Expression* literal(std::string_view text, uint32_t begin) {
    if (is_name(text)) {
      Expression* result = make(ArithmeticKind::kVariable, Op::kNone, begin, nullptr, nullptr);
      result->name = text;
      return rest().starts_with("[") ? subscripted(result) : result;
    }
    auto value = number(text);
    if (!value) return nullptr;
    Expression* result = make(ArithmeticKind::kNumber, Op::kNone, begin, nullptr, nullptr);
    result->value = *value;
    return result;
  }

  // name[...]: the parts between the brackets, which may hold brackets of their own.
  const Expression* subscripted(Expression* variable) {
    Subscript subscript;
    subscript.span.begin = position();
    step(1);
    std::vector<Part> inside;
    for (uint32_t depth = 0; !is_at_end();) {
      if (!is_at_text()) {
        inside.push_back(parts_[part_]);
        part_++;
        offset_ = 0;
        step(0);
        continue;
      }
      std::string_view text = rest();
      size_t size = 0;
      while (size < text.size() && !(text[size] == ']' && depth == 0)) {
        if (text[size] == '[') depth++;
        if (text[size] == ']') depth--;
        size++;
      }
      if (size > 0) {
        Part piece = parts_[part_];
        piece.bytes = text.data();
        piece.size = static_cast<uint32_t>(size);
        piece.span = {position(), position() + piece.size};
        inside.push_back(piece);
      }
      bool is_closed = size < text.size();
      step(size);
      if (is_closed) return finish_subscript(variable, subscript, inside);
    }
    return nullptr;
  }

  const Expression* finish_subscript(Expression* variable, Subscript& subscript,
                                     const std::vector<Part>& inside) {
    end_ = position() + 1;
    step(1);
    subscript.span.end = end_;
    if (inside.size() == 1 && inside[0].kind == PartKind::kLiteral) {
      if (inside[0].text() == "@") subscript.kind = SubscriptKind::kAllSeparate;
      if (inside[0].text() == "*") subscript.kind = SubscriptKind::kAllJoined;
    }
    auto parts = arena_.copy(std::span<const Part>(inside));
    subscript.word.span = {subscript.span.begin + 1, subscript.span.end - 1};
    Part& root = subscript.word.root;
    if (parts.size() == 1) {
      root = parts[0];
      root.word_flags = kWordIsInPlace | (parts[0].is_text() ? kWordIsLiteral : 0);
    } else {
      root.children = parts.data();
      root.size = static_cast<uint32_t>(parts.size());
      root.word_flags = 0;
    }
    ArithmeticParser inner(parts, arena_, is_bash_, depth_left_);
    if (depth_left_ > 0) subscript.expression = inner.parse();
    variable->subscript = arena_.make(subscript);
    variable->span.end = end_;
    return variable;
  }

  ArithmeticParser(std::span<const Part> parts, Arena& arena, bool is_bash, uint32_t depth)
      : parts_(parts),
        arena_(arena),
        is_bash_(is_bash),
        depth_left_(depth > 0 ? depth - 1 : 0),
        operators_left_(4 * depth_left_) {}

  // As C reads it, and bash's base#digits. Values wrap around like the shells' do.
  static std::optional<int64_t> number(std::string_view text) {
    unsigned base = 10;
    size_t mark = text.find('#');
    if (mark != std::string_view::npos) {
      auto [end, error] = std::from_chars(text.data(), text.data() + mark, base);
      if (error != std::errc() || end != text.data() + mark || base < 2 || base > 64) return {};
      text.remove_prefix(mark + 1);
      if (text.empty()) return {};
    } else if (text.starts_with("0x") || text.starts_with("0X")) {
      base = 16;
      text.remove_prefix(2);
    } else if (text.size() > 1 && text[0] == '0') {
      base = 8;
    }
    uint64_t value = 0;
    for (char c : text) {
      unsigned digit = digit_value(c, base);
      if (digit >= base) return {};
      value = value * base + digit;
    }
    return static_cast<int64_t>(value);
  }

  static unsigned digit_value(char c, unsigned base) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A') + (base <= 36 ? 10 : 36);
    if (c == '@') return 62;
    if (c == '_') return 63;
    return 64;
  }

  std::span<const Part> parts_;
  size_t part_ = 0;
  size_t offset_ = 0;
  uint32_t end_ = 0;  // of the last thing accepted
  Arena& arena_;
  bool is_bash_;
  uint32_t depth_left_;
  uint32_t operators_left_;  // a chain of operators is a deep tree, too
};

}  // namespace

const ArithmeticExpression* parse_arithmetic(std::span<const Part> parts,
                                             const ParseOptions& options, Arena& arena) {
  return ArithmeticParser(parts, options, arena).parse();
}

}  // namespace nacre::shell
