// Tokens of the grammar. Reserved words are words: whether one is meant is the parser's decision,
// which knows the place (POSIX 2.4); the lexer only notes which reserved word the text would be.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace nacre::shell {

enum class Token : uint8_t {
  kEnd,
  kNewline,
  kSemicolon,
  kAmpersand,
  kAndIf,
  kOrIf,
  kPipe,
  kPipeBoth,         // |&
  kDoubleSemicolon,  // ;;
  kSemicolonAnd,     // ;&
  kDoubleSemicolonAnd,
  kLeftParenthesis,
  kRightParenthesis,
  kRedirection,
  kWord,
  kAssignment,
};

enum class Keyword : uint8_t {
  kNone,
  kIf,
  kThen,
  kElse,
  kElif,
  kFi,
  kDo,
  kDone,
  kCase,
  kEsac,
  kWhile,
  kUntil,
  kFor,
  kIn,
  kLeftBrace,
  kRightBrace,
  kBang,
  kFunction,  // from here on: not in POSIX
  kSelect,
  kTime,
  kCoproc,
  kLeftConditional,   // [[
  kRightConditional,  // ]]
};

inline constexpr std::array<std::string_view, 23> kKeywords = {
    "",     "if",       "then",   "else",  "elif",   "fi", "do", "done",
    "case", "esac",     "while",  "until", "for",    "in", "{",  "}",
    "!",    "function", "select", "time",  "coproc", "[[", "]]"};

// Length, first and last byte tell all reserved words apart.
constexpr size_t keyword_slot(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const auto last = static_cast<unsigned char>(text.back());
  return (text.size() + first * 3u + last * 26u) & 63;
}

inline constexpr std::array<Keyword, 64> kKeywordSlots = [] {
  std::array<Keyword, 64> slots{};
  for (size_t i = 1; i < kKeywords.size(); i++)
    slots[keyword_slot(kKeywords[i])] = static_cast<Keyword>(i);
  return slots;
}();

[[nodiscard]] constexpr std::string_view text_of(Keyword keyword) {
  return kKeywords[static_cast<size_t>(keyword)];
}
[[nodiscard]] std::string_view text_of(Token token);

// The reserved word that `text`, which is not empty, spells in some dialect. In the header, because
// it is asked for every word of a script.
[[nodiscard]] inline Keyword keyword_named(std::string_view text) {
  const Keyword candidate = kKeywordSlots[keyword_slot(text)];
  if (candidate == Keyword::kNone) return candidate;
  return text_of(candidate) == text ? candidate : Keyword::kNone;
}

}  // namespace nacre::shell
