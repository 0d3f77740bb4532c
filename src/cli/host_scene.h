// A directory of this machine as the file system of a simulated world.
#pragma once

#include "simulate/scene.h"

namespace nacre::cli {

// `directory` is "/", read when it is needed and never written. Utilities and devices are added
// where they are missing. The actor is the user who runs this program.
[[nodiscard]] simulate::Scene host_scene(const std::string& directory);

}  // namespace nacre::cli
