// Arguments and variables that the script reads and nothing sets, each with the values that the
// script itself can tell apart: what it compares them with (`case` patterns, `=`), unset, empty, a
// plain word, and words that scripts often do not expect. They are representatives: a report that
// used one is not complete.
#pragma once

#include "explore/decisions.h"
#include "shell/tree.h"

namespace nacre::explore {

struct UnknownWord {
  std::string name;             // "1", "2", ... or that of a variable
  std::vector<Answer> answers;  // the value in Answer::contents; kUnset: not given
};

// Arguments first, in order, then variables by name.
[[nodiscard]] std::vector<UnknownWord> unknown_words(const shell::Tree& tree);

}  // namespace nacre::explore
