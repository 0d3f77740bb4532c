// Simple commands: assignments, and calls of functions, builtins and commands that have a card. The
// state afterwards is in the call's environment. Internal to this module.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "flow/call.h"
#include "flow/run.h"

namespace nacre::flow {

// `stages` are those before this one in its pipeline; the command adds itself.
Ran interpret_simple(Run& run, const Command& node, const shell::SimpleCommand& simple,
                     Environment& environment, const Io& io, std::vector<Stage>& stages);

// Whatever functions there are: `command cd`.
Ran dispatch_command(Run& run, Call& call);
// Whatever builtins there are: `env sort`.
Ran dispatch_external(Run& run, Call& call);
// A command that its card describes (card_command.cpp).
Ran by_card(Run& run, Call& call, const commands::Card& card, std::string_view name);
// A command that nothing is known of: it may print anything and write the files that it is given.
Ran unknown_command(Run& run, Call& call, std::string name);

// Whether a command may change the file if it is given this word: its name, that of a directory
// above it, or code that names it. A word that nothing is known of is left to the user.
bool may_change(const commands::Argument& word, const std::string& file);

// `x+=text`; of an array it is the first element that grows, which may be missing.
Value appended(Run& run, Value before, const Value& text, Span origin);

}  // namespace nacre::flow
