// Whether a run gets to the place of a finding: what a checker says of a place that nothing reaches
// is of no use, and what it says of one that a run reaches can be shown.
#pragma once

#include "base/diagnostic.h"
#include "explore/explorer.h"

namespace nacre::explore {

struct Reached {
  std::map<uint32_t, std::string> lines;  // that a run comes to, and what the likeliest one needs
  bool is_exhaustive = false;             // no other line is ever reached
  std::string refusal;                    // not empty: why the script was not explored
};

[[nodiscard]] Reached lines_reached(const SourceFile& file, const Budget& budget);

// Adds to each finding about files (F101 to F110) how a run gets there, and says of those that are
// reached that they are certain. A script is explored once, and only if it has such a finding.
void confirm(std::vector<Diagnostic>& findings, const Budget& budget);

}  // namespace nacre::explore
