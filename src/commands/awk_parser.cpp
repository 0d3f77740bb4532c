// Recursive descent over the grammar of POSIX awk, which is not context-free in the usual sense.
// What decides:
//
// 1. A `/` is division after an operand and a regular expression where an operand may stand
// (Lexer::rescan_regex).
// 2. In the unparenthesised arguments of print, `>` redirects; `in_print_` says that we are there.
// 3. In the parentheses of `for (`, `in` after a name makes it a loop over keys.
// 4. Two operands side by side are concatenation, so `a -1` is subtraction and `a (b)` is
// concatenation.
// 5. `cmd | getline` binds looser than concatenation, `getline < file` tighter.
//
// The first error ends the parse: `failed_` is set and every loop looks at it.
#include <algorithm>
#include <utility>

#include "commands/awk_lexer.h"
#include "commands/awk_program.h"

namespace nacre::awk {

namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) {}

  Result<Program> run() {
    skip_separators();
    while (!failed_ && !at(Token::kEnd)) {
      item();
      skip_separators();
    }
    if (failed_) return tl::unexpected<Error>(error_);
    if (auto undefined = find_undefined_call()) return tl::unexpected<Error>(*undefined);
    return std::move(program_);
  }

 private:
  // --- tokens

  [[nodiscard]] bool at(Token token) const { return lexer_.token() == token; }
  [[nodiscard]] uint32_t here() const { return lexer_.span().begin; }
  [[nodiscard]] Span since(uint32_t begin) const {
    return {begin, std::max(begin, lexer_.previous_end())};
  }

  void fail(std::string message) {
    if (failed_) return;
    failed_ = true;
    error_ = at(Token::kError) ? lexer_.error() : Error{lexer_.span(), std::move(message)};
  }
  bool accept(Token token) {
    if (failed_ || !at(token)) return false;
    lexer_.advance();
    return true;
  }
  void expect(Token token, std::string_view what) {
    if (!accept(token)) fail("syntax error: " + std::string(what) + " expected");
  }
  std::string take_name(std::string_view what) {
    std::string name = lexer_.value();
    if (!at(Token::kName) && !at(Token::kFuncName)) {
      fail("syntax error: " + std::string(what) + " expected");
    } else {
      lexer_.advance();
    }
    return name;
  }
  void skip_newlines() {
    while (accept(Token::kNewline)) {
    }
  }
  void skip_separators() {
    while (accept(Token::kNewline) || accept(Token::kSemicolon)) {
    }
  }

  // Counts the nesting of the function it stands in; past the limit it fails the parse.
  class Depth {
   public:
    explicit Depth(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxDepth) parser_.fail("the program is nested too deeply");
    }
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    Parser& parser_;
  };

  template <typename Node>
  ExprId expr(uint32_t begin, Node node) {
    program_.exprs.push_back({since(begin), std::move(node)});
    return static_cast<ExprId>(program_.exprs.size() - 1);
  }
  template <typename Node>
  StmtId stmt(uint32_t begin, Node node) {
    program_.stmts.push_back({since(begin), std::move(node)});
    return static_cast<StmtId>(program_.stmts.size() - 1);
  }
  [[nodiscard]] uint32_t begin_of(ExprId id) const { return program_[id].span.begin; }
  template <typename Node>
  [[nodiscard]] bool is(ExprId id) const {
    return std::holds_alternative<Node>(program_[id].node);
  }

  // --- program

  void item() {
    const uint32_t begin = here();
    switch (lexer_.token()) {
      case Token::kFunction: return function();
      case Token::kAt: return directive();
      case Token::kBegin: return special_rule(Rule::Kind::kBegin);
      case Token::kEndRule: return special_rule(Rule::Kind::kEnd);
      case Token::kBeginFile: return special_rule(Rule::Kind::kBeginFile);
      case Token::kEndFile: return special_rule(Rule::Kind::kEndFile);
      default: break;
    }
    Rule rule{Rule::Kind::kAlways, {}, {}, {}, {}};
    if (!at(Token::kLeftBrace)) {
      rule.kind = Rule::Kind::kPattern;
      rule.pattern = expression();
      if (accept(Token::kComma)) {
        skip_newlines();
        rule.kind = Rule::Kind::kRange;
        rule.range_end = expression();
      }
    }
    if (at(Token::kLeftBrace)) rule.action = block();
    end_item(rule.action.has_value());
    rule.span = since(begin);
    program_.rules.push_back(std::move(rule));
  }

  // After `}` another rule may follow on the same line; after a bare pattern it may not.
  void end_item(bool closed) {
    if (closed || at(Token::kEnd) || at(Token::kNewline) || at(Token::kSemicolon)) return;
    fail("syntax error");
  }

  void special_rule(Rule::Kind kind) {
    const uint32_t begin = here();
    const std::string name = lexer_.value();
    lexer_.advance();
    if (!at(Token::kLeftBrace))
      return fail("syntax error: " + name + " needs an action in braces on the same line");
    const StmtId action = block();
    program_.rules.push_back({kind, since(begin), {}, {}, action});
  }

  void directive() {
    lexer_.advance();
    const std::string word = take_name("the name of a directive");
    if (word == "include" || word == "load") {
      program_.includes.push_back(lexer_.value());
      expect(Token::kString, "a file name in quotes");
    } else if (word == "namespace") {
      expect(Token::kString, "a name in quotes");
    } else {
      fail("syntax error: @" + word + " is not a directive");
    }
  }

  void function() {
    const uint32_t begin = here();
    lexer_.advance();
    Function result;
    result.name = take_name("the function's name");
    expect(Token::kLeftParen, "'('");
    skip_newlines();
    while (!failed_ && !at(Token::kRightParen)) {
      result.parameters.push_back(take_name("a parameter"));
      skip_newlines();
      if (!at(Token::kRightParen)) expect(Token::kComma, "','");
      skip_newlines();
    }
    expect(Token::kRightParen, "')'");
    skip_newlines();
    result.body = block();
    result.span = since(begin);
    program_.functions.push_back(std::move(result));
  }

  // Awks refuse a call of a function that is nowhere defined before they run anything. An @include
  // may define it.
  std::optional<Error> find_undefined_call() const {
    if (!program_.includes.empty()) return std::nullopt;
    for (const Expr& candidate : program_.exprs) {
      const Call* call = std::get_if<Call>(&candidate.node);
      if (call == nullptr || call->is_builtin || call->is_indirect) continue;
      const bool is_defined =
          std::any_of(program_.functions.begin(), program_.functions.end(),
                      [&](const Function& f) { return f.name == call->function; });
      if (!is_defined)
        return Error{candidate.span, "function '" + call->function + "' is not defined"};
    }
    return std::nullopt;
  }

  // --- statements

  StmtId block() {
    const uint32_t begin = here();
    Block result;
    expect(Token::kLeftBrace, "'{'");
    skip_separators();
    while (!failed_ && !at(Token::kRightBrace)) {
      result.body.push_back(statement());
      skip_separators();
    }
    expect(Token::kRightBrace, "'}'");
    return stmt(begin, std::move(result));
  }

  // The body of if, while, for: a statement, on this line or a later one; `;` alone is the empty
  // statement.
  StmtId body() {
    skip_newlines();
    const uint32_t begin = here();
    if (accept(Token::kSemicolon)) return stmt(begin, Block{});
    return statement();
  }

  StmtId statement() {
    Depth depth(*this);
    if (failed_) return stmt(here(), Block{});
    switch (lexer_.token()) {
      case Token::kLeftBrace: return block();
      case Token::kIf: return if_statement();
      case Token::kWhile: return while_statement();
      case Token::kFor: return for_statement();
      case Token::kSwitch: return switch_statement();
      case Token::kDo: return do_statement();
      default: break;
    }
    const StmtId result = simple_statement();
    end_statement();
    return result;
  }

  void end_statement() {
    if (at(Token::kRightBrace) || at(Token::kEnd)) return;
    if (!accept(Token::kSemicolon) && !accept(Token::kNewline)) fail("syntax error");
  }

  StmtId simple_statement() {
    const uint32_t begin = here();
    switch (lexer_.token()) {
      case Token::kPrint:
      case Token::kPrintf: return output();
      case Token::kDelete: return delete_statement();
      case Token::kBreak: return jump(Jump::Kind::kBreak);
      case Token::kContinue: return jump(Jump::Kind::kContinue);
      case Token::kNext: return jump(Jump::Kind::kNext);
      case Token::kNextFile: return jump(Jump::Kind::kNextFile);
      case Token::kExit: {
        lexer_.advance();
        auto status = optional_expression();
        return stmt(begin, Exit{status});
      }
      case Token::kReturn: {
        lexer_.advance();
        auto value = optional_expression();
        return stmt(begin, Return{value});
      }
      default: {
        const ExprId value = expression();
        return stmt(begin, Simple{value});
      }
    }
  }

  StmtId jump(Jump::Kind kind) {
    const uint32_t begin = here();
    lexer_.advance();
    return stmt(begin, Jump{kind});
  }

  [[nodiscard]] bool at_statement_end() const {
    return at(Token::kEnd) || at(Token::kNewline) || at(Token::kSemicolon) ||
           at(Token::kRightBrace);
  }
  std::optional<ExprId> optional_expression() {
    if (at_statement_end()) return std::nullopt;
    return expression();
  }

  ExprId parenthesised() {
    expect(Token::kLeftParen, "'('");
    const ExprId result = outside_print(&Parser::expression);
    expect(Token::kRightParen, "')'");
    return result;
  }

  StmtId if_statement() {
    const uint32_t begin = here();
    lexer_.advance();
    const ExprId condition = parenthesised();
    const StmtId then = body();
    // `else` may stand behind newlines and one `;`; if it does not come, the separators were ours
    // to take.
    while (at(Token::kNewline) || at(Token::kSemicolon)) lexer_.advance();
    std::optional<StmtId> otherwise;
    if (accept(Token::kElse)) otherwise = body();
    return stmt(begin, If{condition, then, otherwise});
  }

  StmtId while_statement() {
    const uint32_t begin = here();
    lexer_.advance();
    const ExprId condition = parenthesised();
    const StmtId loop = body();
    return stmt(begin, While{condition, loop});
  }

  StmtId do_statement() {
    const uint32_t begin = here();
    lexer_.advance();
    const StmtId loop = body();
    skip_separators();
    expect(Token::kWhile, "'while'");
    const ExprId condition = parenthesised();
    end_statement();
    return stmt(begin, DoWhile{loop, condition});
  }

  StmtId for_statement() {
    const uint32_t begin = here();
    lexer_.advance();
    expect(Token::kLeftParen, "'('");
    std::optional<StmtId> init;
    if (!at(Token::kSemicolon)) init = simple_statement();
    if (init && at(Token::kRightParen)) return for_in_statement(begin, *init);
    expect(Token::kSemicolon, "';'");
    skip_newlines();
    std::optional<ExprId> condition;
    if (!at(Token::kSemicolon)) condition = expression();
    expect(Token::kSemicolon, "';'");
    skip_newlines();
    std::optional<StmtId> step;
    if (!at(Token::kRightParen)) step = simple_statement();
    expect(Token::kRightParen, "')'");
    const StmtId loop = body();
    return stmt(begin, For{init, condition, step, loop});
  }

  // `for (k in a)`: what was read as the first clause is the membership test `k in a`.
  StmtId for_in_statement(uint32_t begin, StmtId clause) {
    const Simple* simple = std::get_if<Simple>(&program_[clause].node);
    const Membership* test =
        simple != nullptr ? std::get_if<Membership>(&program_[simple->value].node) : nullptr;
    if (test == nullptr || test->subscripts.size() != 1 || !is<Variable>(test->subscripts[0])) {
      fail("syntax error: 'for (' needs 'variable in array' or three clauses");
      return clause;
    }
    ForIn result{std::get<Variable>(program_[test->subscripts[0]].node).name, test->array, clause};
    lexer_.advance();
    result.body = body();
    return stmt(begin, std::move(result));
  }

  StmtId switch_statement() {
    const uint32_t begin = here();
    lexer_.advance();
    Switch result{parenthesised(), {}};
    skip_newlines();
    expect(Token::kLeftBrace, "'{'");
    skip_separators();
    while (!failed_ && !at(Token::kRightBrace)) {
      SwitchCase entry;
      if (accept(Token::kCase)) {
        entry.value = unary();
      } else {
        expect(Token::kDefault, "'case' or 'default'");
      }
      expect(Token::kColon, "':'");
      skip_separators();
      while (!failed_ && !at(Token::kCase) && !at(Token::kDefault) && !at(Token::kRightBrace)) {
        entry.body.push_back(statement());
        skip_separators();
      }
      result.cases.push_back(std::move(entry));
    }
    expect(Token::kRightBrace, "'}'");
    return stmt(begin, std::move(result));
  }

  StmtId delete_statement() {
    const uint32_t begin = here();
    lexer_.advance();
    const bool in_parens = accept(Token::kLeftParen);
    Delete result{take_name("an array"), {}};
    result.subscripts = subscripts();
    if (in_parens) expect(Token::kRightParen, "')'");
    return stmt(begin, std::move(result));
  }

  StmtId output() {
    const uint32_t begin = here();
    Output result{at(Token::kPrintf), {}, Output::Redirect::kNone, {}};
    lexer_.advance();
    if (!at_statement_end() && !at_redirection()) result.arguments = print_arguments();
    if (result.is_printf && result.arguments.empty()) fail("syntax error: printf needs a format");
    if (at_redirection()) {
      result.redirect = redirection();
      lexer_.advance();
      result.destination = inside_print(&Parser::concatenation);
    }
    return stmt(begin, std::move(result));
  }

  [[nodiscard]] bool at_redirection() const {
    return at(Token::kGreater) || at(Token::kAppend) || at(Token::kPipe) || at(Token::kPipeBoth);
  }
  [[nodiscard]] Output::Redirect redirection() const {
    switch (lexer_.token()) {
      case Token::kGreater: return Output::Redirect::kFile;
      case Token::kAppend: return Output::Redirect::kAppend;
      case Token::kPipe: return Output::Redirect::kPipe;
      default: return Output::Redirect::kCoprocess;
    }
  }

  Exprs print_arguments() {
    Exprs arguments{inside_print(&Parser::expression)};
    // `print (a, b) > "f"`: the parentheses hold the arguments themselves.
    if (const auto* group = std::get_if<Grouping>(&program_[arguments[0]].node);
        group && group->items.size() > 1) {
      return group->items;
    }
    while (accept(Token::kComma)) {
      skip_newlines();
      arguments.push_back(inside_print(&Parser::expression));
    }
    return arguments;
  }

  using ExprRule = ExprId (Parser::*)();
  ExprId with_print(bool is_in_print, ExprRule rule) {
    const bool saved = std::exchange(in_print_, is_in_print);
    const ExprId result = (this->*rule)();
    in_print_ = saved;
    return result;
  }
  ExprId inside_print(ExprRule rule) { return with_print(true, rule); }
  ExprId outside_print(ExprRule rule) { return with_print(false, rule); }

  // --- expressions, loosest first

  Exprs expression_list(Token close, std::string_view close_name) {
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

  ExprId expression() {
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
  ExprId assignment(ExprId target, std::optional<BinaryOp> op) {
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
    if (auto* unary_node =
            std::get_if<Unary>(&program_.exprs[static_cast<uint32_t>(target)].node)) {
      Unary rotated = *unary_node;
      rotated.operand = assignment(rotated.operand, op);
      return expr(begin_of(target), rotated);
    }
    fail("syntax error: only a variable, a field or an array element can be assigned to");
    return target;
  }

  [[nodiscard]] bool is_lvalue(ExprId id) const {
    return is<Variable>(id) || is<Field>(id) || is<Element>(id);
  }

  ExprId conditional() {
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

  ExprId binary(BinaryOp op, ExprId left, ExprId right) {
    return expr(begin_of(left), Binary{op, left, right});
  }

  ExprId logical_or() {
    ExprId left = logical_and();
    while (accept(Token::kOr)) {
      skip_newlines();
      left = binary(BinaryOp::kOr, left, logical_and());
    }
    return left;
  }

  ExprId logical_and() {
    ExprId left = membership();
    while (accept(Token::kAnd)) {
      skip_newlines();
      left = binary(BinaryOp::kAnd, left, membership());
    }
    return left;
  }

  ExprId membership() {
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

  ExprId matching() {
    ExprId left = comparison();
    while (at(Token::kTilde) || at(Token::kNotTilde)) {
      const BinaryOp op = at(Token::kTilde) ? BinaryOp::kMatch : BinaryOp::kNotMatch;
      lexer_.advance();
      left = binary(op, left, comparison());
    }
    return left;
  }

  std::optional<BinaryOp> comparison_operator() const {
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

  ExprId comparison() {
    ExprId left = piped_getline();
    if (auto op = comparison_operator()) {
      lexer_.advance();
      left = binary(*op, left, piped_getline());
    }
    return left;
  }

  ExprId piped_getline() {
    ExprId left = concatenation();
    while (at(Token::kPipe) || at(Token::kPipeBoth)) {
      const bool is_coprocess = at(Token::kPipeBoth);
      Lexer behind = lexer_;
      behind.advance();
      if (behind.token() != Token::kGetline) break;
      lexer_ = std::move(behind);
      lexer_.advance();
      Getline node{is_coprocess ? Getline::Source::kCoprocess : Getline::Source::kCommand, left,
                   getline_target()};
      left = expr(begin_of(left), std::move(node));
    }
    return left;
  }

  std::optional<ExprId> getline_target() {
    if (!at(Token::kName) && !at(Token::kDollar)) return std::nullopt;
    return primary();
  }

  // What may begin the right operand of a concatenation. Not `+`, `-`, `/`: those are operators
  // here.
  [[nodiscard]] bool at_operand() const {
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

  ExprId concatenation() {
    ExprId left = additive();
    while (!failed_ && at_operand()) left = binary(BinaryOp::kConcat, left, additive());
    return left;
  }

  ExprId additive() {
    ExprId left = multiplicative();
    while (at(Token::kPlus) || at(Token::kMinus)) {
      const BinaryOp op = at(Token::kPlus) ? BinaryOp::kAdd : BinaryOp::kSubtract;
      lexer_.advance();
      left = binary(op, left, multiplicative());
    }
    return left;
  }

  ExprId multiplicative() {
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

  ExprId unary() {
    Depth depth(*this);
    if (failed_) return expr(here(), Number{0});
    const uint32_t begin = here();
    if (accept(Token::kNot)) return prefix(begin, UnaryOp::kNot);
    if (accept(Token::kMinus)) return prefix(begin, UnaryOp::kMinus);
    if (accept(Token::kPlus)) return prefix(begin, UnaryOp::kPlus);
    return power();
  }

  ExprId prefix(uint32_t begin, UnaryOp op) {
    const ExprId operand = unary();
    return expr(begin, Unary{op, operand});
  }

  ExprId power() {
    const ExprId base = postfix();
    if (!accept(Token::kCaret)) return base;
    return binary(BinaryOp::kPower, base, unary());  // `2 ^ -1` and `2 ^ 3 ^ 4`: to the right
  }

  ExprId postfix() {
    const ExprId operand = primary();
    if (!is_lvalue(operand) || (!at(Token::kIncrement) && !at(Token::kDecrement))) return operand;
    const int delta = at(Token::kIncrement) ? 1 : -1;
    lexer_.advance();
    return expr(begin_of(operand), Increment{false, delta, operand});
  }

  ExprId primary() {
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

  ExprId regex() {
    const uint32_t begin = here();
    lexer_.rescan_regex();
    std::string source = lexer_.value();
    if (!accept(Token::kRegex)) fail("syntax error");
    return expr(begin, Regex{std::move(source)});
  }

  ExprId field() {
    const uint32_t begin = here();
    lexer_.advance();
    // `$i++` is ($i)++, `$++i` is $(++i), `$-1` and `$!x` are taken by every awk.
    const bool is_signed = at(Token::kMinus) || at(Token::kPlus) || at(Token::kNot);
    const ExprId index = is_signed ? unary() : primary();
    return expr(begin, Field{index});
  }

  ExprId increment() {
    const uint32_t begin = here();
    const int delta = at(Token::kIncrement) ? 1 : -1;
    lexer_.advance();
    const ExprId target = primary();
    if (!failed_ && !is_lvalue(target)) fail("syntax error: only a variable can be incremented");
    return expr(begin, Increment{true, delta, target});
  }

  ExprId grouping() {
    const uint32_t begin = here();
    lexer_.advance();
    Exprs items = expression_list(Token::kRightParen, "')'");
    if (items.empty()) fail("syntax error: empty parentheses");
    return expr(begin, Grouping{std::move(items)});
  }

  ExprId getline() {
    const uint32_t begin = here();
    lexer_.advance();
    Getline node{Getline::Source::kInput, {}, getline_target()};
    if (accept(Token::kLess)) {
      node.source = Getline::Source::kFile;
      node.from = postfix();
    }
    return expr(begin, std::move(node));
  }

  ExprId builtin_call() {
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

  ExprId call(bool is_indirect) {
    const uint32_t begin = here();
    std::string name = lexer_.value();
    lexer_.advance();
    expect(Token::kLeftParen, "'('");
    Exprs arguments = expression_list(Token::kRightParen, "')'");
    return expr(begin, Call{std::move(name), std::move(arguments), false, is_indirect});
  }

  // gawk: `@name(...)` calls the function named by a variable, `@/re/` is a regex as a value.
  ExprId at_sign() {
    lexer_.advance();
    if (at(Token::kSlash)) return regex();
    if (at(Token::kFuncName)) return call(true);
    fail("syntax error");
    return expr(here(), Number{0});
  }

  // `[i]`, `[i, j]` and gawk's `[i][j]`, which holds as many values and is not told apart.
  Exprs subscripts() {
    Exprs result;
    while (accept(Token::kLeftBracket)) {
      Exprs more = expression_list(Token::kRightBracket, "']'");
      if (more.empty()) fail("syntax error: an array needs a subscript");
      result.insert(result.end(), more.begin(), more.end());
    }
    return result;
  }

  ExprId variable() {
    const uint32_t begin = here();
    std::string name = lexer_.value();
    lexer_.advance();
    if (!at(Token::kLeftBracket)) return expr(begin, Variable{std::move(name)});
    Exprs indices = subscripts();
    return expr(begin, Element{std::move(name), std::move(indices)});
  }

  Lexer lexer_;
  Program program_;
  bool in_print_ = false;
  bool failed_ = false;
  int depth_ = 0;
  Error error_;
};

}  // namespace

Result<Program> parse(std::string_view text) { return Parser(text).run(); }

}  // namespace nacre::awk
