// Expressions, from the loosest operator to the tightest; awk_parser.h says what decides.
#include "commands/awk_parser.h"

namespace nacre::awk {

Exprs Parser::expression_list(Token close, std::string_view close_name) {
  Exprs result;
  skip_newlines();
  while (!failed_ && !at(close)) {
    result.push_back(outside_print(&Parser::expression));
    skip_newlines();
    if (!at(close)) {
      expect(Token::kComma, "','");
      skip_newlines();
      if (at(close)) fail("syntax error");
    }
  }
  expect(close, close_name);
  return result;
}

ExprId Parser::expression() {
  Depth depth(*this);
  if (failed_) return expr(here(), Number{0});
  const ExprId target = conditional();
  std::optional<BinaryOp> op;
  switch (lexer_.token()) {
    case Token::kAssign: break;
    case Token::kAddAssign: op = BinaryOp::kAdd; break;
    case Token::kSubtractAssign: op = BinaryOp::kSubtract; break;
    case Token::kMultiplyAssign: op = BinaryOp::kMultiply; break;
    case Token::kDivideAssign: op = BinaryOp::kDivide; break;
    case Token::kModuloAssign: op = BinaryOp::kModulo; break;
    case Token::kPowerAssign: op = BinaryOp::kPower; break;
    default: return target;
  }
  return assignment(target, op);
}

// `a && b = c` and `!x = y` assign to their last operand in every awk: the tree is rotated to say
// so.
ExprId Parser::assignment(ExprId target, std::optional<BinaryOp> op) {
  if (is_lvalue(target)) {
    lexer_.advance();
    skip_newlines();
    const ExprId value = expression();
    return expr(begin_of(target), Assign{op, target, value});
  }
  if (auto* binary = std::get_if<Binary>(&program_.exprs[static_cast<uint32_t>(target)].node)) {
    Binary rotated = *binary;
    rotated.right = assignment(rotated.right, op);
    return expr(begin_of(target), rotated);
  }
  if (auto* unary_node = std::get_if<Unary>(&program_.exprs[static_cast<uint32_t>(target)].node)) {
    Unary rotated = *unary_node;
    rotated.operand = assignment(rotated.operand, op);
    return expr(begin_of(target), rotated);
  }
  fail("syntax error: only a variable, a field or an array element can be assigned to");
  return target;
}

bool Parser::is_lvalue(ExprId id) const {
  return is<Variable>(id) || is<Field>(id) || is<Element>(id);
}

ExprId Parser::conditional() {
  const ExprId condition = logical_or();
  if (!accept(Token::kQuestion)) return condition;
  skip_newlines();
  const ExprId then = expression();
  skip_newlines();
  expect(Token::kColon, "':'");
  skip_newlines();
  const ExprId otherwise = expression();
  return expr(begin_of(condition), Conditional{condition, then, otherwise});
}

ExprId Parser::binary(BinaryOp op, ExprId left, ExprId right) {
  return expr(begin_of(left), Binary{op, left, right});
}

ExprId Parser::logical_or() {
  ExprId left = logical_and();
  while (accept(Token::kOr)) {
    skip_newlines();
    left = binary(BinaryOp::kOr, left, logical_and());
  }
  return left;
}

ExprId Parser::logical_and() {
  ExprId left = membership();
  while (accept(Token::kAnd)) {
    skip_newlines();
    left = binary(BinaryOp::kAnd, left, membership());
  }
  return left;
}

ExprId Parser::membership() {
  ExprId left = matching();
  while (accept(Token::kIn)) {
    const uint32_t begin = begin_of(left);
    Exprs keys{left};
    if (const auto* group = std::get_if<Grouping>(&program_[left].node)) keys = group->items;
    std::string array = take_name("an array");
    subscripts();  // gawk: `k in a[i]`
    left = expr(begin, Membership{std::move(keys), std::move(array)});
  }
  return left;
}

ExprId Parser::matching() {
  ExprId left = comparison();
  while (at(Token::kTilde) || at(Token::kNotTilde)) {
    const BinaryOp op = at(Token::kTilde) ? BinaryOp::kMatch : BinaryOp::kNotMatch;
    lexer_.advance();
    left = binary(op, left, comparison());
  }
  return left;
}

std::optional<BinaryOp> Parser::comparison_operator() const {
  switch (lexer_.token()) {
    case Token::kLess: return BinaryOp::kLess;
    case Token::kLessEqual: return BinaryOp::kLessEqual;
    case Token::kEqual: return BinaryOp::kEqual;
    case Token::kNotEqual: return BinaryOp::kNotEqual;
    case Token::kGreaterEqual: return BinaryOp::kGreaterEqual;
    case Token::kGreater:
      if (!in_print_) return BinaryOp::kGreater;
      return std::nullopt;
    default: return std::nullopt;
  }
}

ExprId Parser::comparison() {
  ExprId left = piped_getline();
  if (auto op = comparison_operator()) {
    lexer_.advance();
    left = binary(*op, left, piped_getline());
  }
  return left;
}

ExprId Parser::piped_getline() {
  ExprId left = concatenation();
  while (at(Token::kPipe) || at(Token::kPipeBoth)) {
    const bool is_coprocess = at(Token::kPipeBoth);
    Lexer after = lexer_;
    after.advance();
    if (after.token() != Token::kGetline) break;
    lexer_ = std::move(after);
    lexer_.advance();
    Getline node{is_coprocess ? Getline::Source::kCoprocess : Getline::Source::kCommand, left,
                 getline_target()};
    left = expr(begin_of(left), std::move(node));
  }
  return left;
}

std::optional<ExprId> Parser::getline_target() {
  if (!at(Token::kName) && !at(Token::kDollar)) return std::nullopt;
  return primary();
}

// What may begin the right operand of a concatenation. Not `+`, `-`, `/`: those are operators
// here.
bool Parser::at_operand() const {
  switch (lexer_.token()) {
    case Token::kNumber:
    case Token::kString:
    case Token::kName:
    case Token::kFuncName:
    case Token::kBuiltin:
    case Token::kDollar:
    case Token::kNot:
    case Token::kLeftParen:
    case Token::kIncrement:
    case Token::kDecrement: return true;
    default: return false;
  }
}

ExprId Parser::concatenation() {
  ExprId left = additive();
  while (!failed_ && at_operand()) left = binary(BinaryOp::kConcat, left, additive());
  return left;
}

ExprId Parser::additive() {
  ExprId left = multiplicative();
  while (at(Token::kPlus) || at(Token::kMinus)) {
    const BinaryOp op = at(Token::kPlus) ? BinaryOp::kAdd : BinaryOp::kSubtract;
    lexer_.advance();
    left = binary(op, left, multiplicative());
  }
  return left;
}

ExprId Parser::multiplicative() {
  ExprId left = unary();
  while (at(Token::kStar) || at(Token::kSlash) || at(Token::kPercent)) {
    const BinaryOp op = at(Token::kStar)    ? BinaryOp::kMultiply
                        : at(Token::kSlash) ? BinaryOp::kDivide
                                            : BinaryOp::kModulo;
    lexer_.advance();
    left = binary(op, left, unary());
  }
  return left;
}

ExprId Parser::unary() {
  Depth depth(*this);
  if (failed_) return expr(here(), Number{0});
  const uint32_t begin = here();
  if (accept(Token::kNot)) return prefix(begin, UnaryOp::kNot);
  if (accept(Token::kMinus)) return prefix(begin, UnaryOp::kMinus);
  if (accept(Token::kPlus)) return prefix(begin, UnaryOp::kPlus);
  return power();
}

ExprId Parser::prefix(uint32_t begin, UnaryOp op) {
  const ExprId operand = unary();
  return expr(begin, Unary{op, operand});
}

ExprId Parser::power() {
  const ExprId base = postfix();
  if (!accept(Token::kCaret)) return base;
  return binary(BinaryOp::kPower, base, unary());  // `2 ^ -1` and `2 ^ 3 ^ 4`: to the right
}

ExprId Parser::postfix() {
  const ExprId operand = primary();
  if (!is_lvalue(operand) || (!at(Token::kIncrement) && !at(Token::kDecrement))) return operand;
  const int delta = at(Token::kIncrement) ? 1 : -1;
  lexer_.advance();
  return expr(begin_of(operand), Increment{false, delta, operand});
}

ExprId Parser::primary() {
  Depth depth(*this);
  const uint32_t begin = here();
  if (failed_) return expr(begin, Number{0});
  switch (lexer_.token()) {
    case Token::kNumber: {
      const double value = lexer_.number();
      lexer_.advance();
      return expr(begin, Number{value});
    }
    case Token::kString: {
      std::string value = lexer_.value();
      lexer_.advance();
      return expr(begin, String{std::move(value)});
    }
    case Token::kSlash:
    case Token::kDivideAssign: return regex();
    case Token::kDollar: return field();
    case Token::kIncrement:
    case Token::kDecrement: return increment();
    case Token::kLeftParen: return grouping();
    case Token::kGetline: return getline();
    case Token::kBuiltin: return builtin_call();
    case Token::kFuncName: return call(false);
    case Token::kAt: return at_sign();
    case Token::kName: return variable();
    default: fail("syntax error"); return expr(begin, Number{0});
  }
}

ExprId Parser::regex() {
  const uint32_t begin = here();
  lexer_.rescan_regex();
  std::string source = lexer_.value();
  if (!accept(Token::kRegex)) fail("syntax error");
  return expr(begin, Regex{std::move(source)});
}

ExprId Parser::field() {
  const uint32_t begin = here();
  lexer_.advance();
  // `$i++` is ($i)++, `$++i` is $(++i), `$-1` and `$!x` are taken by every awk.
  const bool is_signed = at(Token::kMinus) || at(Token::kPlus) || at(Token::kNot);
  const ExprId index = is_signed ? unary() : primary();
  return expr(begin, Field{index});
}

ExprId Parser::increment() {
  const uint32_t begin = here();
  const int delta = at(Token::kIncrement) ? 1 : -1;
  lexer_.advance();
  const ExprId target = primary();
  if (!failed_ && !is_lvalue(target)) fail("syntax error: only a variable can be incremented");
  return expr(begin, Increment{true, delta, target});
}

ExprId Parser::grouping() {
  const uint32_t begin = here();
  lexer_.advance();
  Exprs items = expression_list(Token::kRightParen, "')'");
  if (items.empty()) fail("syntax error: empty parentheses");
  return expr(begin, Grouping{std::move(items)});
}

ExprId Parser::getline() {
  const uint32_t begin = here();
  lexer_.advance();
  Getline node{Getline::Source::kInput, {}, getline_target()};
  if (accept(Token::kLess)) {
    node.source = Getline::Source::kFile;
    node.from = postfix();
  }
  return expr(begin, std::move(node));
}

ExprId Parser::builtin_call() {
  const uint32_t begin = here();
  std::string name = lexer_.value();
  lexer_.advance();
  Exprs arguments;
  if (at(Token::kLeftParen)) {
    lexer_.advance();
    arguments = expression_list(Token::kRightParen, "')'");
  } else if (name != "length") {
    fail("syntax error: " + name + " needs its arguments in parentheses");
  }
  return expr(begin, Call{std::move(name), std::move(arguments), true, false});
}

ExprId Parser::call(bool is_indirect) {
  const uint32_t begin = here();
  std::string name = lexer_.value();
  lexer_.advance();
  expect(Token::kLeftParen, "'('");
  Exprs arguments = expression_list(Token::kRightParen, "')'");
  return expr(begin, Call{std::move(name), std::move(arguments), false, is_indirect});
}

// gawk: `@name(...)` calls the function named by a variable, `@/re/` is a regex as a value.
ExprId Parser::at_sign() {
  lexer_.advance();
  if (at(Token::kSlash)) return regex();
  if (at(Token::kFuncName)) return call(true);
  fail("syntax error");
  return expr(here(), Number{0});
}

// `[i]`, `[i, j]` and gawk's `[i][j]`, which holds as many values and is not told apart.
Exprs Parser::subscripts() {
  Exprs result;
  while (accept(Token::kLeftBracket)) {
    Exprs more = expression_list(Token::kRightBracket, "']'");
    if (more.empty()) fail("syntax error: an array needs a subscript");
    result.insert(result.end(), more.begin(), more.end());
  }
  return result;
}

ExprId Parser::variable() {
  const uint32_t begin = here();
  std::string name = lexer_.value();
  lexer_.advance();
  if (!at(Token::kLeftBracket)) return expr(begin, Variable{std::move(name)});
  Exprs indices = subscripts();
  return expr(begin, Element{std::move(name), std::move(indices)});
}

}  // namespace nacre::awk
