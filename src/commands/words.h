// Cutting texts into words, as the shell does with an expansion without quotes, `read` with a line,
// and xargs with its input.
#pragma once

#include <optional>
#include <string_view>

#include "regular/lang.h"

namespace nacre::commands {

// The words between blanks, tabs and newlines.
regular::Lang words_of(regular::Lang texts);

// What `read` puts into the variable at `index` (from 0) of `count`: one field, or for the last one
// all that is left. Nothing if it cannot be said for these separators.
std::optional<regular::Lang> read_field(regular::Lang lines, std::string_view ifs, size_t index,
                                        size_t count);

}  // namespace nacre::commands
