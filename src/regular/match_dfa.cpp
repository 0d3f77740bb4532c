#include "regular/match_dfa.h"

#include "regular/partition.h"

namespace nacre::regular {

MatchDfa match_dfa(const BoundedDfa& pattern, std::span<const CharSet> cuts) {
  const Dfa& dfa = *pattern.dfa;
  MatchDfa result;
  result.is_exact = pattern.is_exact;
  std::vector<CharSet> sets = dfa.classes;
  sets.insert(sets.end(), cuts.begin(), cuts.end());
  sets.push_back(CharSet::all(dfa.alphabet));
  Partition refined = partition(sets);
  result.classes = std::move(refined.classes);
  const size_t width = result.classes.size();
  result.kinds.assign(width, 1);
  result.starts = {0, 0};
  result.table.assign(width * dfa.size(), MatchDfa::kDead);
  for (uint32_t state = 0; state < dfa.size(); ++state) {
    for (const DfaArc arc : dfa.arcs_of(state)) {
      for (const uint32_t i : refined.members[arc.symbols])
        result.table[state * width + i] = arc.target;
    }
    result.accepts.push_back(dfa.accepting[state] ? kAnyNeighbour : 0);
  }
  return result;
}

void restrict_neighbours(MatchDfa& dfa, Neighbours before, Neighbours after) {
  for (size_t kind = 0; kind < dfa.starts.size(); ++kind) {
    if ((before & neighbour_bit(static_cast<Neighbour>(kind))) == 0) {
      dfa.starts[kind] = MatchDfa::kDead;
    }
  }
  for (Neighbours& accepts : dfa.accepts) accepts &= after;
}

}  // namespace nacre::regular
