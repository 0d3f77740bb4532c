// A pattern as the matching machines run it: a deterministic automaton that knows what stands
// before and behind a match, so that ^, $, \b, \< and their like are part of it. Internal to this
// room.
//
// An attempt begins in starts[kind of the symbol before]; it may end in a state if the state
// accepts with the kind of the symbol behind. Tables are dense over a partition of the alphabet.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "regular/char_set.h"
#include "regular/dfa.h"

namespace nacre::regular {

// What an assertion can tell about a neighbour. kEdge: there is none.
enum class Neighbour : uint8_t { kEdge, kNewline, kWord, kOther };
inline constexpr size_t kNeighbours = 4;

struct MatchDfa {
  static constexpr uint32_t kDead = ~uint32_t{0};
  static constexpr uint8_t kAlways = 0xF;

  std::vector<CharSet> classes;       // a partition of the alphabet
  std::vector<Neighbour> neighbours;  // by class
  std::vector<uint32_t> table;        // state * classes.size() + class
  std::vector<uint8_t> accepts;       // by state: bit i for Neighbour i behind the match
  std::array<uint32_t, kNeighbours> starts{};
  bool is_exact = true;  // false: accepts too much

  [[nodiscard]] uint32_t step(uint32_t state, size_t symbol_class) const {
    return state == kDead ? kDead : table[state * classes.size() + symbol_class];
  }
  [[nodiscard]] bool accepting(uint32_t state, Neighbour behind) const {
    return state != kDead && (accepts[state] >> static_cast<unsigned>(behind) & 1) != 0;
  }
};

// A pattern without conditions on its neighbours. `cuts` are further sets that classes respect.
MatchDfa match_dfa(const BoundedDfa& pattern, std::span<const CharSet> cuts = {});

// Only matches with such neighbours: masks of bits as in `accepts`. grep -w and -x, s/^P/, s/P$/.
void restrict_neighbours(MatchDfa& dfa, uint8_t before, uint8_t behind);
inline constexpr uint8_t neighbour_bit(Neighbour n) {
  return static_cast<uint8_t>(1u << static_cast<unsigned>(n));
}

}  // namespace nacre::regular
