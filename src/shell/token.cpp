#include "shell/token.h"

#include <array>
#include <cstring>

namespace nacre::shell {

namespace {

constexpr std::array<std::string_view, 23> kKeywords = {
    "",     "if",       "then",   "else",  "elif",   "fi", "do", "done",
    "case", "esac",     "while",  "until", "for",    "in", "{",  "}",
    "!",    "function", "select", "time",  "coproc", "[[", "]]"};

// Length, first and last byte tell all reserved words apart.
constexpr size_t slot(std::string_view text) {
  auto first = static_cast<unsigned char>(text[0]);
  auto last = static_cast<unsigned char>(text[text.size() - 1]);
  return (text.size() + first * 3u + last * 26u) & 63;
}

constexpr std::array<Keyword, 64> kSlots = [] {
  std::array<Keyword, 64> slots{};
  for (size_t i = 1; i < kKeywords.size(); i++) slots[slot(kKeywords[i])] = static_cast<Keyword>(i);
  return slots;
}();

constexpr bool slots_are_distinct() {
  for (size_t i = 1; i < kKeywords.size(); i++) {
    if (kSlots[slot(kKeywords[i])] != static_cast<Keyword>(i)) return false;
  }
  return true;
}
static_assert(slots_are_distinct());

}  // namespace

Keyword keyword_named(std::string_view text) {
  if (text.empty() || text.size() > 8) return Keyword::kNone;
  Keyword candidate = kSlots[slot(text)];
  return text_of(candidate) == text ? candidate : Keyword::kNone;
}

std::string_view text_of(Keyword keyword) { return kKeywords[static_cast<size_t>(keyword)]; }

std::string_view text_of(Token token) {
  constexpr std::array<std::string_view, 16> kTexts = {
      "end of file", "newline", ";",   "&", "&&", "||",          "|",    "|&",
      ";;",          ";&",      ";;&", "(", ")",  "redirection", "word", "word"};
  return kTexts[static_cast<size_t>(token)];
}

}  // namespace nacre::shell
