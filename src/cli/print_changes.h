// What a script has changed in a simulated tree, for people.
#pragma once

#include <string>

#include "world/tree.h"

namespace nacre::cli {

// One line for each path: "+ path" created, "- path" removed, "~ path" changed; below it the lines
// of a text that were added and removed.
std::string describe_changes(world::FileTree& before, world::FileTree& after);

}  // namespace nacre::cli
