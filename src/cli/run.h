// The command line: picks the verb and runs it. Returns the exit status.
#pragma once

namespace nacre::cli {

// Never throws. Output that could not be written (a full disk, a closed stdout) is an error.
int run(int argc, char** argv);

}  // namespace nacre::cli
