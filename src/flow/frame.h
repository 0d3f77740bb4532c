// Where a jump ends: what `break`, `continue`, `return` and `exit` leave behind is kept in the
// frame of the script, of a function being called or of a subshell, until the interpreter gets to
// the end of that. Plain data; the interpreter has a stack of them.
#pragma once

#include <utility>
#include <vector>

#include "flow/environment.h"
#include "shell/tree.h"

namespace nacre::flow {

struct Loop {
  Environment breaks = unreachable();
  Environment continues = unreachable();
};

// The script itself, a function being called, or a subshell.
struct Frame {
  const shell::Function* function = nullptr;
  bool is_subshell = false;
  Branches ends = {unreachable(), unreachable()};  // by `return`; of a subshell also by `exit`
  Environment untrapped = unreachable();           // ends before a trap was set
  std::vector<std::pair<Name, ValueId>> locals;    // what they hid
  std::vector<Loop> loops;
  std::vector<const shell::Tree*> traps;  // of the script or a subshell: run when it ends
};

}  // namespace nacre::flow
