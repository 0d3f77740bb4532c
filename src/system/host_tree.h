// The files of the real system, for a simulated tree that is rooted in one of its directories.
#pragma once

#include <memory>

#include "world/tree.h"

namespace nacre::system {

[[nodiscard]] std::shared_ptr<const world::HostReader> host_reader();

}  // namespace nacre::system
