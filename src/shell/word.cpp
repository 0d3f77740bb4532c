#include <cstring>

#include "shell/parser_scopes.h"

namespace nacre::shell {

namespace {

struct Traits {
  uint32_t flags = kWordIsLiteral;
  size_t size = 0;  // of the literal value
};

void add_traits(std::span<const Part> parts, Traits& traits) {
  constexpr auto kLiteralBit = static_cast<uint32_t>(kWordIsLiteral);
  for (const Part& part : parts) {
    traits.size += part.is_text() ? part.size : 0;
    if (part.is_quoted()) traits.flags |= kWordIsQuoted;
    switch (part.kind) {
      case PartKind::kLiteral:
      case PartKind::kEscaped:
      case PartKind::kSingleQuoted:
      case PartKind::kAnsiQuoted: break;
      case PartKind::kDoubleQuoted: add_traits(part.parts(), traits); break;
      case PartKind::kLocaleQuoted:
        add_traits(part.parts(), traits);
        traits.flags &= ~kLiteralBit;
        break;
      case PartKind::kTilde:
        traits.flags = (traits.flags & ~kLiteralBit) |
                       (part.only_in_assignment ? 0u : static_cast<uint32_t>(kWordHasTilde));
        break;
      case PartKind::kGlob: traits.flags = (traits.flags & ~kLiteralBit) | kWordMayGlob; break;
      case PartKind::kExtGlob:
        traits.flags = (traits.flags & ~kLiteralBit) | kWordMayGlob;
        for (const Word& word : part.ext_glob().alternatives) {
          traits.flags |= word.root.word_flags & kWordHasExpansion;
        }
        break;
      case PartKind::kBrace:
        traits.flags = (traits.flags & ~kLiteralBit) | kWordHasBrace;
        for (const Word& word : part.brace().alternatives) {
          traits.flags |= word.root.word_flags & (kWordHasExpansion | kWordMayGlob | kWordHasTilde);
        }
        break;
      case PartKind::kArray: traits.flags = (traits.flags & ~kLiteralBit) | kWordHasArray; break;
      default: traits.flags = (traits.flags & ~kLiteralBit) | kWordHasExpansion; break;
    }
  }
}

char* append_literal(std::span<const Part> parts, char* to) {
  for (const Part& part : parts) {
    if (part.is_text()) {
      if (part.size > 0) std::memcpy(to, part.bytes, part.size);
      to += part.size;
    } else {
      to = append_literal(part.parts(), to);
    }
  }
  return to;
}

// A `[` that is not a bracket expression by itself may become one with what follows it
// (`[$x]`, `["a"]`).
bool has_loose_bracket(std::span<const Part> parts) {
  bool is_open = false;
  for (const Part& part : parts) {
    if (part.kind != PartKind::kLiteral) continue;
    size_t open = is_open ? 0 : part.text().find('[');
    if (open == std::string_view::npos) continue;
    is_open = true;
    if (part.text().find(']', open) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

Word Parser::literal_word(uint32_t begin, uint32_t end) {
  Word word;
  word.span = file_span(begin, end);
  word.root.word_flags = kWordIsLiteral | kWordIsInPlace;
  word.root.size = end - begin;
  word.root.span = word.span;
  word.root.bytes = text_ + begin;
  return word;
}

// Makes a word of the parts above `mark`.
Word Parser::finish_word(size_t mark, Span span, Mode mode) {
  if (mode == Mode::kArgument || mode == Mode::kDeclaration) expand_braces(mark);
  Word word;
  word.span = span;
  auto parts = parts_.view(mark);
  Traits traits;
  add_traits(parts, traits);
  if (has_loose_bracket(parts)) {
    traits.flags = (traits.flags & ~static_cast<uint32_t>(kWordIsLiteral)) | kWordMayGlob;
  }
  const bool is_literal = (traits.flags & kWordIsLiteral) != 0;
  if (parts.size() == 1 && (!is_literal || parts[0].is_text())) {
    traits.flags |= kWordIsInPlace;
    word.root = parts[0];
    parts_.drop(mark);
  } else {
    word.root.size = static_cast<uint32_t>(parts.size());
    if (is_literal && !parts.empty()) push_joined_value(mark, traits.size);
    word.root.children = parts_.take(mark, arena_).data();
  }
  word.root.word_flags = static_cast<uint16_t>(traits.flags);
  return word;
}

// Puts the value of the literal parts above `mark`, `size` bytes, after them.
void Parser::push_joined_value(size_t mark, size_t size) {
  auto* value = static_cast<char*>(arena_.allocate(size, 1));
  append_literal(parts_.view(mark), value);
  push_part(PartKind::kLiteral, {}, {value, size});
}

void Parser::push_part(PartKind kind, Span span, std::string_view text) {
  Part part;
  part.kind = kind;
  part.size = static_cast<uint32_t>(text.size());
  part.span = span;
  part.bytes = text.data();
  parts_.push(part);
}

// Extends the literal before it where the two touch. Two words never touch: there is always a
// quote, an operator or a blank between the parts of one and the other.
void Parser::push_literal(uint32_t begin, uint32_t end) {
  if (begin == end) return;
  Span span = file_span(begin, end);
  if (parts_.mark() > 0) {
    Part& last = parts_.back();
    if (last.kind == PartKind::kLiteral && last.span.end == span.begin &&
        last.bytes + last.size == text_ + begin) {
      last.size += end - begin;
      last.span.end = span.end;
      return;
    }
  }
  push_part(PartKind::kLiteral, span, view(begin, end));
}

// Reads from at_ to the end of the word. `begin` is where a tilde may stand; in an assignment it
// may also follow the `=` after the name, which is before `begin` in Mode::kCommand, and any `:`.
Word Parser::read_word(uint32_t begin, Mode mode, bool is_assignment) {
  uint32_t start = at_;
  while (!is(text_[at_], kStopsWord)) at_++;
  if (word_ends() && at_ > start) return literal_word(start, at_);
  size_t mark = parts_.mark();
  push_literal(start, at_);
  return read_word_rest(mark, start, begin, mode, is_assignment);
}

// Goes on with a word that started at `start` and whose first parts are above `mark`.
Word Parser::read_word_rest(size_t mark, uint32_t start, uint32_t begin, Mode mode,
                            bool is_assignment) {
  do {
    uint32_t run = at_;
    while (!is(text_[at_], kStopsWord)) at_++;
    push_literal(run, at_);
  } while (read_word_piece(begin, mode, is_assignment));
  return finish_word(mark, file_span(start, at_), mode);
}

// At a byte that stops a run of literal text. False if the word ends here.
bool Parser::read_word_piece(uint32_t begin, Mode mode, bool is_assignment) {
  char c = text_[at_];
  switch (c) {
    case '\\': read_escape(false, false); return true;
    case '\'': read_single_quoted(); return true;
    case '"': read_double_quoted(PartKind::kDoubleQuoted, at_); return true;
    case '$': read_dollar(false); return true;
    case '*':
    case '?':
      if (byte(1) != '(' || !read_ext_glob()) read_glob();
      return true;
    case '[': read_glob(); return true;
    case '~': {
      bool is_only_there = mode != Mode::kCommand;
      bool follows = is_assignment && at_ > begin &&
                     (text_[at_ - 1] == ':' ||
                      (is_only_there && view(begin, at_).find('=') == at_ - 1 - begin));
      if (at_ == begin || follows) {
        if (read_tilde(at_ != begin && is_only_there, false)) return true;
      }
      break;
    }
    case '{': break;
    case '(':
      if (mode == Mode::kDeclaration && is_assignment && text_[at_ - 1] == '=') {
        read_array();
        return true;
      }
      return read_ext_glob();
    case '<':
    case '>': return read_angle_part();
    case '`':
    case '\0':
      if (at_ >= size_) return more_text();
      if (c == '`') {
        read_backquoted(false);
        return true;
      }
      break;
    default: return false;
  }
  push_literal(at_, at_ + 1);
  at_++;
  return true;
}

bool Parser::read_angle_part() {
  if (byte(1) != '(') return false;
  read_process_substitution();
  return true;
}

void Parser::read_escape(bool in_double, bool in_braces) {
  if (at_ + 1 >= size_ && (at_++, is_at_end())) {
    push_literal(at_ - 1, at_);
    return;
  }
  if (text_[at_] != '\\') at_--;  // more text came
  char next = text_[at_ + 1];
  if (next == '\n') {
    at_ += 2;
    return;
  }
  bool is_escape = !in_double || next == '$' || next == '`' || next == '"' || next == '\\' ||
                   (next == '}' && in_braces);
  if (is_escape) {
    push_part(PartKind::kEscaped, file_span(at_, at_ + 2), view(at_ + 1, at_ + 2));
  } else {
    push_literal(at_, at_ + 2);
  }
  at_ += 2;
}

void Parser::read_single_quoted() {
  uint32_t begin = at_++;
  while (true) {
    const void* quote = std::memchr(text_ + at_, '\'', size_ - at_);
    if (quote != nullptr) {
      auto end = static_cast<uint32_t>(static_cast<const char*>(quote) - text_);
      at_ = end + 1;
      push_part(PartKind::kSingleQuoted, file_span(begin, at_), view(begin + 1, end));
      return;
    }
    at_ = size_;
    if (!more_text()) break;
  }
  push_part(PartKind::kSingleQuoted, file_span(begin, at_), view(begin + 1, at_));
  unclosed("'", "'", file_span(begin, begin + 1));
}

// `begin` is where the `"` or `$"` starts; at_ is at the `"`, or the `$` of `$"`.
void Parser::read_double_quoted(PartKind kind, uint32_t begin) {
  Level level(*this);
  if (level.is_too_deep()) return;
  at_ += kind == PartKind::kLocaleQuoted ? 2 : 1;
  size_t mark = parts_.mark();
  uint32_t start = at_;
  while (!is(text_[at_], kStopsDouble)) at_++;
  if (at_ > start) push_part(PartKind::kLiteral, file_span(start, at_), view(start, at_));
  read_double_parts();
  if (at_ < size_) {
    at_++;
  } else {
    unclosed("\"", "\"", file_span(begin, begin + 1));
  }
  Part part;
  part.kind = kind;
  part.span = file_span(begin, at_);
  auto parts = parts_.take(mark, arena_);
  part.size = static_cast<uint32_t>(parts.size());
  part.children = parts.data();
  parts_.push(part);
}

// To the closing quote or the end of the input.
void Parser::read_double_parts() {
  while (true) {
    uint32_t run = at_;
    while (!is(text_[at_], kStopsDouble)) at_++;
    push_literal(run, at_);
    switch (text_[at_]) {
      case '"': return;
      case '\\': read_escape(true, false); break;
      case '$': read_dollar(true); break;
      default:
        if (at_ >= size_) {
          if (!more_text()) return;
        } else if (text_[at_] == '`') {
          read_backquoted(true);
        } else {
          push_literal(at_, at_ + 1);
          at_++;
        }
    }
  }
}

bool Parser::read_tilde(bool only_in_assignment, bool in_braces) {
  uint32_t end = at_ + 1;
  auto ends_name = [&](char c) { return c == '/' || c == ':' || (c == '}' && in_braces); };
  while (!is(text_[end], kStopsWord) && !ends_name(text_[end])) end++;
  bool is_complete = end >= size_ || is(text_[end], kEndsWord) || ends_name(text_[end]);
  if (!is_complete) return false;  // a quote or expansion in the login name: no tilde
  if (text_[end] == '(' && !is_ash() && options_.extended_globs) return false;  // ~@(a|b)
  push_part(PartKind::kTilde, file_span(at_, end), view(at_ + 1, end));
  parts_.back().only_in_assignment = only_in_assignment;
  at_ = end;
  return true;
}

}  // namespace nacre::shell
