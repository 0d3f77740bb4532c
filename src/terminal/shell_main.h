// The shell as a program of the real system.
#pragma once

namespace nacre::terminal {

// `sh ARGUMENTS`: a script, or a session with line editing if standard input is a terminal.
int shell_main(int argc, char** argv);

}  // namespace nacre::terminal
