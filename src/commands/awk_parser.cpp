#include "commands/awk_parser.h"

namespace nacre::awk {

Result<Program> Parser::run() {
  skip_separators();
  while (!failed_ && !at(Token::kEnd)) {
    item();
    skip_separators();
  }
  if (failed_) return tl::unexpected<Error>(error_);
  if (auto undefined = find_undefined_call()) return tl::unexpected<Error>(*undefined);
  return std::move(program_);
}

void Parser::item() {
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
void Parser::end_item(bool closed) {
  if (closed || at(Token::kEnd) || at(Token::kNewline) || at(Token::kSemicolon)) return;
  fail("syntax error");
}

void Parser::special_rule(Rule::Kind kind) {
  const uint32_t begin = here();
  const std::string name = lexer_.value();
  lexer_.advance();
  if (!at(Token::kLeftBrace))
    return fail("syntax error: " + name + " needs an action in braces on the same line");
  const StmtId action = block();
  program_.rules.push_back({kind, since(begin), {}, {}, action});
}

void Parser::directive() {
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

void Parser::function() {
  const uint32_t begin = here();
  lexer_.advance();
  Function result;
  result.name = take_name("the function's name");
  const auto is_same = [&](const Function& other) { return other.name == result.name; };
  if (std::any_of(program_.functions.begin(), program_.functions.end(), is_same))
    fail("the function `" + result.name + "' is defined twice");
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
  in_function_ = true;
  result.body = block();
  in_function_ = false;
  result.span = since(begin);
  program_.functions.push_back(std::move(result));
}

// Awks refuse a call of a function that is nowhere defined before they run anything. An @include
// may define it.
std::optional<Error> Parser::find_undefined_call() const {
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

Result<Program> parse(std::string_view text) { return Parser(text).run(); }

}  // namespace nacre::awk
