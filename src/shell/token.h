// Tokens of the grammar. Reserved words are words: whether one is meant is the parser's decision,
// which knows the place (POSIX 2.4); the lexer only notes which reserved word the text would be.
#pragma once

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

// The reserved word that `text` spells in some dialect.
[[nodiscard]] Keyword keyword_named(std::string_view text);
[[nodiscard]] std::string_view text_of(Keyword keyword);
[[nodiscard]] std::string_view text_of(Token token);

}  // namespace nacre::shell
