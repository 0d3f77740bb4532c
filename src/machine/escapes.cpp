#include "machine/escapes.h"

#include "shell/ansi_quote.h"

namespace nacre::machine {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

// One or two digits; false if there is none.
bool append_hex(std::string_view text, size_t& at, std::string& to) {
  int value = 0;
  size_t begin = at;
  while (at < text.size() && at < begin + 2 && hex_digit(text[at]) >= 0) {
    value = value * 16 + hex_digit(text[at++]);
  }
  if (at > begin) to += static_cast<char>(value);
  return at > begin;
}

}  // namespace

bool append_escape(std::string_view text, size_t& at, bool in_argument, std::string& to,
                   bool in_bash) {
  ++at;
  if (at >= text.size()) {
    to += '\\';
    return true;
  }
  char c = text[at++];
  static constexpr std::string_view kLetters = "abfnrtv\\";
  static constexpr std::string_view kValues = "\a\b\f\n\r\t\v\\";
  if (size_t found = kLetters.find(c); found != std::string_view::npos) {
    to += kValues[found];
    return true;
  }
  if (c == 'c' && in_argument) return false;
  if (c == 'x' && in_bash && append_hex(text, at, to)) return true;
  if ((c == 'u' || c == 'U') && in_bash) {
    size_t end = at;
    while (end < text.size() && end < at + (c == 'u' ? 4 : 8) && hex_digit(text[end]) >= 0) ++end;
    if (end > at) {
      to += shell::decode_ansi_quoted(text.substr(at - 2, end - at + 2));
      at = end;
      return true;
    }
  }
  if (c == 'e' && (!in_argument || in_bash)) {
    to += '\033';
    return true;
  }
  bool is_octal = in_argument ? c == '0' : c >= '0' && c <= '7';
  if (!is_octal) {
    if (!in_argument && (c == '"' || c == '\'')) {
      to += c;
      return true;
    }
    to += '\\';
    to += c;
    return true;
  }
  unsigned value = in_argument ? 0 : static_cast<unsigned>(c - '0');
  for (int digits = in_argument ? 0 : 1;
       digits < 3 && at < text.size() && text[at] >= '0' && text[at] <= '7'; ++digits) {
    value = value * 8 + static_cast<unsigned>(text[at++] - '0');
  }
  to += static_cast<char>(value);
  return true;
}

bool append_escaped(std::string_view text, std::string& to, bool in_bash) {
  size_t at = 0;
  while (at < text.size()) {
    size_t backslash = std::min(text.find('\\', at), text.size());
    to.append(text.substr(at, backslash - at));
    at = backslash;
    if (at < text.size() && !append_escape(text, at, true, to, in_bash)) return false;
  }
  return true;
}

}  // namespace nacre::machine
