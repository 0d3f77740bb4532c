#include "regular/partition.h"

#include <algorithm>
#include <numeric>

namespace nacre::regular {
namespace {

// Disjoint sets that no set of `sets` cuts, in no particular order. Each set splits the classes
// that it meets; what it meets nothing of becomes a new one.
std::vector<CharSet> split_all(const std::vector<CharSet>& sets) {
  std::vector<CharSet> classes;
  for (const CharSet& set : sets) {
    CharSet rest = set;
    const size_t count = classes.size();
    for (size_t i = 0; i < count && !rest.empty(); ++i) {
      if (!classes[i].intersects(rest)) continue;
      if (!rest.contains(classes[i])) {
        CharSet outside = classes[i] - rest;
        classes[i] = classes[i] & rest;
        classes.push_back(std::move(outside));
      }
      rest = rest - classes[i];
    }
    if (!rest.empty()) classes.push_back(std::move(rest));
  }
  return classes;
}

}  // namespace

Partition partition(const std::vector<CharSet>& sets) {
  std::vector<CharSet> classes = split_all(sets);
  std::vector<Symbol> smallest;
  for (const CharSet& symbols : classes) smallest.push_back(symbols.min());
  std::vector<uint32_t> order(classes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return smallest[a] < smallest[b]; });

  Partition result;
  result.classes.reserve(classes.size());
  for (const uint32_t id : order) result.classes.push_back(std::move(classes[id]));
  std::sort(smallest.begin(), smallest.end());
  result.members.resize(sets.size());
  for (size_t i = 0; i < sets.size(); ++i) {
    for (uint32_t id = 0; id < smallest.size(); ++id) {
      if (sets[i].contains(smallest[id])) result.members[i].push_back(id);
    }
  }
  return result;
}

}  // namespace nacre::regular
