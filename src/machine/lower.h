// From the tree of a command to the code that the machine runs.
#pragma once

#include <memory>

#include "machine/code.h"
#include "shell/tree.h"

namespace nacre::machine {

[[nodiscard]] std::shared_ptr<const Code> lower(std::shared_ptr<const shell::Tree> tree,
                                                Names& names);

}  // namespace nacre::machine
