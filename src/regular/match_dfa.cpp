#include "regular/match_dfa.h"

#include "regular/partition.h"

namespace nacre::regular {

namespace {

Neighbour kind_of(const CharSet& set, const CharSet& word) {
  if (set.contains('\n')) return Neighbour::kNewline;
  return word.intersects(set) ? Neighbour::kWord : Neighbour::kOther;
}

const CharSet& ascii_word() {
  static const CharSet set = CharSet::range('a', 'z') | CharSet::range('A', 'Z') |
                             CharSet::range('0', '9') | CharSet::of('_');
  return set;
}

}  // namespace

MatchDfa match_dfa(const BoundedDfa& pattern, std::span<const CharSet> cuts) {
  const Dfa& dfa = *pattern.dfa;
  MatchDfa result;
  result.is_exact = pattern.is_exact;
  std::vector<CharSet> sets = dfa.classes;
  sets.insert(sets.end(), cuts.begin(), cuts.end());
  sets.push_back(CharSet::all(dfa.alphabet));
  Partition refined = partition(sets);
  result.classes = std::move(refined.classes);
  for (const CharSet& set : result.classes) result.neighbours.push_back(kind_of(set, ascii_word()));
  const size_t width = result.classes.size();
  result.table.assign(width * dfa.size(), MatchDfa::kDead);
  for (uint32_t state = 0; state < dfa.size(); ++state) {
    for (const DfaArc arc : dfa.arcs_of(state)) {
      for (const uint32_t i : refined.members[arc.symbols])
        result.table[state * width + i] = arc.target;
    }
    result.accepts.push_back(dfa.accepting[state] ? MatchDfa::kAlways : 0);
  }
  return result;
}

void restrict_neighbours(MatchDfa& dfa, uint8_t before, uint8_t behind) {
  for (size_t i = 0; i < kNeighbours; ++i) {
    if ((before >> i & 1) == 0) dfa.starts[i] = MatchDfa::kDead;
  }
  for (uint8_t& accepts : dfa.accepts) accepts &= behind;
}

}  // namespace nacre::regular
