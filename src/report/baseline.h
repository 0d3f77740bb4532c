// Findings that are accepted: a text file with one fingerprint on each line, so that old projects
// can begin with a clean report. Fingerprints do not depend on line numbers.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"

namespace nacre::report {

using Baseline = std::set<std::string, std::less<>>;

// Blank lines and lines with `#` in front are left out; of the others the first word counts.
Result<Baseline> parse_baseline(const SourceFile& file);
std::string write_baseline(std::span<const Diagnostic> findings);

// The findings that are not in the baseline.
std::vector<Diagnostic> without(const Baseline& baseline, std::vector<Diagnostic> findings);

}  // namespace nacre::report
