#include "shell/token.h"

namespace nacre::shell {

namespace {

constexpr bool slots_are_distinct() {
  for (size_t i = 1; i < kKeywords.size(); i++) {
    if (kKeywordSlots[keyword_slot(kKeywords[i])] != static_cast<Keyword>(i)) return false;
  }
  return true;
}
static_assert(slots_are_distinct());

}  // namespace

std::string_view text_of(Token token) {
  constexpr std::array<std::string_view, 16> kTexts = {
      "end of file", "newline", ";",   "&", "&&", "||",          "|",    "|&",
      ";;",          ";&",      ";;&", "(", ")",  "redirection", "word", "word"};
  return kTexts[static_cast<size_t>(token)];
}

}  // namespace nacre::shell
