// Where annotations meet what is inferred. Internal to this module.
#pragma once

#include <vector>

#include "flow/annotations.h"
#include "flow/call.h"
#include "flow/run.h"

namespace nacre::flow {

void assume_variables(Run& run, const Command& statement, Environment& environment);
// What the author says of the input replaces it, and the stages before are of no interest then.
void assume_input(Run& run, const CommandNotes& notes, const Command& node, Io& io,
                  std::vector<Stage>& stages);
// The result is the output, as inferred or as the author says.
Stream assume_output(Run& run, const CommandNotes& notes, const Command& node, Stream output,
                     std::vector<Stage>& stages);

}  // namespace nacre::flow
