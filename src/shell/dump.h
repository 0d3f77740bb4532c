// The tree as nested lists, for people and for tests: one command a line, everything that the tree
// holds but where it stands in the file and in which of two ways it was written. Two texts with the
// same dump mean the same program.
//
//   if [ -f "$x" ]; then rm $x; fi
//
//   (if
//     (when
//       (simple [ -f (double (parameter x)) ]))
//     (then
//       (simple rm (parameter x))))
#pragma once

#include <string>

#include "shell/ast.h"
#include "shell/tree.h"

namespace nacre::shell {

[[nodiscard]] std::string dump(const Tree& tree);
[[nodiscard]] std::string dump(const Command& command);
[[nodiscard]] std::string dump(const Word& word);

}  // namespace nacre::shell
