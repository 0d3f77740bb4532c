// A pattern as the matching machines run it: a deterministic automaton that knows what stands
// before and after a match, so that ^, $, \b, \< and their like are part of it. Internal to this
// module.
//
// An attempt begins in starts[kind of the symbol before]; it may end in a state if the state
// accepts with the kind of the symbol after. Tables are dense over a partition of the alphabet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regular/char_set.h"
#include "regular/dfa.h"

namespace nacre::regular {

// What the conditions of a pattern can tell apart in a neighbour of a match. 0: there is none, the
// text begins or ends here. A set of kinds is a mask of bits.
using Neighbour = uint8_t;
using Neighbours = uint32_t;
inline constexpr Neighbour kEdge = 0;
inline constexpr size_t kMaxNeighbours = 32;
inline constexpr Neighbours kAnyNeighbour = ~Neighbours{0};
constexpr Neighbours neighbour_bit(Neighbour kind) { return Neighbours{1} << kind; }

struct MatchDfa {
  static constexpr uint32_t kDead = ~uint32_t{0};

  std::vector<CharSet> classes;     // a partition of the alphabet, by smallest symbol
  std::vector<Neighbour> kinds;     // by class
  std::vector<uint32_t> table;      // state * classes.size() + class
  std::vector<Neighbours> accepts;  // by state: what may stand after the match
  std::vector<uint32_t> starts;     // by what stands before it
  bool is_exact = true;             // false: accepts too much

  [[nodiscard]] uint32_t step(uint32_t state, size_t symbol_class) const {
    return state == kDead ? kDead : table[state * classes.size() + symbol_class];
  }
  [[nodiscard]] bool accepting(uint32_t state, Neighbour after) const {
    return state != kDead && (accepts[state] & neighbour_bit(after)) != 0;
  }
};

// A pattern without conditions on its neighbours. Classes also respect the sets of `cuts`.
MatchDfa match_dfa(const BoundedDfa& pattern, std::span<const CharSet> cuts = {});

// Only matches with such neighbours.
void restrict_neighbours(MatchDfa& dfa, Neighbours before, Neighbours after);

}  // namespace nacre::regular
