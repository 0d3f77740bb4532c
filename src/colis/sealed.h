// A utility that touches no file does the same in every file system: it is run once, in a world
// that notices when a program looks at files or asks for the time.
#pragma once

#include "colis/concrete.h"

namespace nacre::colis {

// Nothing if it looked: then one run tells nothing about others. `cwd` is the working directory.
[[nodiscard]] std::optional<SimulatedCall> call_sealed(const UtilityCall& call,
                                                       const std::string& cwd,
                                                       const std::vector<std::string>& environment,
                                                       const std::string& input, uint64_t fuel);

}  // namespace nacre::colis
