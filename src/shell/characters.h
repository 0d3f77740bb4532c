// What a byte means to the lexer, by place: a table, so that scanning a run of ordinary text is one
// load and one test per byte. Every mask has the three bytes that may stand at the end of a text
// (NUL, the back-quote and the parenthesis of `$((a) b)`), so that no scan needs to compare with
// the end.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace nacre::shell {

enum CharacterClass : uint16_t {
  kInName = 1,         // [A-Za-z0-9_]
  kStartsName = 2,     // [A-Za-z_]
  kDigit = 4,          // [0-9]
  kBlank = 8,          // space, tab
  kEndsWord = 16,      // blanks, newline and operators; not the end of the input
  kStopsWord = 32,     // ends an unquoted run of literal text
  kStopsDouble = 64,   // within double quotes and here-documents
  kStopsBraced = 128,  // within ${...}
  kStopsArithmetic = 256,
  kSpecialParameter = 512,    // @ * # ? - $ !
  kMayContinueBlanks = 1024,  // a continued line, a comment, the end of the input
};

inline constexpr std::array<uint16_t, 256> kCharacterClass = [] {
  std::array<uint16_t, 256> table{};
  auto add = [&table](std::string_view bytes, uint16_t what) {
    for (char byte : bytes) table[static_cast<unsigned char>(byte)] |= what;
  };
  using std::string_view_literals::operator""sv;
  add("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", kInName | kStartsName);
  add("0123456789", kInName | kDigit);
  add(" \t", kBlank);
  add(" \t\n;&|()<>", kEndsWord | kStopsWord);
  add("\0`\\\"'$*?[~{"sv, kStopsWord);
  add("\0`)\\\"$"sv, kStopsDouble);
  add("\0`)\\\"'$}*?[/:~("sv, kStopsBraced);
  add("\0`\\\"'$()[];}"sv, kStopsArithmetic);
  add("@*#?-$!", kSpecialParameter);
  add("\0`\\#"sv, kMayContinueBlanks);
  return table;
}();

constexpr bool is(char byte, uint16_t classes) {
  return (kCharacterClass[static_cast<unsigned char>(byte)] & classes) != 0;
}

// A POSIX name: the longest prefix of `text` that is one, from 0.
constexpr size_t name_length(std::string_view text) {
  if (text.empty() || !is(text[0], kStartsName)) return 0;
  size_t size = 1;
  while (size < text.size() && is(text[size], kInName)) size++;
  return size;
}

constexpr bool is_name(std::string_view text) {
  return !text.empty() && name_length(text) == text.size();
}

}  // namespace nacre::shell
