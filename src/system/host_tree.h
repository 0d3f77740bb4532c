// The files of the real system, for a simulated tree that is rooted in one of its directories.
#pragma once

#include <memory>
#include <string>

#include "world/tree.h"

namespace nacre::system {

// Reads what is below the directory `root`, and nothing else, whatever happens to the directories
// in the meantime. The paths that it is asked for begin with `root`.
[[nodiscard]] std::shared_ptr<const world::HostReader> host_reader(const std::string& root);

}  // namespace nacre::system
