// $'...' with the escapes of C.
#include "shell/ansi_quote.h"

#include "shell/parser.h"

namespace nacre::shell {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void append_utf8(std::string& to, uint32_t code) {
  auto tail = [&to, code](unsigned shift) {
    to += static_cast<char>(0x80 | ((code >> shift) & 0x3f));
  };
  if (code < 0x80) {
    to += static_cast<char>(code);
  } else if (code < 0x800) {
    to += static_cast<char>(0xc0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    to += static_cast<char>(0xe0 | (code >> 12));
    tail(6);
    tail(0);
  } else {
    to += static_cast<char>(0xf0 | ((code >> 18) & 7));
    tail(12);
    tail(6);
    tail(0);
  }
}

// Up to `most` digits of `base` from `at` on.
uint32_t read_number(std::string_view text, size_t& at, size_t most, int base) {
  uint32_t value = 0;
  for (size_t i = 0; i < most && at < text.size(); i++, at++) {
    int digit = hex_digit(text[at]);
    if (digit < 0 || digit >= base) break;
    value = value * static_cast<uint32_t>(base) + static_cast<uint32_t>(digit);
  }
  return value;
}

// The escape whose letter is at `at`, which is moved after it.
void append_escape(std::string& to, std::string_view text, size_t& at) {
  constexpr std::string_view kLetters = "abefnrtvE";
  constexpr std::string_view kBytes = "\a\b\x1b\f\n\r\t\v\x1b";
  char letter = text[at];
  size_t index = kLetters.find(letter);
  if (index != std::string_view::npos) {
    to += kBytes[index];
    at++;
  } else if (hex_digit(letter) >= 0 && letter < '8') {
    to += static_cast<char>(read_number(text, at, 3, 8));
  } else if (letter == 'x' || letter == 'u' || letter == 'U') {
    size_t start = ++at;
    if (letter == 'x' && at < text.size() && text[at] == '{') {
      // bash: any number of digits, of which the last two count, and the brace may be missing.
      to += static_cast<char>(read_number(text, ++at, text.size(), 16));
      if (at < text.size() && text[at] == '}') at++;
      return;
    }
    uint32_t code = read_number(text, at, letter == 'x' ? 2 : letter == 'u' ? 4 : 8, 16);
    if (at == start) {
      to += '\\';
      to += letter;
    } else if (letter == 'x') {
      to += static_cast<char>(code);
    } else {
      append_utf8(to, code);
    }
  } else if (letter == 'c' && at + 1 < text.size()) {
    const char control = text[at + 1];
    // `\c\\` takes both backslashes.
    const bool is_pair = control == '\\' && at + 2 < text.size() && text[at + 2] == '\\';
    to += control == '?' ? '\x7f' : static_cast<char>(control & 0x1f);
    at += is_pair ? 3 : 2;
  } else {
    if (std::string_view("\\'\"?").find(letter) == std::string_view::npos) to += '\\';
    to += letter;
    at++;
  }
}

}  // namespace

std::string decode_ansi_quoted(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      result += text[at++];
      continue;
    }
    at++;
    append_escape(result, text, at);
  }
  size_t nul = result.find('\0');  // a string of the shell ends there
  return nul == std::string::npos ? result : result.substr(0, nul);
}

// At the quote after the `$` at `begin`.
void Parser::read_ansi_quoted(uint32_t begin) {
  uint32_t start = ++at_;
  bool has_escapes = false;
  while (true) {
    while (at_ < size_ && text_[at_] != '\'' && text_[at_] != '\\') at_++;
    if (at_ + (text_[at_] == '\\' ? 1 : 0) >= size_) {
      if (more_text()) continue;
      at_ = size_;
      break;
    }
    if (text_[at_] == '\'') break;
    has_escapes = true;
    at_ += 2;
  }
  std::string_view text = view(start, at_);
  if (has_escapes) text = arena_.copy(decode_ansi_quoted(text));
  if (at_ < size_) {
    at_++;
  } else {
    unclosed("$'", "'", file_span(begin, start));
  }
  // dash has no such quotes: it sees a `$` and an ordinary string.
  check(Feature::kAnsiQuotes, file_span(begin, at_), false);
  push_part(PartKind::kAnsiQuoted, file_span(begin, at_), text);
}

}  // namespace nacre::shell
