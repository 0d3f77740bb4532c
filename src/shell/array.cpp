#include "shell/arithmetic.h"
#include "shell/parser_scopes.h"

namespace nacre::shell {

// [...]: at the `[`. Brackets within it must match; blanks are ordinary. Within ${...} it may not
// be closed before the `}`: then this is null.
const Subscript* Parser::read_subscript(bool in_braces) {
  Level level(*this);
  if (level.is_too_deep()) return nullptr;
  Subscript subscript;
  uint32_t begin = at_++;
  size_t mark = parts_.mark();
  uint32_t depth = 0;
  read_arithmetic_until({'[', ']', "]", in_braces ? "}" : ""}, depth);
  uint32_t end = at_;
  if (at_ < size_ && text_[at_] == '}') {
    parts_.drop(mark);
    return nullptr;
  }
  if (at_ < size_) {
    at_++;
  } else {
    unclosed("[", "]", file_span(begin, begin + 1));
  }
  std::string_view inside = view(begin + 1, end);
  if (inside == "@") subscript.kind = SubscriptKind::kAllSeparate;
  if (inside == "*") subscript.kind = SubscriptKind::kAllJoined;
  subscript.expression = parse_arithmetic(parts_.view(mark), options_, arena_);
  subscript.word = finish_word(mark, file_span(begin + 1, end));
  subscript.span = file_span(begin, at_);
  return arena_.make(subscript);
}

// A word with a subscript that turned out to be no assignment: blanks within the brackets still
// belong to it. at_ is after the `]` of the `[` at `bracket`.
Word Parser::read_word_after(uint32_t begin, uint32_t bracket, const Subscript& subscript) {
  size_t mark = parts_.mark();
  push_literal(begin, bracket + 1);
  for (const Part& part : subscript.word.parts()) parts_.push(part);
  const bool is_closed = subscript.span.end > subscript.word.span.end;
  if (is_closed) push_literal(at_ - 1, at_);
  return read_word_rest(mark, begin, begin, Mode::kArgument, false);
}

// After the name at `begin`: `name=`, `name+=`, `name[...]=`. True if the token was read;
// otherwise at_ may have moved.
bool Parser::read_assignment_prefix(uint32_t begin, Mode mode) {
  const uint32_t end = at_;
  const char c = text_[end];
  if (c != '=' && c != '+' && c != '[') return false;
  if (c == '+') {
    if (text_[end + 1] != '=') return false;
    check(Feature::kAppendAssignment, file_span(begin, end + 2), false);
    if (!can(Feature::kAppendAssignment)) return false;
  }
  const Subscript* subscript = nullptr;
  if (c == '[') {
    if (!can(Feature::kArrays) || mode != Mode::kCommand) return false;
    at_ = end;
    subscript = read_subscript(false);
    if (subscript == nullptr) return false;
    bool is_assignment = text_[at_] == '=' || (text_[at_] == '+' && byte(1) == '=');
    if (!is_assignment) {
      set_word_token(read_word_after(begin, end, *subscript));
      return true;
    }
  }
  if (mode == Mode::kCommand) {
    if (subscript == nullptr) at_ = end;
    read_assignment(begin, end, subscript);
    return true;
  }
  at_ = begin;
  Word word = read_word(begin, mode, true);
  word.root.word_flags |= kWordIsAssignment;
  set_word_token(word);
  return true;
}

// A name, which may go on after continued lines.
std::string_view Parser::name_at(uint32_t begin, uint32_t end) {
  const std::string_view text = view(begin, end);
  if (text.find('\\') == text.npos) return text;
  std::string name;
  for (const char c : text)
    if (is(c, kInName)) name += c;
  return arena_.copy(name);
}

// At the `=` or `+=` after the name (and subscript).
void Parser::read_assignment(uint32_t begin, uint32_t name_end, const Subscript* subscript) {
  Assignment assignment;
  assignment.name = name_at(begin, name_end);
  assignment.name_span = file_span(begin, name_end);
  assignment.subscript = subscript;
  assignment.is_append = text_[at_] == '+';
  at_ += assignment.is_append ? 2 : 1;
  if (peek() == '(') {
    uint32_t start = at_;
    check(Feature::kArrays, file_span(at_, at_ + 1), true);
    size_t mark = parts_.mark();
    read_array();
    assignment.value = read_word_rest(mark, start, start, Mode::kCommand, false);
  } else {
    assignment.value = read_word(at_, Mode::kCommand, true);
  }
  assignment.span = file_span(begin, at_);
  assignment_ = assignment;
  token_ = Token::kAssignment;
  token_end_ = at_;
}

// ( ... ): words and newlines, with or without subscripts.
void Parser::read_array() {
  Level level(*this);
  if (is_halted_ || level.is_too_deep()) return;
  uint32_t begin = at_++;
  Array array;
  {
    Inner inner(*this);
    size_t mark = elements_.mark();
    while (true) {
      skip_blanks();
      if (text_[at_] == '\n') {
        at_++;
        if (!pending_.empty()) read_here_documents();
      } else if (at_ >= size_) {
        unclosed("(", ")", file_span(begin, begin + 1));
        break;
      } else if (text_[at_] == ')') {
        at_++;
        break;
      } else if (!read_array_element()) {
        break;
      }
    }
    array.elements = elements_.take(mark, arena_);
  }
  Part part;
  part.kind = PartKind::kArray;
  part.span = file_span(begin, at_);
  part.array_ = arena_.make(array);
  parts_.push(part);
}

bool Parser::read_array_element() {
  ArrayElement element;
  uint32_t begin = at_;
  if (text_[at_] == '[') {
    element.subscript = read_subscript(false);
    if (text_[at_] == '+' && byte(1) == '=') {
      element.is_append = true;
      at_++;
    }
    if (text_[at_] == '=' && element.subscript != nullptr) {
      at_++;
      element.value = read_word(at_, Mode::kCommand, true);
      element.span = file_span(begin, at_);
      elements_.push(element);
      return true;
    }
    if (element.subscript == nullptr || at_ >= size_) return at_ < size_;
    element.value = read_word_after(begin, begin, *element.subscript);
    element.subscript = nullptr;
    element.span = file_span(begin, at_);
    elements_.push(element);
    return true;
  }
  advance(Mode::kArgument);
  if (token_ != Token::kWord) {
    fails_in_array_ = fails_in_array_ || (diagnostics_.empty() && token_ != Token::kEnd);
    unexpected();
    return recovers_ && token_ != Token::kEnd && !is_halted_;
  }
  element.value = word_;
  element.span = file_span(begin, at_);
  elements_.push(element);
  return true;
}

}  // namespace nacre::shell
