// The shell as a program.
#pragma once

#include <optional>

namespace nacre::machine {

class Terminal;
struct Machine;

// `sh ARGUMENTS` in the real system.
int shell_main(int argc, char** argv);

// Makes a new machine what `sh ARGUMENTS` starts with in its world: options, variables, positional
// parameters, and where commands are read from. A status >= 0 means that it has ended already.
// With `terminal`, an interactive shell edits its lines; it must live as long as the machine.
int start_shell(Machine& machine, int argc, char** argv, char* const* environment,
                std::optional<Terminal>* terminal = nullptr);

}  // namespace nacre::machine
