// Text from users' files, made safe to show: a script may hold escape sequences that would command
// the reader's terminal, and bytes that no report format allows.
#pragma once

#include <string>
#include <string_view>

namespace nacre::report {

// The next character of `text`, taken from its front: valid UTF-8 that can be shown (a replacement
// character for control characters and bytes that are not UTF-8), and the cells it takes.
struct Glyph {
  std::string_view bytes;
  unsigned width = 1;
};
Glyph take_glyph(std::string_view& text);

// All of it, on one line: newlines and tabs become visible, too.
std::string printable(std::string_view text);

// As much of it as fits into `cells`; an ellipsis stands for the rest.
std::string clipped(std::string_view text, unsigned cells);

// The same, in quotes if blanks at its ends would otherwise not be seen.
std::string visible(std::string_view text);

// Valid UTF-8 with its line ends and tabs, and without other control characters: what a program
// reads, and a terminal may show.
std::string valid_utf8(std::string_view text);

}  // namespace nacre::report
