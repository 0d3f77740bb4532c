// A sed script ready to run: the syntax tree of commands/sed_program.h, its regular expressions
// compiled and its replacements taken apart.
#pragma once

#include <optional>
#include <vector>

#include "commands/sed_program.h"
#include "regular/replacement.h"
#include "utilities/regex.h"
#include "utilities/utility.h"

namespace nacre::utilities {

// What a command of the script needs beside its tree. A regex that is missing where the tree has a
// pattern is the last one that was used.
struct SedParts {
  std::optional<Regex> first;
  std::optional<Regex> second;
  std::optional<Regex> pattern;  // of s
  regular::Replacement replacement;
};

struct SedScript {
  sed::Program program;
  std::vector<SedParts> parts;  // of each command
};

// Nothing after a message; `status` is then the exit status.
[[nodiscard]] std::optional<SedScript> compile_sed(Context& context, const std::string& text,
                                                   bool is_extended, int& status);

}  // namespace nacre::utilities
