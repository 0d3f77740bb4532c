// Parts of a text by its newlines: its lines, the first or last of them, and what the shell's
// $(...) strips. All are exact.
#pragma once

#include <cstdint>

#include "base/budget.h"
#include "regular/transducer.h"

namespace nacre::regular {

// Which pieces between newlines count. A stream "a\nb\n" has the lines a and b; cut into segments
// it has a third one, the empty one at the end.
enum class Pieces : uint8_t { kLines, kSegments };

// Relates a text to each of its lines, without newlines.
Transducer each_line(Alphabet alphabet, Pieces pieces = Pieces::kLines);

// head -n count, tail -n count: of a whole stream, newlines included. A last line without a newline
// counts, and stays without. Inexact for counts beyond budget.states.
Transducer first_lines(Alphabet alphabet, uint64_t count, const Budget& budget = {});
Transducer last_lines(Alphabet alphabet, uint64_t count, const Budget& budget = {});
// head -n -count, tail -n +(count + 1): all but the last, all but the first lines.
Transducer without_last_lines(Alphabet alphabet, uint64_t count, const Budget& budget = {});
Transducer without_first_lines(Alphabet alphabet, uint64_t count, const Budget& budget = {});

// All newlines at the end go: command substitution.
Transducer without_trailing_newlines(Alphabet alphabet);

}  // namespace nacre::regular
