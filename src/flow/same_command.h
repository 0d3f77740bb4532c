// Whether two commands are written alike: the same words, however they are quoted. So an annotation
// finds the stage it is about. Internal to this module.
#pragma once

#include <string>

#include "shell/ast.h"

namespace nacre::flow {

// A text that two words share exactly if they mean the same: `"${1}"` and `$1`, `'a b'` and a\ b.
std::string meaning_of(const shell::Word& word);

// Simple commands with the same words and, if `pattern` has redirections, the same ones.
bool is_same_command(const shell::Command& pattern, const shell::Command& command);

}  // namespace nacre::flow
