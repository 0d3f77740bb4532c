// The whole of a file.
#pragma once

#include <string>

#include "world/os.h"

namespace nacre::machine {

// Appends it to `text`. 0 or -errno.
[[nodiscard]] int read_file(world::Os& os, const char* path, std::string& text);

}  // namespace nacre::machine
