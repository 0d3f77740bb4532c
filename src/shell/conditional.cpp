#include <array>

#include "shell/parser_scopes.h"

namespace nacre::shell {

namespace {

struct NamedOp {
  std::string_view text;
  ConditionalOp op;
};

constexpr std::array kBinaryOps = {
    NamedOp{"=", ConditionalOp::kEqual},
    NamedOp{"==", ConditionalOp::kEqual},
    NamedOp{"!=", ConditionalOp::kNotEqual},
    NamedOp{"=~", ConditionalOp::kMatch},
    NamedOp{"-eq", ConditionalOp::kNumberEqual},
    NamedOp{"-ne", ConditionalOp::kNumberNotEqual},
    NamedOp{"-lt", ConditionalOp::kNumberLess},
    NamedOp{"-le", ConditionalOp::kNumberLessEqual},
    NamedOp{"-gt", ConditionalOp::kNumberGreater},
    NamedOp{"-ge", ConditionalOp::kNumberGreaterEqual},
    NamedOp{"-nt", ConditionalOp::kNewer},
    NamedOp{"-ot", ConditionalOp::kOlder},
    NamedOp{"-ef", ConditionalOp::kSameFile},
};

bool is_unary_operator(const Word& word) {
  if (!word.is_plain()) return false;
  std::string_view text = word.literal();
  constexpr std::string_view kLetters = "abcdefghknoprstuvwxzGLOSNR";
  return text.size() == 2 && text[0] == '-' && kLetters.find(text[1]) != std::string_view::npos;
}

}  // namespace

// A chain of operators is a deep tree.
bool Parser::is_chain_too_long(uint32_t length) {
  if (length < 4 * options_.max_depth) return false;
  halt_too_deep();
  return true;
}

const ConditionalExpression* Parser::conditional_or() {
  Level level(*this);
  if (level.is_too_deep()) return nullptr;
  uint32_t begin = token_begin_;
  const ConditionalExpression* left = conditional_and();
  for (uint32_t length = 0; left != nullptr && token_ == Token::kOrIf; length++) {
    if (is_chain_too_long(length)) return nullptr;
    advance(Mode::kTarget);
    ConditionalExpression either;
    either.kind = ConditionalKind::kOr;
    either.first = left;
    either.second = conditional_and();
    either.span = file_span(begin, previous_end_);
    left = either.second == nullptr ? nullptr : arena_.make(either);
  }
  return left;
}

const ConditionalExpression* Parser::conditional_and() {
  uint32_t begin = token_begin_;
  const ConditionalExpression* left = conditional_term();
  for (uint32_t length = 0; left != nullptr && token_ == Token::kAndIf; length++) {
    if (is_chain_too_long(length)) return nullptr;
    advance(Mode::kTarget);
    ConditionalExpression both;
    both.kind = ConditionalKind::kAnd;
    both.first = left;
    both.second = conditional_term();
    both.span = file_span(begin, previous_end_);
    left = both.second == nullptr ? nullptr : arena_.make(both);
  }
  return left;
}

const ConditionalExpression* Parser::conditional_term() {
  Level level(*this);
  if (level.is_too_deep()) return nullptr;
  skip_newlines(Mode::kTarget);
  ConditionalExpression expression;
  uint32_t begin = token_begin_;
  if (is_keyword(Keyword::kBang)) {
    advance(Mode::kTarget);
    expression.kind = ConditionalKind::kNot;
    expression.first = conditional_term();
  } else if (token_ == Token::kLeftParenthesis && !is_busybox()) {
    advance(Mode::kTarget);
    expression.kind = ConditionalKind::kGroup;
    expression.first = conditional_or();
    if (token_ != Token::kRightParenthesis) {
      unexpected(")");
      return nullptr;
    }
    advance(Mode::kTarget);
    skip_newlines(Mode::kTarget);
  } else {
    return conditional_primary();
  }
  expression.span = file_span(begin, previous_end_);
  return expression.first == nullptr ? nullptr : arena_.make(expression);
}

// -f x, x = y, x
const ConditionalExpression* Parser::conditional_primary() {
  ConditionalExpression expression;
  uint32_t begin = token_begin_;
  if (token_ != Token::kWord || keyword_ == Keyword::kRightConditional) return nullptr;
  expression.left = word_;
  bool is_unary = is_unary_operator(word_);
  advance(Mode::kTarget);
  if (is_unary) {
    if (token_ != Token::kWord) return nullptr;
    expression.kind = ConditionalKind::kUnary;
    expression.letter = expression.left.literal()[1];
    expression.left = word_;
    advance(Mode::kTarget);
  } else if (read_conditional_operator(expression)) {
    expression.kind = ConditionalKind::kBinary;
    if (expression.op == ConditionalOp::kMatch) {
      read_regex();
    } else {
      const bool was_conditional = std::exchange(is_conditional_, true);
      advance(Mode::kTarget);
      is_conditional_ = was_conditional;
    }
    if (token_ != Token::kWord) return nullptr;
    expression.right = word_;
    advance(Mode::kTarget);
  } else if (token_ == Token::kNewline) {
    return nullptr;  // after a word alone bash wants an operator on its line
  }
  expression.span = file_span(begin, previous_end_);
  skip_newlines(Mode::kTarget);
  return arena_.make(expression);
}

bool Parser::read_conditional_operator(ConditionalExpression& expression) {
  if (token_ == Token::kRedirection && redirect_descriptor_ < 0) {
    if (redirect_op_ == RedirectOp::kInput) expression.op = ConditionalOp::kLess;
    if (redirect_op_ == RedirectOp::kOutput) expression.op = ConditionalOp::kGreater;
  } else if (token_ == Token::kWord && word_.is_plain()) {
    for (const NamedOp& named : kBinaryOps) {
      if (word_.literal() == named.text) expression.op = named.op;
    }
  }
  return expression.op != ConditionalOp::kNone;
}

// The word after =~: parentheses and bars belong to it, and blanks within parentheses.
void Parser::read_regex() {
  previous_end_ = token_end_;
  skip_blanks();
  uint32_t begin = token_begin_ = at_;
  keyword_ = Keyword::kNone;
  size_t mark = parts_.mark();
  uint32_t depth = 0;
  while (true) {
    uint32_t run = at_;
    while (!is(text_[at_], kStopsWord)) at_++;
    push_literal(run, at_);
    if (at_ >= size_ && !more_text()) break;
    if (at_ >= size_) continue;
    if (!read_regex_piece(depth)) break;
  }
  if (at_ == begin) {
    parts_.drop(mark);
    advance(Mode::kTarget);
    return;
  }
  set_word_token(finish_word(mark, file_span(begin, at_)));
}

bool Parser::read_regex_piece(uint32_t& depth) {
  char c = text_[at_];
  switch (c) {
    case '\\': read_escape(false, false); return true;
    case '\'': read_single_quoted(); return true;
    case '"': read_double_quoted(PartKind::kDoubleQuoted, at_); return true;
    case '$': read_dollar(false); return true;
    case '`': read_backquoted(false); return true;
    case '(':
      if (is_busybox()) return false;  // to which `[[` is a command with arguments
      depth++;
      break;
    case ')':
      if (depth == 0) return false;
      depth--;
      break;
    case '|': break;
    default:
      if (depth == 0 && is(c, kEndsWord)) return false;
      break;
  }
  push_literal(at_, at_ + 1);
  at_++;
  return true;
}

}  // namespace nacre::shell
