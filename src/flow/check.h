// Type-checks a script before it runs: every pipeline, also those in functions and substitutions,
// with the types of commands/. A pure function of the tree and the cards; it reads no file and runs
// nothing. Each call uses a Context of its own, so several scripts may be checked at once.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "commands/card_library.h"
#include "shell/tree.h"

namespace nacre::flow {

std::vector<Diagnostic> check(const shell::Tree& tree, const commands::CardLibrary& cards);

}  // namespace nacre::flow
