#include <cstring>

#include "shell/arithmetic.h"
#include "shell/parser_scopes.h"

namespace nacre::shell {

// At a `$`. A `$` that begins nothing is literal.
void Parser::read_dollar(bool in_double) {
  uint32_t begin = at_++;
  char next = peek();
  if (is(next, kStartsName | kDigit | kSpecialParameter)) return read_simple_parameter(begin);
  switch (next) {
    case '{': return read_braced_parameter(begin, in_double);
    case '(':
      if (read_arithmetic_substitution(begin)) return;
      return read_command_substitution(begin);
    case '[':
      if (can(Feature::kBracketArithmetic)) return read_bracket_arithmetic(begin);
      break;
    case '\'':
      if (in_double) break;
      if (can(Feature::kAnsiQuotes) ||
          (options_.dialect != Dialect::kDash && !(is_ash() && dash_closes_earlier())))
        return read_ansi_quoted(begin);
      lacks(Feature::kAnsiQuotes, file_span(begin, at_ + 1), false);
      break;
    case '"':
      if (in_double) break;
      check(Feature::kLocaleQuotes, file_span(begin, at_ + 1), false);
      if (!can(Feature::kLocaleQuotes)) break;
      at_ = begin;
      return read_double_quoted(PartKind::kLocaleQuoted, begin);
    default: break;
  }
  push_literal(begin, begin + 1);
}

// At the quote of `$'a\'b'`: sh has what POSIX 2024 added, unless dash sees another end of it.
bool Parser::dash_closes_earlier() const {
  const void* quote = std::memchr(text_ + at_ + 1, '\'', size_ - at_ - 1);
  return quote != nullptr && static_cast<const char*>(quote)[-1] == '\\';
}

// The commands up to the `)`; at_ is after the `(` before and after the `)` after it.
Sequence Parser::read_parenthesised(const Opener& opener) {
  Level level(*this);
  if (level.is_too_deep()) return {};
  Inner inner(*this);
  is_parenthesised_ = true;
  token_end_ = at_;  // becomes the end of the token before
  advance(Mode::kCommand);
  return sequence(kCloseParenthesis, opener, true);
}

void Parser::read_command_substitution(uint32_t begin) {
  const std::optional<uint32_t> end = subshell_end(begin);
  at_++;
  const Opener opener{"$(", ")", file_span(begin, at_)};
  CommandSubstitution substitution;
  if (is_bash() && end) {
    substitution.body = read_counted(opener, *end - 1);
    at_ = is_halted_ ? size_ : *end;
  } else {
    substitution.body = read_parenthesised(opener);
  }
  Part part;
  part.kind = PartKind::kCommand;
  part.span = file_span(begin, at_);
  part.command_ = arena_.make(substitution);
  parts_.push(part);
}

// The commands of `$((a); b)`, up to the `)` at `end`: bash only counts its parentheses and looks
// into it when it runs. They are parsed where they stand, as if the text ended there.
Sequence Parser::read_counted(const Opener& opener, uint32_t end) {
  Level level(*this);
  if (level.is_too_deep()) return {};
  Inner inner(*this);
  Deferred deferred(*this);
  Nested nested(*this, view(0, end), at_, map_);
  is_parenthesised_ = true;
  token_end_ = at_;
  advance(Mode::kCommand);
  const Sequence body = sequence(kEndOfInput, opener, true);
  end_here_documents();
  return body;
}

void Parser::read_process_substitution() {
  uint32_t begin = at_;
  ProcessSubstitution substitution;
  substitution.is_input = text_[at_] == '<';
  check(Feature::kProcessSubstitution, file_span(at_, at_ + 2), true);
  if (is_halted_) return;
  at_ += 2;
  substitution.body =
      read_parenthesised({substitution.is_input ? "<(" : ">(", ")", file_span(begin, at_)});
  Part part;
  part.kind = PartKind::kProcess;
  part.span = file_span(begin, at_);
  part.process_ = arena_.make(substitution);
  parts_.push(part);
}

// From at_, after the opening back-quote, to the closing one.
bool Parser::find_backquote_end(uint32_t& end, bool& has_escapes) {
  end = at_;
  while (true) {
    while (end < size_ && text_[end] != '`' && text_[end] != '\\') end++;
    if (end + (text_[end] == '\\' ? 1 : 0) >= size_) {
      if (!more_text()) return false;
      continue;
    }
    if (text_[end] == '`') return true;
    char next = text_[end + 1];
    has_escapes |= next == '`' || next == '\\' || next == '$' || next == '"' || next == '\n';
    end += 2;
  }
}

void Parser::read_backquoted(bool in_double) {
  Level level(*this);
  if (level.is_too_deep()) return;
  uint32_t begin = at_++;
  uint32_t end = at_;
  bool has_escapes = false;
  bool is_closed = find_backquote_end(end, has_escapes);
  end = std::min(end, size_);
  CommandSubstitution substitution;
  substitution.form = SubstitutionForm::kBackquote;
  if (is_closed) {
    substitution.body = read_backquoted_body(begin + 1, end, has_escapes, in_double);
    at_ = is_halted_ ? size_ : end + 1;
  } else {
    at_ = size_;
    unclosed("`", "`", file_span(begin, begin + 1));
  }
  Part part;
  part.kind = PartKind::kCommand;
  part.span = file_span(begin, at_);
  part.command_ = arena_.make(substitution);
  parts_.push(part);
}

// Without escapes the text is parsed where it stands (the closing back-quote ends every scan);
// otherwise in a copy without them. bash looks into it only when it runs.
Sequence Parser::read_backquoted_body(uint32_t begin, uint32_t end, bool has_escapes,
                                      bool in_double) {
  Inner inner(*this);
  Deferred deferred(*this, is_bash() || is_ksh());
  Opener opener{"`", "`", file_span(begin - 1, begin)};
  if (!has_escapes && !options_.aliases) {
    Nested nested(*this, view(0, end), begin, map_);
    return backquoted_sequence(opener);
  }
  auto map = std::make_unique<TextMap>(map_);
  std::string plain;
  map->add_copy(0, begin);
  for (uint32_t i = begin; i < end; i++) {
    char next = i + 1 < end ? text_[i + 1] : '\0';
    if (text_[i] == '\\' && next == '\n') {  // also within single quotes
      map->add_copy(static_cast<uint32_t>(plain.size()), ++i + 1);
      continue;
    }
    bool is_escape = text_[i] == '\\' &&
                     (next == '`' || next == '\\' || next == '$' || (next == '"' && in_double));
    if (!is_escape) {
      plain += text_[i];
      continue;
    }
    map->add_whole(static_cast<uint32_t>(plain.size()), {i, i + 2});
    plain += next;
    i++;
    map->add_copy(static_cast<uint32_t>(plain.size()), i + 1);
  }
  const std::string_view buffer = keep_text(std::move(plain));
  maps_.push_back(std::move(map));
  Nested nested(*this, buffer, 0, maps_.back().get());
  return backquoted_sequence(opener);
}

// dash stops at a `)`, `fi` or the like between back-quotes and drops the rest without a word.
Sequence Parser::backquoted_sequence(const Opener& opener) {
  token_end_ = at_;  // becomes the end of the token before
  advance(Mode::kCommand);
  Sequence result = sequence(is_ash() ? kAnyCloser : kEndOfInput, opener, true);
  if (token_ != Token::kEnd) {
    Deferred deferred(*this);
    unexpected();
    panics_ = false;
  }
  end_here_documents();
  return result;
}

// Those that were opened in a text of its own end with it; they do not go on after it.
void Parser::end_here_documents() {
  if (pending_.empty()) return;
  at_ = size_;
  read_here_documents();
}

// The parts of an arithmetic text, from after `((` to after `))`. A `)` alone tells bash and ksh
// that the parentheses were those of subshells: then at_ ends after the one that closes the first.
// To dash it is one more character; POSIX wants what the others do.
Parser::ArithmeticEnd Parser::read_arithmetic_parts() {
  uint32_t depth = 0;
  ArithmeticEnd result = ArithmeticEnd::kClosed;
  while (true) {
    read_arithmetic_until({'(', ')', ")"}, depth);
    if (at_ >= size_) return ArithmeticEnd::kUnclosed;
    uint32_t close = at_++;
    if (result == ArithmeticEnd::kNotArithmetic) return result;
    if (peek() == ')') {
      at_++;
      return result;
    }
    if (!is_ash() || options_.posix_2024) result = ArithmeticEnd::kNotArithmetic;
    push_literal(close, close + 1);
  }
}

void Parser::read_arithmetic_until(const ArithmeticBounds& bounds, uint32_t& depth) {
  while (true) {
    uint32_t run = at_;
    while (!is(text_[at_], kStopsArithmetic)) at_++;
    push_literal(run, at_);
    if (at_ >= size_ && !more_text()) return;
    if (at_ >= size_) continue;
    const char c = text_[at_];
    if (bounds.ends_anywhere.find(c) != std::string_view::npos) return;
    if (depth == 0 && bounds.ends.find(c) != std::string_view::npos) return;
    if (c == bounds.open) depth++;
    if (c == bounds.close) depth--;
    if (c == '\\' && bounds.open == '[') {  // a subscript may be a text: quotes go as elsewhere
      read_escape(bounds.is_quoted, false);
      continue;
    }
    if (read_arithmetic_piece()) continue;
    push_literal(at_, at_ + 1);
    at_++;
  }
}

// Expansions and, but for dash, quotes within an arithmetic text.
bool Parser::read_arithmetic_piece() {
  switch (text_[at_]) {
    case '$': read_dollar(true); return true;
    case '`': read_backquoted(true); return true;
    case '\\': read_escape(true, false); return true;
    case '"':
      if (is_ash()) return false;
      read_double_quoted(PartKind::kDoubleQuoted, at_);
      return true;
    case '\'':
      if (is_ash()) return false;
      read_single_quoted();
      return true;
    default: return false;
  }
}

const Arithmetic* Parser::make_arithmetic(size_t mark, Span span, bool is_bracket) {
  Arithmetic arithmetic;
  arithmetic.is_bracket = is_bracket;
  arithmetic.expression = parse_arithmetic(parts_.view(mark), options_, arena_);
  arithmetic.word = finish_word(mark, span);
  return arena_.make(arithmetic);
}

std::optional<uint32_t> Parser::subshell_end(uint32_t begin) const {
  const auto known = not_arithmetic_.find(text_ + begin);
  if (known == not_arithmetic_.end() || known->second > size_) return std::nullopt;
  return known->second;
}

// At the first `(` after the `$` at `begin`. False, and nothing is read, if there is no second one
// or this is a command substitution that begins with a subshell.
bool Parser::read_arithmetic_substitution(uint32_t begin) {
  const uint32_t first = at_++;
  const bool is_double = peek() == '(' && !subshell_end(begin);
  const uint32_t inside = at_ + 1;
  at_ = first;
  if (!is_double) return false;
  Level level(*this);
  if (level.is_too_deep()) return true;
  Checkpoint start = checkpoint();
  size_t mark = parts_.mark();
  at_ = inside;
  attempts_++;
  ArithmeticEnd end = read_arithmetic_parts();
  attempts_--;
  if (end == ArithmeticEnd::kNotArithmetic) {
    parts_.drop(mark);
    if (start.is_valid && !is_valid_) {  // in a `$( )` within, which bash parses at once
      end_attempt();
      return true;
    }
    uint32_t found = at_;
    restore(start);
    not_arithmetic_.insert_or_assign(text_ + begin, found);
    return false;
  }
  uint32_t close = at_;
  if (end == ArithmeticEnd::kClosed) {
    close = at_ - 2;
    while (text_[close] != ')') close--;  // a continued line between the two
  }
  end_attempt();
  if (end == ArithmeticEnd::kUnclosed) unclosed("$((", "))", file_span(begin, inside));
  Part part;
  part.kind = PartKind::kArithmetic;
  part.arithmetic_ = make_arithmetic(mark, file_span(inside, std::max(inside, close)));
  part.span = file_span(begin, at_);
  parts_.push(part);
  return true;
}

// bash's `$[...]`.
void Parser::read_bracket_arithmetic(uint32_t begin) {
  Level level(*this);
  if (level.is_too_deep()) return;
  size_t mark = parts_.mark();
  uint32_t inside = ++at_;
  uint32_t depth = 0;
  read_arithmetic_until({'[', ']', "]", {}, true}, depth);
  uint32_t close = at_;
  if (at_ < size_) {
    at_++;
  } else {
    unclosed("$[", "]", file_span(begin, inside));
  }
  Part part;
  part.kind = PartKind::kArithmetic;
  part.arithmetic_ = make_arithmetic(mark, file_span(inside, close), true);
  part.span = file_span(begin, at_);
  parts_.push(part);
}

}  // namespace nacre::shell
