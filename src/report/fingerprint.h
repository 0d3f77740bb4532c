// A name for a finding that survives changes elsewhere in the file: made of its code, its file, the
// text of its line without blanks, and the how-manieth such finding it is. Baselines, SARIF and
// GitLab recognise findings by it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace nacre::report {

// 16 hexadecimal digits for each finding, in their order. `findings` are sorted.
std::vector<std::string> fingerprints(std::span<const Diagnostic> findings);

}  // namespace nacre::report
