// Writes a card for a command that has none: `nacre type --declare 'CMD ARGS' 'TYPE'`.
#pragma once

#include <string>

namespace nacre::cli {

// Returns an exit status; says what it did or why it could not.
int declare_type(const std::string& command_line, const std::string& type);

}  // namespace nacre::cli
