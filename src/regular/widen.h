// Supersets of a term whose automata are smaller, for when a budget is exceeded. Internal to this
// module.
#pragma once

#include <vector>

#include "regular/terms.h"

namespace nacre::regular {

// Each a superset of the term, in order of preference:
//   1. subtracted languages are kept: A & !B becomes A;
//   2. large counters are unbounded: x{40,88} becomes x{8,};
//   3. both.
// Terms that would equal one before are left out.
std::vector<TermId> widenings(TermStore& terms, TermId id);

}  // namespace nacre::regular
