// `nacre sh`: the machine on the real system, with the command line of sh.
#pragma once

namespace nacre::machine {

// argv[0] is the name that the shell was called by. Returns the exit status.
int shell_main(int argc, char** argv);

}  // namespace nacre::machine
