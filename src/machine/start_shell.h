// What `sh ARGUMENTS` starts with, in whatever world the machine lives: options, variables,
// positional parameters, startup files, and where commands are read from.
#pragma once

#include <functional>
#include <memory>

namespace nacre::machine {

class Source;
struct Machine;

// Commands typed by a user. Called once the machine has its variables; without it an interactive
// shell reads plain lines.
using OpenTerminal = std::function<std::unique_ptr<Source>(Machine&)>;

// Prepares a new machine. A status >= 0 means that it has ended already.
int start_shell(Machine& machine, int argc, char** argv, char* const* environment,
                const OpenTerminal& open_terminal = {});

}  // namespace nacre::machine
