#include "shell/parser.h"

namespace nacre::shell {

// Redirections may follow, and a reserved word may follow those without a separator.
template <typename Node>
const Command* Parser::finish_compound(uint32_t begin, const Node& node) {
  size_t redirections = trailing_redirections();
  return make_command(begin, node, redirections);
}

// Consumes the reserved word that ends a construct; that it is missing was reported before.
void Parser::close(Keyword keyword) {
  if (is_keyword(keyword)) advance(Mode::kCommand);
}

bool Parser::expect(Keyword keyword, const Opener& opener) {
  if (!is_keyword(keyword)) {
    unexpected(text_of(keyword), &opener);
    return false;
  }
  advance(Mode::kCommand);
  return true;
}

const Command* Parser::brace_group() {
  uint32_t begin = token_begin_;
  Opener opener{"{", "}", file_span(begin, token_end_)};
  advance(Mode::kCommand);
  BraceGroup group;
  group.body = sequence(kCloseBrace, opener, false);
  close(Keyword::kRightBrace);
  return finish_compound(begin, group);
}

const Command* Parser::subshell() {
  uint32_t begin = token_begin_;
  if (byte(0) == '(' && can(Feature::kArithmeticCommand)) {
    if (const Command* arithmetic = arithmetic_command()) return arithmetic;
  }
  Opener opener{"(", ")", file_span(begin, token_end_)};
  advance(Mode::kCommand);
  Subshell subshell;
  subshell.body = sequence(kCloseParenthesis, opener, false);
  if (token_ == Token::kRightParenthesis) advance(Mode::kCommand);
  return finish_compound(begin, subshell);
}

// (( ... )): at the first `(`. Null, and nothing is read, if these are two subshells.
const Command* Parser::arithmetic_command() {
  if (subshell_end(token_begin_)) return nullptr;
  Checkpoint start = checkpoint();
  uint32_t begin = token_begin_;
  size_t mark = parts_.mark();
  uint32_t inside = ++at_;
  attempts_++;
  ArithmeticEnd end = read_arithmetic_parts();
  attempts_--;
  if (end == ArithmeticEnd::kNotArithmetic) {
    const uint32_t found = at_;
    parts_.drop(mark);
    restore(start);
    not_arithmetic_.insert_or_assign(text_ + begin, found);
    return nullptr;
  }
  uint32_t close = end == ArithmeticEnd::kClosed ? at_ - 2 : at_;
  end_attempt();
  if (end == ArithmeticEnd::kUnclosed) unclosed("((", "))", file_span(begin, inside));
  ArithmeticCommand command;
  command.arithmetic = make_arithmetic(mark, file_span(inside, std::max(inside, close)));
  token_end_ = at_;
  advance(Mode::kCommand);
  return finish_compound(begin, command);
}

const Command* Parser::if_command() {
  uint32_t begin = token_begin_;
  Opener opener{"if", "fi", file_span(begin, token_end_)};
  size_t arms = if_arms_.mark();
  If node;
  while (is_keyword(Keyword::kIf) || is_keyword(Keyword::kElif)) {
    Opener condition{text_of(keyword_), "then", file_span(token_begin_, token_end_)};
    advance(Mode::kCommand);
    IfArm arm;
    arm.condition = sequence(kThen, condition, false, kElif | kElse | kFi);
    close(Keyword::kThen);
    arm.body = sequence(kElif | kElse | kFi, opener, false);
    if_arms_.push(arm);
  }
  if (is_keyword(Keyword::kElse)) {
    advance(Mode::kCommand);
    node.else_body = arena_.make(sequence(kFi, opener, false));
  }
  close(Keyword::kFi);
  node.arms = if_arms_.take(arms, arena_);
  return finish_compound(begin, node);
}

// do ... done
const Sequence* Parser::do_group(const Opener& loop) {
  if (!expect(Keyword::kDo, loop)) return arena_.make(Sequence{});
  const Sequence* body = arena_.make(sequence(kDone, loop, false));
  close(Keyword::kDone);
  return body;
}

// bash and ksh also take { ... } as the body of a `for`.
const Sequence* Parser::loop_body(const Opener& loop) {
  if (!is_keyword(Keyword::kLeftBrace) || is_ash()) return do_group(loop);
  Opener opener{"{", "}", file_span(token_begin_, token_end_)};
  advance(Mode::kCommand);
  const Sequence* body = arena_.make(sequence(kCloseBrace, opener, false));
  close(Keyword::kRightBrace);
  return body;
}

const Command* Parser::while_command() {
  uint32_t begin = token_begin_;
  While node;
  node.is_until = keyword_ == Keyword::kUntil;
  Opener loop{text_of(keyword_), "done", file_span(begin, token_end_)};
  Opener condition{loop.what, "do", loop.span};
  advance(Mode::kCommand);
  node.condition = arena_.make(sequence(kDo, condition, false, kDone));
  node.body = is_keyword(Keyword::kDo) ? do_group(loop) : arena_.make(Sequence{});
  return finish_compound(begin, node);
}

// for and select
const Command* Parser::for_command() {
  uint32_t begin = token_begin_;
  For node;
  node.is_select = keyword_ == Keyword::kSelect;
  Opener loop{text_of(keyword_), "done", file_span(begin, token_end_)};
  advance(Mode::kTarget);
  if (token_ == Token::kLeftParenthesis && byte(0) == '(' && !node.is_select) {
    return arithmetic_for(begin);
  }
  bool is_named =
      token_ == Token::kWord && (is_bash() || (word_.is_plain() && is_name(word_text())));
  if (!is_named) {
    error("S010", file_span(token_begin_, token_end_), bad_loop_variable());
    return nullptr;
  }
  node.name = arena_.make(Name{word_text(), file_span(token_begin_, token_end_)});
  advance(Mode::kCommand);
  bool has_newline = token_ == Token::kNewline;
  bool may_be_braced = has_newline || is_ksh();
  skip_newlines();
  if (is_keyword(Keyword::kIn)) {
    node.has_in = true;
    size_t words = words_.mark();
    advance();
    while (token_ == Token::kWord) {
      words_.push(word_);
      advance();
    }
    node.word_count = static_cast<uint32_t>(words_.count(words));
    node.first_word = words_.take(words, arena_).data();
    if (token_ != Token::kSemicolon && token_ != Token::kNewline) {
      unexpected();
      return nullptr;
    }
    advance(Mode::kCommand);
    may_be_braced = true;
  } else if (token_ == Token::kSemicolon && (!has_newline || !is_bash())) {
    advance(Mode::kCommand);
    may_be_braced = true;
  }
  skip_newlines();
  node.body = may_be_braced ? loop_body(loop) : do_group(loop);
  return finish_compound(begin, node);
}

// One of the three texts of for (( ; ; )): to its `;`, or after the `))`.
// `depth` counts parentheses over all three: bash finds the `))` first and then cuts at `;`.
const Arithmetic* Parser::arithmetic_for_text(bool is_last, uint32_t& depth, bool& is_good) {
  size_t mark = parts_.mark();
  uint32_t inside = at_;
  read_arithmetic_until({'(', ')', ")", ";"}, depth);
  uint32_t end = at_;
  is_good = is_last ? view(at_, size_).starts_with("))") : text_[at_] == ';';
  if (is_good) at_ += is_last ? 2 : 1;
  const Arithmetic* result = make_arithmetic(mark, file_span(inside, end));
  return result->word.is_empty() ? nullptr : result;
}

const Command* Parser::arithmetic_for(uint32_t begin) {
  check(Feature::kArithmeticFor, file_span(begin, at_ + 1), true);
  if (is_halted_) return nullptr;
  Opener loop{"for", "done", file_span(begin, begin + 3)};
  ArithmeticFor node;
  uint32_t open = at_++;
  bool is_good = true;
  uint32_t depth = 0;
  node.initial = arithmetic_for_text(false, depth, is_good);
  if (is_good) node.condition = arithmetic_for_text(false, depth, is_good);
  if (is_good) node.step = arithmetic_for_text(true, depth, is_good);
  if (!is_good) {
    token_end_ = at_;
    if (at_ >= size_) {
      unclosed("((", "))", file_span(open - 1, open + 1));
    } else {
      error("S010", file_span(open - 1, at_ + 1), "syntax error: arithmetic expression required");
    }
    advance(Mode::kCommand);
    return nullptr;
  }
  token_end_ = at_;
  advance(Mode::kCommand);
  if (token_ == Token::kSemicolon) advance(Mode::kCommand);
  skip_newlines();
  node.body = loop_body(loop);
  return finish_compound(begin, node);
}

const Command* Parser::case_command() {
  uint32_t begin = token_begin_;
  Opener opener{"case", "esac", file_span(begin, token_end_)};
  advance(Mode::kTarget);
  expand_after_blank(Mode::kTarget);
  if (token_ != Token::kWord) {
    unexpected("word", &opener);
    return nullptr;
  }
  Case node;
  node.subject = arena_.make(word_);
  advance(Mode::kPattern);
  skip_newlines(Mode::kPattern);
  if (!is_keyword(Keyword::kIn)) {
    unexpected("in", &opener);
    return nullptr;
  }
  advance(Mode::kPattern);
  skip_newlines(Mode::kPattern);
  size_t arms = case_arms_.mark();
  while (!is_keyword(Keyword::kEsac) && case_arm(opener)) {
  }
  close(Keyword::kEsac);
  node.arms = case_arms_.take(arms, arena_);
  return finish_compound(begin, node);
}

// One arm; false if none could be read or it was the last.
bool Parser::case_arm(const Opener& opener) {
  CaseArm arm;
  uint32_t begin = token_begin_;
  if (token_ == Token::kLeftParenthesis) advance(Mode::kPattern);
  size_t patterns = words_.mark();
  bool is_good = false;
  while (token_ == Token::kWord) {
    words_.push(word_);
    advance(Mode::kPattern);
    is_good = token_ == Token::kRightParenthesis;
    if (token_ != Token::kPipe) break;
    advance(Mode::kPattern);
  }
  arm.patterns = words_.take(patterns, arena_);
  if (!is_good) {
    bool is_end = token_ == Token::kEnd;
    unexpected(arm.patterns.empty() ? (is_end ? "esac" : "word") : ")", &opener);
    return recover_in_case();
  }
  advance(Mode::kCommand);
  arm.body = sequence(kCaseArmEnd | kEsac, opener, true);
  arm.span = file_span(begin, previous_end_);
  arm.end = CaseEnd::kNone;
  switch (token_) {
    case Token::kDoubleSemicolon: arm.end = CaseEnd::kBreak; break;
    case Token::kSemicolonAnd:
      check(Feature::kCaseFallThrough, file_span(token_begin_, token_end_), true);
      arm.end = CaseEnd::kFallThrough;
      break;
    case Token::kDoubleSemicolonAnd:
      check(Feature::kCaseContinue, file_span(token_begin_, token_end_), true);
      arm.end = CaseEnd::kContinue;
      break;
    default: break;
  }
  if (arm.end != CaseEnd::kNone) {
    arm.span.end = file_span(token_begin_, token_end_).end;
    advance(Mode::kPattern);
    skip_newlines(Mode::kPattern);
  }
  case_arms_.push(arm);
  return arm.end != CaseEnd::kNone;
}

// After an arm that is not an arm: to the next `;;` or `esac`.
bool Parser::recover_in_case() {
  while (!is_keyword(Keyword::kEsac) && token_ != Token::kEnd && closer() != kCaseArmEnd) {
    advance(Mode::kPattern);
  }
  panics_ = false;
  if (closer() != kCaseArmEnd) return false;
  advance(Mode::kPattern);
  skip_newlines(Mode::kPattern);
  return true;
}

// function name [( )] body
const Command* Parser::keyword_function() {
  uint32_t begin = token_begin_;
  advance(Mode::kTarget);
  if (token_ != Token::kWord) {
    unexpected();
    return nullptr;
  }
  const Name name = {word_text(), file_span(token_begin_, token_end_)};
  advance(Mode::kCommand);
  bool has_parentheses = token_ == Token::kLeftParenthesis && peek() == ')';
  if (has_parentheses) {
    advance(Mode::kCommand);
    advance(Mode::kCommand);
  } else if (token_ == Token::kLeftParenthesis && !is_bash()) {
    unexpected();  // only bash takes a subshell for the body
    return nullptr;
  }
  skip_newlines();
  return function_body(name, true, has_parentheses, begin);
}

// Whether bash sees a reserved word or `(` next. Only looks: what is read twice at every level of
// nesting takes forever.
bool Parser::reserved_word_follows() {
  skip_blanks();
  if (text_[at_] == '(') return at_ < size_;
  uint32_t end = at_;
  while (end < size_ && !is(text_[end], kEndsWord)) end++;
  const Keyword keyword = end == at_ ? Keyword::kNone : keyword_named(view(at_, end));
  return keyword != Keyword::kNone && keyword != Keyword::kTime;
}

// coproc [NAME] command: after a name only a compound command, `coproc x fi` is an error.
const Command* Parser::coproc_command() {
  uint32_t begin = token_begin_;
  Coproc node;
  advance(Mode::kCommand);
  if (token_ == Token::kWord && keyword_ == Keyword::kNone && reserved_word_follows()) {
    node.name = arena_.make(Name{word_text(), word_.span});
    advance(Mode::kCommand);
    if (is_keyword(Keyword::kFunction) || is_keyword(Keyword::kCoproc)) {
      unexpected();
      return nullptr;
    }
  }
  node.command = command();
  if (node.command == nullptr) return nullptr;
  return make_command(begin, node, redirections_.mark());
}

const Command* Parser::conditional_command() {
  uint32_t begin = token_begin_;
  Conditional node;
  advance(Mode::kTarget);
  node.expression = conditional_or();
  if (node.expression == nullptr || !is_keyword(Keyword::kRightConditional)) {
    unexpected("]]");
    return nullptr;
  }
  advance(Mode::kCommand);
  return finish_compound(begin, node);
}

}  // namespace nacre::shell
