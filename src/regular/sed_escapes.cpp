#include "regular/sed_escapes.h"

#include <cctype>

namespace nacre::regular {
namespace {

int digit_value(char c, int base) {
  int value = base;
  if (c >= '0' && c <= '9') value = c - '0';
  if (c >= 'a' && c <= 'f') value = c - 'a' + 10;
  if (c >= 'A' && c <= 'F') value = c - 'A' + 10;
  return value < base ? value : -1;
}

// \dNNN, \oNNN, \xHH: sed takes as many digits as fit and keeps the low byte. Without a digit the
// letter stands for itself.
std::pair<char, size_t> numeric_escape(std::string_view rest) {
  const int base = rest[0] == 'd' ? 10 : rest[0] == 'o' ? 8 : 16;
  const size_t most = base == 16 ? 2 : 3;
  unsigned value = 0;
  size_t digits = 0;
  while (digits < most && digits + 1 < rest.size() && digit_value(rest[digits + 1], base) >= 0) {
    value = value * static_cast<unsigned>(base) +
            static_cast<unsigned>(digit_value(rest[digits + 1], base));
    ++digits;
  }
  if (digits == 0) return {rest[0], 1};
  return {static_cast<char>(value & 0xFF), digits + 1};
}

char simple_escape(char letter) {
  switch (letter) {
    case 'a': return '\a';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    default: return '\0';
  }
}

// What the escape after a backslash becomes and how long it is; 0: it is not one of sed's.
std::pair<char, size_t> escape(std::string_view rest) {
  if (rest.empty()) return {'\0', 0};
  if (const char c = simple_escape(rest[0]); c != '\0') return {c, 1};
  if (rest[0] == 'd' || rest[0] == 'o' || rest[0] == 'x') return numeric_escape(rest);
  if (rest[0] == 'c' && rest.size() > 1) {
    const auto control = static_cast<unsigned>(std::toupper(static_cast<unsigned char>(rest[1])));
    const size_t length = rest.substr(1).starts_with("\\\\") ? 3 : 2;
    return {static_cast<char>(control ^ 0x40), length};
  }
  return {'\0', 0};
}

}  // namespace

RewrittenPattern undo_sed_escapes(std::string_view pattern) {
  RewrittenPattern result;
  auto put = [&](char c, size_t from) {
    result.text.push_back(c);
    result.origin.push_back(static_cast<uint32_t>(from));
  };
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '\\') {
      put(pattern[i], i);
      continue;
    }
    const auto [c, length] = escape(pattern.substr(i + 1));
    if (length > 0) {
      put(c, i);
      i += length;
    } else {
      put('\\', i);
      if (i + 1 < pattern.size()) put(pattern[i + 1], i + 1);
      ++i;
    }
  }
  result.origin.push_back(static_cast<uint32_t>(pattern.size()));
  return result;
}

}  // namespace nacre::regular
