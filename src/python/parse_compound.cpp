// Compound statements: those with blocks inside.
#include "python/parser.h"

namespace nacre::python {

StmtId Parser::if_statement() {
  Depth depth(*this);
  uint32_t begin = here();
  take();  // if or elif
  If result{named_expression(), {}, {}};
  result.body = block();
  if (kind() == Tok::kElif) {
    result.orelse.push_back(if_statement());
  } else {
    result.orelse = orelse();
  }
  return stmt(begin, std::move(result));
}

Block Parser::orelse() {
  if (!accept(Tok::kElse)) return {};
  return block();
}

StmtId Parser::while_statement() {
  uint32_t begin = here();
  expect(Tok::kWhile);
  While result{named_expression(), {}, {}};
  result.body = block();
  result.orelse = orelse();
  return stmt(begin, std::move(result));
}

StmtId Parser::for_statement(uint32_t begin, bool is_async) {
  expect(Tok::kFor);
  For result{};
  result.is_async = is_async;
  result.target = target_list();
  expect(Tok::kIn);
  result.iterable = star_expressions();
  result.body = block();
  result.orelse = orelse();
  return stmt(begin, std::move(result));
}

WithItem Parser::with_item() {
  WithItem item{expression(), {}};
  if (accept(Tok::kAs)) {
    item.target = star_expression(false);
    check_target(*item.target, TargetUse::kAssign);
  }
  return item;
}

// `with (a as b, c as d):`; false, with the cursor back, if the parenthesis means something else.
bool Parser::parenthesized_with_items(std::vector<WithItem>& items) {
  if (kind() != Tok::kLeftParen) return false;
  size_t start = at_;
  take();
  do {
    if (kind() == Tok::kRightParen) break;
    items.push_back(with_item());
  } while (accept(Tok::kComma));
  if (!failed_ && accept(Tok::kRightParen) && kind() == Tok::kColon && !items.empty()) return true;
  failed_ = false;
  at_ = start;
  items.clear();
  return false;
}

StmtId Parser::with_statement(uint32_t begin, bool is_async) {
  expect(Tok::kWith);
  With result;
  result.is_async = is_async;
  if (!parenthesized_with_items(result.items)) {
    do {
      result.items.push_back(with_item());
    } while (accept(Tok::kComma));
  }
  result.body = block();
  return stmt(begin, std::move(result));
}

StmtId Parser::try_statement() {
  uint32_t begin = here();
  expect(Tok::kTry);
  Try result;
  result.body = block();
  while (kind() == Tok::kExcept) {
    bool is_star = false;
    result.handlers.push_back(except_handler(is_star));
    if (result.handlers.size() > 1 && is_star != result.is_star) {
      error(since(begin), "cannot have both 'except' and 'except*' on the same 'try'");
    }
    result.is_star = is_star;
  }
  for (size_t i = 0; i + 1 < result.handlers.size(); ++i) {
    if (!result.handlers[i].type) error(result.handlers[i].span, "default 'except:' must be last");
  }
  if (!result.handlers.empty()) result.orelse = orelse();
  if (accept(Tok::kFinally)) result.finally = block();
  if (result.handlers.empty() && result.finally.empty()) {
    error(since(begin), "expected 'except' or 'finally' block");
  }
  return stmt(begin, std::move(result));
}

ExceptHandler Parser::except_handler(bool& is_star) {
  uint32_t begin = here();
  expect(Tok::kExcept);
  is_star = accept(Tok::kStar);
  ExceptHandler handler;
  if (kind() != Tok::kColon) {
    handler.type = expression();
    if (accept(Tok::kAs)) handler.name = take_name();
  } else if (is_star) {
    error(token().span, "expected one or more exception types");
  }
  handler.body = block();
  handler.span = since(begin);
  return handler;
}

StmtId Parser::decorated() {
  Exprs decorators;
  while (accept(Tok::kAt)) {
    decorators.push_back(named_expression());
    expect(Tok::kNewline);
  }
  uint32_t begin = here();
  if (kind() == Tok::kClass) return class_definition(begin, std::move(decorators));
  bool is_async = accept(Tok::kAsync);
  return function(begin, std::move(decorators), is_async);
}

StmtId Parser::function(uint32_t begin, Exprs decorators, bool is_async) {
  expect(Tok::kDef);
  FunctionDef result;
  result.is_async = is_async;
  result.decorators = std::move(decorators);
  result.name_span = token().span;
  result.name = take_name();
  result.type_parameters = type_parameters();
  expect(Tok::kLeftParen);
  result.parameters = parameters(Tok::kRightParen, true);
  expect(Tok::kRightParen);
  if (accept(Tok::kArrow)) result.returns = expression();
  result.body = block();
  return stmt(begin, std::move(result));
}

StmtId Parser::class_definition(uint32_t begin, Exprs decorators) {
  expect(Tok::kClass);
  ClassDef result;
  result.decorators = std::move(decorators);
  result.name = take_name();
  result.type_parameters = type_parameters();
  if (accept(Tok::kLeftParen)) {
    arguments(result.bases, result.keywords, Tok::kRightParen);
    expect(Tok::kRightParen);
  }
  result.body = block();
  return stmt(begin, std::move(result));
}

// `match` is a name unless a subject, a colon and an indented `case` follow.
bool Parser::match_statement(Block& into) {
  size_t start = at_;
  uint32_t begin = here();
  take();
  if (!at_expression()) {
    at_ = start;
    return false;
  }
  Match result{star_expressions(true), {}};
  bool is_match = !failed_ && accept(Tok::kColon) && accept(Tok::kNewline) &&
                  accept(Tok::kIndent) && at_name("case");
  if (!is_match) {
    failed_ = false;
    at_ = start;
    return false;
  }
  while (at_name("case")) result.cases.push_back(match_case());
  expect(Tok::kDedent);
  into.push_back(stmt(begin, std::move(result)));
  return true;
}

MatchCase Parser::match_case() {
  take();
  MatchCase result{patterns(), {}, {}};
  if (accept(Tok::kIf)) result.guard = named_expression();
  result.body = block();
  return result;
}

}  // namespace nacre::python
