// Expressions. Binary operators climb by precedence; the rest follows the grammar rule by rule.
#include "python/parser.h"

namespace nacre::python {
namespace {

struct BinaryForm {
  Tok token;
  BinaryOp op;
  int precedence;
};

constexpr BinaryForm kBinary[] = {
    {Tok::kBar, BinaryOp::kBitOr, 1},         {Tok::kCaret, BinaryOp::kBitXor, 2},
    {Tok::kAmpersand, BinaryOp::kBitAnd, 3},  {Tok::kLeftShift, BinaryOp::kLShift, 4},
    {Tok::kRightShift, BinaryOp::kRShift, 4}, {Tok::kPlus, BinaryOp::kAdd, 5},
    {Tok::kMinus, BinaryOp::kSub, 5},         {Tok::kStar, BinaryOp::kMult, 6},
    {Tok::kSlash, BinaryOp::kDiv, 6},         {Tok::kDoubleSlash, BinaryOp::kFloorDiv, 6},
    {Tok::kPercent, BinaryOp::kMod, 6},       {Tok::kAt, BinaryOp::kMatMult, 6},
};

const BinaryForm* binary_form(Tok kind) {
  for (const BinaryForm& form : kBinary) {
    if (form.token == kind) return &form;
  }
  return nullptr;
}

}  // namespace

bool Parser::at_expression() const {
  switch (kind()) {
    case Tok::kName:
    case Tok::kNumber:
    case Tok::kString:
    case Tok::kFStringStart:
    case Tok::kLeftParen:
    case Tok::kLeftBracket:
    case Tok::kLeftBrace:
    case Tok::kPlus:
    case Tok::kMinus:
    case Tok::kTilde:
    case Tok::kStar:
    case Tok::kEllipsis:
    case Tok::kNot:
    case Tok::kLambda:
    case Tok::kAwait:
    case Tok::kNone:
    case Tok::kTrue:
    case Tok::kFalse: return true;
    default: return false;
  }
}

ExprId Parser::star_expressions(bool allow_walrus) {
  uint32_t begin = here();
  ExprId first = star_expression(allow_walrus);
  if (kind() != Tok::kComma) return first;
  Exprs items = {first};
  while (accept(Tok::kComma) && at_expression()) items.push_back(star_expression(allow_walrus));
  return expr(begin, TupleExpr{std::move(items)});
}

ExprId Parser::star_expression(bool allow_walrus) {
  uint32_t begin = here();
  if (accept(Tok::kStar)) {
    ExprId value = binary(1);
    return expr(begin, Starred{value});
  }
  return allow_walrus ? named_expression() : expression();
}

ExprId Parser::named_expression() {
  uint32_t begin = here();
  if (kind() == Tok::kName && next_kind() == Tok::kWalrus) {
    ExprId target = atom();
    expect(Tok::kWalrus);
    ExprId value = expression();
    return expr(begin, NamedExpr{target, value});
  }
  return expression();
}

ExprId Parser::expression() {
  Depth depth(*this);
  uint32_t begin = here();
  if (kind() == Tok::kLambda) return lambda();
  ExprId body = disjunction();
  if (!accept(Tok::kIf)) return body;
  ExprId test = disjunction();
  expect(Tok::kElse);
  ExprId otherwise = expression();
  return expr(begin, IfExp{test, body, otherwise});
}

ExprId Parser::disjunction() {
  uint32_t begin = here();
  ExprId first = conjunction();
  if (kind() != Tok::kOr) return first;
  Exprs values = {first};
  while (accept(Tok::kOr)) values.push_back(conjunction());
  return expr(begin, BoolOperation{BoolOp::kOr, std::move(values)});
}

ExprId Parser::conjunction() {
  uint32_t begin = here();
  ExprId first = inversion();
  if (kind() != Tok::kAnd) return first;
  Exprs values = {first};
  while (accept(Tok::kAnd)) values.push_back(inversion());
  return expr(begin, BoolOperation{BoolOp::kAnd, std::move(values)});
}

ExprId Parser::inversion() {
  uint32_t begin = here();
  if (!accept(Tok::kNot)) return comparison();
  Depth depth(*this);
  ExprId operand = inversion();
  return expr(begin, UnaryOperation{UnaryOp::kNot, operand});
}

ExprId Parser::comparison() {
  uint32_t begin = here();
  ExprId left = binary(1);
  Compare compare{left, {}, {}};
  for (;;) {
    if (accept(Tok::kEqualEqual)) {
      compare.ops.push_back(CompareOp::kEq);
    } else if (accept(Tok::kNotEqual)) {
      compare.ops.push_back(CompareOp::kNotEq);
    } else if (accept(Tok::kLess)) {
      compare.ops.push_back(CompareOp::kLt);
    } else if (accept(Tok::kLessEqual)) {
      compare.ops.push_back(CompareOp::kLtE);
    } else if (accept(Tok::kGreater)) {
      compare.ops.push_back(CompareOp::kGt);
    } else if (accept(Tok::kGreaterEqual)) {
      compare.ops.push_back(CompareOp::kGtE);
    } else if (accept(Tok::kIn)) {
      compare.ops.push_back(CompareOp::kIn);
    } else if (accept(Tok::kIs)) {
      compare.ops.push_back(accept(Tok::kNot) ? CompareOp::kIsNot : CompareOp::kIs);
    } else if (kind() == Tok::kNot && next_kind() == Tok::kIn) {
      take(), take();
      compare.ops.push_back(CompareOp::kNotIn);
    } else {
      break;
    }
    compare.comparators.push_back(binary(1));
  }
  return compare.ops.empty() ? left : expr(begin, std::move(compare));
}

ExprId Parser::binary(int min_precedence) {
  uint32_t begin = here();
  ExprId left = unary();
  for (;;) {
    const BinaryForm* form = binary_form(kind());
    if (form == nullptr || form->precedence < min_precedence) return left;
    take();
    ExprId right = binary(form->precedence + 1);
    left = expr(begin, BinaryOperation{form->op, left, right});
  }
}

ExprId Parser::unary() {
  uint32_t begin = here();
  UnaryOp op{};
  switch (kind()) {
    case Tok::kPlus: op = UnaryOp::kPlus; break;
    case Tok::kMinus: op = UnaryOp::kMinus; break;
    case Tok::kTilde: op = UnaryOp::kInvert; break;
    default: return power();
  }
  Depth depth(*this);
  take();
  ExprId operand = unary();
  return expr(begin, UnaryOperation{op, operand});
}

ExprId Parser::power() {
  uint32_t begin = here();
  ExprId base = await_primary();
  if (!accept(Tok::kDoubleStar)) return base;
  Depth depth(*this);
  ExprId exponent = unary();
  return expr(begin, BinaryOperation{BinaryOp::kPow, base, exponent});
}

ExprId Parser::await_primary() {
  uint32_t begin = here();
  if (!accept(Tok::kAwait)) return primary();
  ExprId value = primary();
  return expr(begin, Await{value});
}

ExprId Parser::primary() {
  uint32_t begin = here();
  ExprId value = atom();
  for (;;) {
    if (accept(Tok::kDot)) {
      std::string name = take_name();
      value = expr(begin, Attribute{value, std::move(name)});
    } else if (kind() == Tok::kLeftParen) {
      value = call(begin, value);
    } else if (kind() == Tok::kLeftBracket) {
      value = subscript(begin, value);
    } else {
      return value;
    }
  }
}

ExprId Parser::call(uint32_t begin, ExprId function) {
  Call result{function, {}, {}};
  expect(Tok::kLeftParen);
  arguments(result.args, result.keywords, Tok::kRightParen);
  expect(Tok::kRightParen);
  return expr(begin, std::move(result));
}

void Parser::arguments(Exprs& args, std::vector<Keyword>& keywords, Tok closing) {
  bool has_double_star = false;
  while (!failed_ && kind() != closing) {
    uint32_t begin = here();
    if (accept(Tok::kDoubleStar)) {
      has_double_star = true;
      ExprId value = expression();
      keywords.push_back({"", value, since(begin)});
    } else if (kind() == Tok::kName && next_kind() == Tok::kEqual) {
      std::string name = take_name();
      expect(Tok::kEqual);
      ExprId value = expression();
      keywords.push_back({std::move(name), value, since(begin)});
    } else if (accept(Tok::kStar)) {
      if (has_double_star)
        return error(since(begin), "iterable unpacking follows keyword unpacking");
      ExprId value = expression();
      args.push_back(expr(begin, Starred{value}));
    } else {
      ExprId value = named_expression();
      if (at_comprehension()) {
        auto generators = comprehensions();
        value = expr(
            begin, ComprehensionExpr{ComprehensionKind::kGenerator, value, std::move(generators)});
        if (!args.empty() || !keywords.empty() || kind() != closing ||
            closing != Tok::kRightParen) {
          return error(since(begin), "a generator expression must be parenthesized");
        }
        // CPython counts the parentheses of the call to the generator.
      } else if (!keywords.empty()) {
        return error(since(begin), "positional argument follows keyword argument");
      }
      args.push_back(value);
    }
    if (!accept(Tok::kComma)) return;
  }
}

ExprId Parser::subscript(uint32_t begin, ExprId value) {
  expect(Tok::kLeftBracket);
  uint32_t index_begin = here();
  ExprId index = slice();
  if (kind() == Tok::kComma || tree_.get<Starred>(index) != nullptr) {
    Exprs items = {index};
    while (accept(Tok::kComma) && kind() != Tok::kRightBracket && !failed_)
      items.push_back(slice());
    index = expr(index_begin, TupleExpr{std::move(items)});
  }
  expect(Tok::kRightBracket);
  return expr(begin, Subscript{value, index});
}

ExprId Parser::slice() {
  uint32_t begin = here();
  if (kind() == Tok::kStar) return star_expression(false);
  Slice parts;
  if (kind() != Tok::kColon) {
    bool is_walrus = kind() == Tok::kName && next_kind() == Tok::kWalrus;
    ExprId lower = named_expression();
    if (is_walrus || kind() != Tok::kColon) return lower;
    parts.lower = lower;
  }
  auto ends = [&] {
    return kind() == Tok::kColon || kind() == Tok::kComma || kind() == Tok::kRightBracket;
  };
  expect(Tok::kColon);
  if (!ends()) parts.upper = expression();
  if (accept(Tok::kColon) && !ends()) parts.step = expression();
  return expr(begin, parts);
}

ExprId Parser::atom() {
  uint32_t begin = here();
  switch (kind()) {
    case Tok::kName: {
      std::string name = take_name();
      return expr(begin, Name{std::move(name)});
    }
    case Tok::kNumber: return number();
    case Tok::kString:
    case Tok::kFStringStart: return strings();
    case Tok::kNone: take(); return expr(begin, NoneLiteral{});
    case Tok::kTrue: take(); return expr(begin, BoolLiteral{true});
    case Tok::kFalse: take(); return expr(begin, BoolLiteral{false});
    case Tok::kEllipsis: take(); return expr(begin, EllipsisLiteral{});
    case Tok::kLeftParen: return parenthesized();
    case Tok::kLeftBracket: return list_display();
    case Tok::kLeftBrace: return brace_display();
    default: unexpected(); return expr(begin, NoneLiteral{});
  }
}

}  // namespace nacre::python
