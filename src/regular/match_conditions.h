// Anchors, word boundaries and lookaround of one symbol, as the matching machines see them: what
// may stand directly before and after a place. Internal to this module.
#pragma once

#include <optional>
#include <vector>

#include "regular/char_set.h"
#include "regular/match_dfa.h"
#include "regular/regex.h"

namespace nacre::regular {

// A place satisfies a condition if it satisfies one of the cases.
struct Condition {
  struct Case {
    Neighbours before = kAnyNeighbour;
    Neighbours after = kAnyNeighbour;
  };
  std::vector<Case> cases;

  [[nodiscard]] bool holds(Neighbour before, Neighbour after) const;
  [[nodiscard]] bool looks_before() const;
};

// The kinds of neighbours that the conditions of a regex tell apart.
class ConditionTable {
 public:
  explicit ConditionTable(const Regex& regex);

  // The condition of an Assert or Look node; nothing if one symbol on each side does not decide it.
  [[nodiscard]] std::optional<Condition> condition(NodeId id) const;
  [[nodiscard]] size_t kind_count() const { return sets_.size() + 1; }
  // Disjoint sets: kind i + 1 is sets()[i].
  [[nodiscard]] const std::vector<CharSet>& sets() const { return sets_; }
  [[nodiscard]] Neighbour kind_of(const CharSet& symbols) const;

 private:
  [[nodiscard]] Neighbours mask(const CharSet& set) const;

  const Regex& regex_;
  std::vector<CharSet> sets_;
};

// The symbols of a node that always takes exactly one; empty if it does not.
CharSet one_symbol(const Regex& regex, NodeId id);

}  // namespace nacre::regular
