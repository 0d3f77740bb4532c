// The parser of awk programs. Its three files follow the grammar: awk_parser.cpp has the program as
// a whole, awk_parse_statements.cpp statements, awk_parse_expressions.cpp expressions.
//
// It is recursive descent over the grammar of POSIX awk, which is not context-free in the usual
// sense. What decides:
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
#pragma once

#include <algorithm>
#include <utility>

#include "commands/awk_lexer.h"
#include "commands/awk_program.h"

namespace nacre::awk {

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) {}

  Result<Program> run();

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
      if (++parser_.depth_ > kMaxDepth) parser_.fail(std::string(kTooDeep));
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

  void item();

  void end_item(bool closed);

  void special_rule(Rule::Kind kind);

  void directive();

  void function();

  std::optional<Error> find_undefined_call() const;

  // --- statements

  StmtId block();

  StmtId body();

  StmtId statement();

  void end_statement();

  StmtId simple_statement();

  StmtId jump(Jump::Kind kind);

  [[nodiscard]] bool at_statement_end() const;
  std::optional<ExprId> optional_expression();

  ExprId parenthesised();

  StmtId if_statement();

  StmtId while_statement();

  StmtId do_statement();

  StmtId for_statement();

  StmtId for_in_statement(uint32_t begin, StmtId clause);

  StmtId switch_statement();

  StmtId delete_statement();

  StmtId output();

  [[nodiscard]] bool at_redirection() const;
  [[nodiscard]] Output::Redirect redirection() const;

  Exprs print_arguments();

  using ExprRule = ExprId (Parser::*)();
  ExprId with_print(bool is_in_print, ExprRule rule);
  ExprId inside_print(ExprRule rule) { return with_print(true, rule); }
  ExprId outside_print(ExprRule rule) { return with_print(false, rule); }

  // --- expressions, loosest first

  Exprs expression_list(Token close, std::string_view close_name);

  ExprId expression();

  ExprId assignment(ExprId target, std::optional<BinaryOp> op);

  [[nodiscard]] bool is_lvalue(ExprId id) const;

  ExprId conditional();

  ExprId binary(BinaryOp op, ExprId left, ExprId right);

  ExprId logical_or();

  ExprId logical_and();

  ExprId membership();

  ExprId matching();

  std::optional<BinaryOp> comparison_operator() const;

  ExprId comparison();

  ExprId piped_getline();

  std::optional<ExprId> getline_target();

  [[nodiscard]] bool at_operand() const;

  ExprId concatenation();

  ExprId additive();

  ExprId multiplicative();

  ExprId unary();

  ExprId prefix(uint32_t begin, UnaryOp op);

  ExprId power();

  ExprId postfix();

  ExprId primary();

  ExprId regex();

  ExprId field();

  ExprId increment();

  ExprId grouping();

  ExprId getline();

  ExprId builtin_call();

  ExprId call(bool is_indirect);

  ExprId at_sign();

  Exprs subscripts();

  ExprId variable();

  Lexer lexer_;
  Program program_;
  bool in_print_ = false;
  bool in_function_ = false;
  bool failed_ = false;
  int depth_ = 0;
  Error error_;
};

}  // namespace nacre::awk
