// From the tree of a command to the code that the machine runs.
#pragma once

#include <memory>

#include "machine/code.h"
#include "shell/tree.h"

namespace nacre::machine {

// What bash's options decide before a command runs.
struct LowerOptions {
  bool expands_braces = true;           // false after set +B
  bool expands_argument_tildes = true;  // echo x=~; false in its POSIX mode
  uint32_t lines_before = 0;            // its first line is the one after so many
};

[[nodiscard]] std::shared_ptr<const Code> lower(std::shared_ptr<const shell::Tree> tree,
                                                Names& names, LowerOptions options = {});

}  // namespace nacre::machine
