// Statements and the rules of where they end; awk_parser.h says what decides.
#include "commands/awk_parser.h"

namespace nacre::awk {

StmtId Parser::block() {
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
StmtId Parser::body() {
  skip_newlines();
  const uint32_t begin = here();
  if (accept(Token::kSemicolon)) return stmt(begin, Block{});
  return statement();
}

StmtId Parser::statement() {
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

void Parser::end_statement() {
  if (at(Token::kRightBrace) || at(Token::kEnd)) return;
  if (!accept(Token::kSemicolon) && !accept(Token::kNewline)) fail("syntax error");
}

StmtId Parser::simple_statement() {
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
      if (!in_function_) fail("`return' is outside of any function");
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

StmtId Parser::jump(Jump::Kind kind) {
  const uint32_t begin = here();
  lexer_.advance();
  return stmt(begin, Jump{kind});
}

bool Parser::at_statement_end() const {
  return at(Token::kEnd) || at(Token::kNewline) || at(Token::kSemicolon) || at(Token::kRightBrace);
}

std::optional<ExprId> Parser::optional_expression() {
  if (at_statement_end()) return std::nullopt;
  return expression();
}

ExprId Parser::parenthesised() {
  expect(Token::kLeftParen, "'('");
  const ExprId result = outside_print(&Parser::expression);
  expect(Token::kRightParen, "')'");
  return result;
}

StmtId Parser::if_statement() {
  const uint32_t begin = here();
  lexer_.advance();
  const ExprId condition = parenthesised();
  const StmtId then = body();
  // `else` may stand after newlines and one `;`; if it does not come, the separators were ours
  // to take.
  while (at(Token::kNewline) || at(Token::kSemicolon)) lexer_.advance();
  std::optional<StmtId> otherwise;
  if (accept(Token::kElse)) otherwise = body();
  return stmt(begin, If{condition, then, otherwise});
}

StmtId Parser::while_statement() {
  const uint32_t begin = here();
  lexer_.advance();
  const ExprId condition = parenthesised();
  const StmtId loop = body();
  return stmt(begin, While{condition, loop});
}

StmtId Parser::do_statement() {
  const uint32_t begin = here();
  lexer_.advance();
  const StmtId loop = body();
  skip_separators();
  expect(Token::kWhile, "'while'");
  const ExprId condition = parenthesised();
  end_statement();
  return stmt(begin, DoWhile{loop, condition});
}

StmtId Parser::for_statement() {
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
StmtId Parser::for_in_statement(uint32_t begin, StmtId clause) {
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

StmtId Parser::switch_statement() {
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

StmtId Parser::delete_statement() {
  const uint32_t begin = here();
  lexer_.advance();
  const bool in_parens = accept(Token::kLeftParen);
  Delete result{take_name("an array"), {}};
  result.subscripts = subscripts();
  if (in_parens) expect(Token::kRightParen, "')'");
  return stmt(begin, std::move(result));
}

StmtId Parser::output() {
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

bool Parser::at_redirection() const {
  return at(Token::kGreater) || at(Token::kAppend) || at(Token::kPipe) || at(Token::kPipeBoth);
}

Output::Redirect Parser::redirection() const {
  switch (lexer_.token()) {
    case Token::kGreater: return Output::Redirect::kFile;
    case Token::kAppend: return Output::Redirect::kAppend;
    case Token::kPipe: return Output::Redirect::kPipe;
    default: return Output::Redirect::kCoprocess;
  }
}

Exprs Parser::print_arguments() {
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

ExprId Parser::with_print(bool is_in_print, ExprRule rule) {
  const bool saved = std::exchange(in_print_, is_in_print);
  const ExprId result = (this->*rule)();
  in_print_ = saved;
  return result;
}

}  // namespace nacre::awk
