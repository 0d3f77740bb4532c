// Formats in arguments: the directives and escapes that printf, stat -c, find -printf, date and git
// share, and text that becomes lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "commands/stream_text.h"

namespace nacre::commands {

// %[flags][width][.precision]X
struct Directive {
  std::string flags;
  std::optional<uint32_t> width;
  std::optional<uint32_t> precision;
  bool has_star_width = false, has_star_precision = false;  // `*`: taken from an argument
  char letter = 0;                                          // 0: the format ends before it
  size_t end = 0;                                           // after the letter

  [[nodiscard]] bool has_flag(char flag) const { return flags.find(flag) != std::string::npos; }
  [[nodiscard]] bool is_plain() const { return end > 0 && flags.empty() && !width && !precision; }
};
// The one whose `%` is at `at`.
Directive parse_directive(std::string_view format, size_t at, std::string_view flag_letters);

// The value, filled up to the directive's width: blanks before it, or after it (`-`), or zeros
// between sign and digits (`0`).
Lang padded(Lang value, const Directive& directive);

// What `\n`, `\t`, `\101`, `\x41` and so on stand for.
enum class EscapeStyle : uint8_t {
  kPrintf,  // in a format: \NNN
  kEcho,    // echo -e, printf %b: \0NNN (GNU's and bash's also \NNN in %b)
};
struct Unescaped {
  std::string text;
  bool stops = false;    // \c: nothing is printed any more
  bool is_known = true;  // false: an escape whose meaning depends on the shell or the locale
};
Unescaped unescape(std::string_view text, EscapeStyle style);

// A text that may hold newlines, as the lines of a stream.
Stream lines_of_text(Lang text, bool is_opaque);
// Those of a constant text: stream_text.h.

}  // namespace nacre::commands
