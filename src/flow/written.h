// The commands of a script as they stand in its text, reached or not: what rules need that ask how
// something is written and not what it does. Internal to this module.
#pragma once

#include "flow/run.h"

namespace nacre::flow {

// Publishes a ScriptEvent, then a TextEvent for each command of the script, in the order of the
// text.
void publish_text(Run& run);

}  // namespace nacre::flow
