#include "regular/match_pattern.h"

namespace nacre::regular {

MatchPattern match_pattern(Lang language, const Budget& budget) {
  MatchPattern pattern;
  const BoundedDfa dfa = to_dfa(language, budget);
  pattern.alphabet = language.context().alphabet();
  pattern.whole = match_dfa({dfa.dfa, dfa.is_exact && language.is_exact()});
  pattern.language = dfa.dfa;
  pattern.groups.resize(1);
  return pattern;
}

MatchPattern anchored(MatchPattern pattern, Anchor anchor) {
  constexpr uint8_t kAtEdge = neighbour_bit(Neighbour::kEdge);
  const bool at_start = anchor == Anchor::kStart || anchor == Anchor::kWhole;
  const bool at_end = anchor == Anchor::kEnd || anchor == Anchor::kWhole;
  restrict_neighbours(pattern.whole, at_start ? kAtEdge : MatchDfa::kAlways,
                      at_end ? kAtEdge : MatchDfa::kAlways);
  return pattern;
}

}  // namespace nacre::regular
