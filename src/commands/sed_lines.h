// What the addresses of a sed script tell: on which lines a command runs, and how many lines are
// printed at most.
#pragma once

#include "commands/sed_program.h"
#include "commands/stream.h"

namespace nacre::sed {

// Lines of the input by their numbers, from 1.
struct Lines {
  uint64_t first = 1;
  uint64_t last = commands::kManyLines;
};

enum class Runs : uint8_t { kNo, kMaybe, kAlways };

// Whether the command runs on these lines, as far as its addresses are numbers.
Runs runs_on(const Command& command, Lines lines);

// A script whose commands see one line at a time: nothing reads the next one by itself.
bool is_linewise(const Program& program);

// All that it does is to take away what lines end with: `s/:.*//`.
bool cuts_ends(const Program& program);

// Bounds on the number of lines that a script prints for a given number of input lines.
commands::LineCount lines_printed(const Program& program, bool is_silent,
                                  commands::LineCount input);

}  // namespace nacre::sed
