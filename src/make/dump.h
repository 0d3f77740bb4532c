// A Database as text, in the manner of `make -p`: for people, and to be compared with make's own.
#pragma once

#include <string>

#include "make/database.h"

namespace nacre::make {

// Unknown values are shown as `<?>`.
[[nodiscard]] std::string dump(const Database& database);

}  // namespace nacre::make
