// Where the comments and statements of a shell script are, for its suppressions.
#pragma once

#include "base/suppression.h"
#include "shell/tree.h"

namespace nacre::project {

Layout layout_of(const shell::Tree& tree);

}  // namespace nacre::project
