// Patterns within words: `*`, `?`, bracket expressions and extended patterns.
#include "shell/parser_scopes.h"

namespace nacre::shell {

// The offset after the `]` that closes the bracket expression at at_, or 0. Only expressions that
// are literal text all through are found: `[$x]` becomes a pattern only when it is expanded.
uint32_t Parser::bracket_end() {
  if (at_ < no_bracket_until_) return 0;
  uint32_t end = at_ + 1;
  if (text_[end] == '!' || text_[end] == '^') end++;
  if (text_[end] == ']') end++;
  while (text_[end] != ']') {
    char c = text_[end];
    if (end >= size_ || is(c, kEndsWord | kStopsDouble) || c == '\'' || c == '/') {
      no_bracket_until_ = end;
      return 0;
    }
    end = c == '[' ? class_end(end) : end + 1;
  }
  return end + 1;
}

// After the class `[:alpha:]`, `[.-.]` or `[=a=]` at `at` within a bracket expression; after the
// `[` if there is none.
uint32_t Parser::class_end(uint32_t at) {
  char kind = text_[at + 1];
  if (kind != ':' && kind != '.' && kind != '=') return at + 1;
  uint32_t end = at + 2;
  while (is(text_[end], kInName) || text_[end] == '-') end++;
  return text_[end] == kind && text_[end + 1] == ']' ? end + 2 : at + 1;
}

void Parser::read_glob() {
  uint32_t end = at_ + 1;
  if (text_[at_] == '[') {
    end = bracket_end();
    if (end == 0) {
      push_literal(at_, at_ + 1);
      at_++;
      return;
    }
  }
  push_part(PartKind::kGlob, file_span(at_, end), view(at_, end));
  at_ = end;
}

// At the `(`, whose operator is the literal byte before it, or at the operator `?` or `*`. False if
// this is not an extended pattern.
bool Parser::read_ext_glob() {
  const bool are_on = options_.extended_globs || is_conditional_;
  if (is_ash() || !are_on || !can(Feature::kExtendedGlobs)) return false;
  uint32_t begin = at_;
  if (text_[at_] == '(') {
    begin = at_ - 1;
    if (at_ == 0 || parts_.mark() == 0) return false;
    Part& last = parts_.back();
    char op = text_[begin];
    if ((op != '+' && op != '@' && op != '!') || last.kind != PartKind::kLiteral ||
        last.bytes + last.size != text_ + at_) {
      return false;
    }
    // Nothing before `!(`: a negated subshell; `name+()`: a function.
    bool is_bang = op == '!' && begin == token_begin_ && mode_ == Mode::kCommand;
    if (is_bang || (byte(1) == ')' && mode_ == Mode::kCommand)) return false;
    last.size--;
    last.span.end--;
    if (last.size == 0) parts_.drop(parts_.mark() - 1);
  }
  Level level(*this);
  if (level.is_too_deep()) return true;  // nothing is left to read
  ExtGlob glob;
  glob.op = text_[begin];
  at_ = begin + 2;
  size_t mark = words_.mark();
  bool is_closed = false;
  while (!is_closed) {
    read_alternative();
    if (at_ >= size_) break;
    is_closed = text_[at_++] == ')';
  }
  if (!is_closed) unclosed("(", ")", file_span(begin, begin + 2));
  glob.alternatives = words_.take(mark, arena_);
  Part part;
  part.kind = PartKind::kExtGlob;
  part.span = file_span(begin, at_);
  part.ext_glob_ = arena_.make(glob);
  parts_.push(part);
  return true;
}

// One alternative of an extended pattern: to its `|` or `)`. Blanks and newlines are ordinary.
void Parser::read_alternative() {
  size_t mark = parts_.mark();
  uint32_t begin = at_;
  uint32_t depth = 0;
  while (true) {
    uint32_t run = at_;
    while (!is(text_[at_], kStopsWord)) at_++;
    push_literal(run, at_);
    char c = text_[at_];
    if (at_ >= size_ && !more_text()) break;
    if (depth == 0 && (c == '|' || c == ')')) break;
    if (c == '(' && parts_.count(mark) > 0 && read_ext_glob()) continue;
    if (c == '(') depth++;
    if (c == ')') depth--;
    bool is_plain = is(c, kEndsWord) && (byte(1) != '(' || (c != '<' && c != '>'));
    if (is_plain || !read_word_piece(begin, Mode::kPattern, false)) {
      push_literal(at_, at_ + 1);
      at_++;
    }
  }
  words_.push(finish_word(mark, file_span(begin, at_), Mode::kPattern));
}

}  // namespace nacre::shell
