// The command line: picks the verb and runs it. Returns the exit status.
#pragma once

namespace nacre::cli {

int run(int argc, char** argv);

}  // namespace nacre::cli
