// Pathname expansion: the names in the file system that a pattern matches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/locale.h"
#include "world/os.h"

namespace nacre::machine {

// Sorted in the locale's order; empty if nothing matches. `pattern` has backslashes before literal
// characters (see pattern.h). Reads one directory for each component that is a pattern.
[[nodiscard]] std::vector<std::string> glob(world::Os& os, std::string_view pattern,
                                            const Locale& locale);

}  // namespace nacre::machine
