// `nacre explore --package`: the scenarios of dpkg for one package or many.
#pragma once

#include "cli/verb.h"

namespace nacre::cli {

// Returns an exit status.
int explore_packages(const Arguments& options);

}  // namespace nacre::cli
