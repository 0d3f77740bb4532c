// The texts that GNU make computes with, and its ways to cut them: words, patterns with `%`,
// continued lines, quoted characters. A text may hold holes: places where the value is known only
// when make runs (`$(shell ...)`, the environment). A hole is one byte that no Makefile contains;
// it stands for any text, also for none and for several words.
//
//   Text t = expand(...);  if (is_known(t.bytes)) use(t.bytes);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::make {

constexpr char kHole = '\x01';

struct Text {
  std::string bytes;
  // It rests on a default that the environment or the command line may replace: `?=`, a variable
  // without a value, a built-in one.
  bool is_assumed = false;

  void append(const Text& other) {
    bytes += other.bytes;
    is_assumed |= other.is_assumed;
  }
};

[[nodiscard]] inline bool is_known(std::string_view text) {
  return text.find(kHole) == std::string_view::npos;
}
[[nodiscard]] inline Text unknown_text() { return {std::string(1, kHole), false}; }

// Offsets in a source file have 32 bits.
[[nodiscard]] constexpr uint32_t as_offset(size_t at) { return static_cast<uint32_t>(at); }

// Characters of a name in the shell.
[[nodiscard]] constexpr bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
[[nodiscard]] constexpr bool is_name_character(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9');
}
[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
// What make takes for space: blanks, newlines, and the other control spaces.
[[nodiscard]] constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

[[nodiscard]] std::string_view skip_space(std::string_view text);
[[nodiscard]] std::string_view strip(std::string_view text);
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

// `\` and a newline, with the blanks around them, become one blank; of other backslashes before a
// newline one half stays.
[[nodiscard]] std::string collapse_lines(std::string_view text);

// Where the first of `stops` is that no backslash quotes; npos if there is none. References
// (`$( )`, `${ }`) are skipped whole if `skips_references`.
[[nodiscard]] size_t find_unquoted(std::string_view text, std::string_view stops,
                                   bool skips_references);
// The text up to there, without the backslashes that quote a stop.
[[nodiscard]] std::string unquote(std::string_view text, std::string_view stops,
                                  bool skips_references);
// The offset after the reference whose `$` is at `at`: two for `$x`, after the closing bracket, or
// the size of the text if it is not closed.
[[nodiscard]] size_t reference_end(std::string_view text, size_t at);

// A word with a `%` that no backslash quotes.
struct Pattern {
  std::string prefix;
  std::string suffix;
  std::string written;  // the word itself
  bool has_percent = false;

  explicit Pattern(std::string_view word);
  // What `%` stands for in `word`; a pattern without `%` matches itself.
  [[nodiscard]] std::optional<std::string_view> stem_of(std::string_view word) const;
  [[nodiscard]] std::string with_stem(std::string_view stem) const;
};

// One word of $(patsubst pattern,replacement,...).
[[nodiscard]] std::string substitute_word(const Pattern& pattern, const Pattern& replacement,
                                          std::string_view word);

[[nodiscard]] std::string directory_part(std::string_view word);  // "a/b.c": "a/"; "b": "./"
[[nodiscard]] std::string_view file_part(std::string_view word);  // after the last slash
[[nodiscard]] std::string join_words(const std::vector<std::string>& words);

}  // namespace nacre::make
