// The classes of a list of sets: the coarsest partition of their union in which every set is a
// union of classes (minterms). Sets times classes operations on sets. Internal to this module.
#pragma once

#include <cstdint>
#include <vector>

#include "regular/char_set.h"

namespace nacre::regular {

struct Partition {
  std::vector<CharSet> classes;                // in order of their smallest symbols
  std::vector<std::vector<uint32_t>> members;  // of each set: its classes, ascending
};

Partition partition(const std::vector<CharSet>& sets);

}  // namespace nacre::regular
