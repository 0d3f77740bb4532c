#include <cstring>

#include "shell/parser.h"

namespace nacre::shell {

Parser::Parser(const SourceFile& file, std::string_view text, const ParseOptions& options,
               bool recovers)
    : text_(text.data()),
      size_(static_cast<uint32_t>(text.size())),
      file_(file),
      options_(options),
      recovers_(recovers) {}

void Parser::advance(Mode mode) {
  mode_ = mode;
  previous_end_ = token_end_;
  skip_blanks();
  token_begin_ = at_;
  keyword_ = Keyword::kNone;
  char c = text_[at_];
  if (!is(c, kStopsWord)) {
    read_token_word(mode);
  } else if (is(c, kEndsWord)) {
    read_operator();
  } else if (is_at_end()) {
    token_ = Token::kEnd;
    token_end_ = at_;
  } else {
    read_token_word(mode);
  }
}

// True when nothing is left, not even by asking for more.
bool Parser::is_at_end() { return at_ >= size_ && !more_text(); }

bool Parser::more_text() {
  if (!more_text_ || is_halted_) return false;
  std::string added;
  if (!more_text_(added) || added.empty()) {
    more_text_ = nullptr;  // a terminal would be asked again
    return false;
  }
  append_text(added);
  return true;
}

// Views into a buffer that became too small remain good: it stays in the arena.
void Parser::append_text(std::string_view added) {
  size_t needed = size_ + added.size() + 1;
  if (text_ != buffer_ || needed > capacity_) {
    capacity_ = 2 * needed;
    auto* larger = static_cast<char*>(arena_.allocate(capacity_, 1));
    if (size_ > 0) std::memcpy(larger, text_, size_);
    text_ = buffer_ = larger;
  }
  std::memcpy(buffer_ + size_, added.data(), added.size());
  size_ += static_cast<uint32_t>(added.size());
  buffer_[size_] = '\0';
}

// The next byte that is not a continued line; NUL at the end.
char Parser::peek() {
  while (true) {
    skip_continuations();
    if (at_ < size_) return text_[at_];
    if (!more_text()) return '\0';
  }
}

void Parser::skip_more_blanks() {
  while (true) {
    while (is(text_[at_], kBlank)) at_++;
    char c = text_[at_];
    if (c == '\\' && byte(1) == '\n') {
      at_ += 2;
    } else if (c == '#') {
      skip_comment();
    } else if (at_ < size_ || !more_text()) {
      return;
    }
  }
}

void Parser::skip_comment() {
  const void* newline = std::memchr(text_ + at_, '\n', size_ - at_);
  uint32_t end =
      newline == nullptr ? size_ : static_cast<uint32_t>(static_cast<const char*>(newline) - text_);
  comments_.push_back({file_span(at_, end)});
  at_ = end;
}

void Parser::read_operator() {
  char first = text_[at_++];
  auto then = [this](char wanted) {
    if (peek() != wanted) return false;
    at_++;
    return true;
  };
  switch (first) {
    case '\n':
      token_ = Token::kNewline;
      token_end_ = at_;
      if (!pending_.empty()) read_here_documents();
      return;
    case ';':
      if (then(';')) {
        token_ = !is_ash() && then('&') ? Token::kDoubleSemicolonAnd : Token::kDoubleSemicolon;
      } else {
        token_ = then('&') ? Token::kSemicolonAnd : Token::kSemicolon;
      }
      break;
    case '&':
      if (then('&')) {
        token_ = Token::kAndIf;
      } else if (peek() == '>' && can(Feature::kOutputAll)) {
        at_++;
        const bool appends = is_bash() && then('>');
        redirection_token(appends ? RedirectOp::kAppendAll : RedirectOp::kOutputAll, 0, -1,
                          token_begin_);
      } else {
        if (peek() == '>') lacks(Feature::kOutputAll, file_span(token_begin_, at_ + 1), false);
        token_ = Token::kAmpersand;
      }
      break;
    case '|':
      if (then('|')) {
        token_ = Token::kOrIf;
      } else if (then('&')) {  // in ksh the command before it is a coprocess
        token_ = is_ksh() ? Token::kAmpersand : Token::kPipeBoth;
      } else {
        token_ = Token::kPipe;
      }
      break;
    case '(': token_ = Token::kLeftParenthesis; break;
    case ')':
      token_ = at_ > size_ ? Token::kEnd : Token::kRightParenthesis;
      at_ = std::min(at_, size_);
      break;
    default:  // `<` or `>`
      at_--;
      read_angle_operator();
      return;
  }
  token_end_ = at_;
}

void Parser::redirection_token(RedirectOp op, uint32_t length, int32_t descriptor, uint32_t begin) {
  at_ += length;
  token_ = Token::kRedirection;
  token_begin_ = begin;
  token_end_ = at_;
  redirect_op_ = op;
  redirect_descriptor_ = descriptor;
  redirect_variable_ = {};
  strips_tabs_ = false;
}

// At a `<` or `>`, perhaps after a descriptor that starts at token_begin_.
void Parser::read_angle_operator() {
  int32_t descriptor = -1;
  if (token_begin_ != at_) {
    descriptor = 0;
    for (uint32_t i = token_begin_; i < at_; i++) {  // a continued line may lie between
      if (is(text_[i], kDigit)) descriptor = descriptor * 10 + (text_[i] - '0');
    }
  }
  char first = text_[at_++];
  char second = peek();
  RedirectOp op = first == '<' ? RedirectOp::kInput : RedirectOp::kOutput;
  bool strips = false;
  if (second == '(' && descriptor < 0 && token_begin_ == at_ - 1) {
    at_ = token_begin_;
    set_word_token(read_word(at_, Mode::kArgument, false));
    return;
  }
  if (second == '&') {
    op = first == '<' ? RedirectOp::kDuplicateInput : RedirectOp::kDuplicateOutput;
    at_++;
  } else if (first == '>' && (second == '>' || second == '|')) {
    op = second == '>' ? RedirectOp::kAppend : RedirectOp::kClobber;
    at_++;
  } else if (first == '<' && second == '>') {
    op = RedirectOp::kReadWrite;
    at_++;
  } else if (first == '<' && second == '<') {
    at_++;
    op = RedirectOp::kHereDocument;
    char third = peek();
    strips = third == '-';
    if (third == '<') op = RedirectOp::kHereString;
    if (third == '-' || third == '<') at_++;
  }
  redirection_token(op, 0, descriptor, token_begin_);
  strips_tabs_ = strips;
  if (op == RedirectOp::kHereString)
    check(Feature::kHereString, file_span(token_begin_, at_), true);
}

void Parser::set_word_token(const Word& word) {
  token_ = Token::kWord;
  token_end_ = at_;
  word_ = word;
}

// The fast path: a word without quotes, expansions or patterns.
void Parser::set_plain_word(uint32_t begin) {
  token_ = Token::kWord;
  token_end_ = at_;
  keyword_ = keyword_named(view(begin, at_));
  word_ = literal_word(begin, at_);
}

// Digits (one in dash) or `{name}` directly before `<` or `>` belong to the redirection.
bool Parser::read_descriptor_variable() {
  uint32_t end = at_ + 1;
  if (!is(text_[end], kStartsName)) return false;
  while (is(text_[end], kInName)) end++;
  if (text_[end] == '[') {
    while (end < size_ && !is(text_[end], kEndsWord) && text_[end] != ']') end++;
    if (text_[end] == ']') end++;
  }
  if (text_[end] != '}' || (text_[end + 1] != '<' && text_[end + 1] != '>')) return false;
  if (text_[end + 2] == '(') return false;
  check(Feature::kDescriptorVariable, file_span(at_, end + 1), false);
  if (!can(Feature::kDescriptorVariable)) return false;
  std::string_view variable = view(at_ + 1, end);
  uint32_t begin = at_;
  at_ = end + 1;
  token_begin_ = at_;
  read_angle_operator();
  token_begin_ = begin;
  redirect_variable_ = variable;
  return true;
}

void Parser::read_token_word(Mode mode) {
  uint32_t begin = at_;
  char c = text_[at_];
  if (is(c, kStartsName)) {
    while (is(text_[at_], kInName)) at_++;
    if (word_ends()) return set_plain_word(begin);
    while (text_[at_] == '\\' && byte(1) == '\n') {
      peek();  // over the end of the line, and reads the next one of a stream
      while (is(text_[at_], kInName)) at_++;
    }
    if (read_assignment_prefix(begin, mode)) return;
  } else if (is(c, kDigit)) {
    uint32_t digits = 0;
    while (true) {
      for (; is(text_[at_], kDigit); at_++) digits++;
      if (text_[at_] != '\\' || byte(1) != '\n') break;
      peek();
    }
    bool is_angle = text_[at_] == '<' || text_[at_] == '>';
    // In bash the digits of `>&1>file` are a target.
    bool is_target = is_bash() && token_ == Token::kRedirection &&
                     (redirect_op_ == RedirectOp::kDuplicateInput ||
                      redirect_op_ == RedirectOp::kDuplicateOutput);
    const uint32_t max_digits = is_ash() && !options_.posix_2024 ? 1 : 9;
    if (is_angle && !is_target && digits <= max_digits && byte(1) != '(') {
      read_angle_operator();
      return;
    }
  } else if (c == '[' && is(byte(1), kEndsWord | kBlank) && byte(1) != '(') {
    at_++;
    set_plain_word(begin);
    return;
  } else if (c == '{') {
    if (is(byte(1), kEndsWord) && byte(1) != '(') {
      at_++;
      set_plain_word(begin);
      return;
    }
    if (read_descriptor_variable()) return;
  }
  at_ = begin;
  Word word = read_word(begin, mode, false);
  set_word_token(word);
  if (word.is_plain() && !word.literal().empty()) keyword_ = keyword_named(word.literal());
}

}  // namespace nacre::shell
