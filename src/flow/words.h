// What a word of the script may expand to, as far as that is known without running it.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "commands/invocation.h"
#include "commands/stream.h"
#include "shell/ast.h"

namespace nacre::flow {

// What a word is expanded with.
struct Values {
  regular::Context& context;
  // The text that a command substitution prints; it is checked on the way.
  std::function<commands::Stream(const shell::Sequence&)> printed;
};

// The arguments that a word becomes: one, or several for a list in braces. A word that the shell
// splits into an unknown number of fields counts as one unknown argument.
std::vector<commands::Argument> expand(const shell::Word& word, const Values& values);

// Every string that a variable can hold: no byte is NUL.
regular::Lang any_value(regular::Context& context);

}  // namespace nacre::flow
