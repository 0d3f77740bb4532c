// A program of the CoLiS language as a script for the standard shell: what --print-shell prints.
// The script turns on what CoLiS has always on (`set -e`) and off what it does not have (patterns
// that are names of files). It behaves as the program does, but for what docs/colis.md lists: a
// failing `return` ends a strict script, and $0 does not change in a function.
#pragma once

#include <string>

#include "colis/syntax.h"

namespace nacre::colis {

[[nodiscard]] std::string to_shell(const Program& program);

}  // namespace nacre::colis
