// The outside of a script as it is now, for `check --concretize`.
#pragma once

#include "flow/outside.h"

namespace nacre::project {

// Reads regular files of up to `max_bytes`, relative to the current directory, when the check asks
// for them.
flow::Outside present_outside(uint64_t max_bytes);

}  // namespace nacre::project
