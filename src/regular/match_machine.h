// The machine behind sed's s, grep -o and ${x/pat/rep}: a transducer that finds leftmost-longest
// matches exactly, for every regular pattern. Internal to this module; translate_match.h is the
// face.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "regular/fst.h"
#include "regular/match_dfa.h"
#include "regular/match_pattern.h"
#include "regular/symbol_map.h"

namespace nacre::regular {

// A match is read as a sequence of parts, each a piece of the pattern; some are copied into the
// output. Left parts take as much as they can: if `is_greedy`, a split that gives a part less than
// it could have is not taken; if not, every split is.
struct MatchPart {
  MatchDfa dfa;  // same classes as the whole pattern's; without conditions
  bool is_copied = false;
  bool is_greedy = true;
  SymbolMap first, rest;           // what becomes of the first symbol copied, and of the others
  bool has_case_of_first = false;  // `first` stems from \u or \l; if the part is empty, the next
                                   // symbol that is emitted takes it
  Insert before;                   // emitted where the part begins
};

// What happens to the text.
struct MatchPlan {
  enum class Which : uint8_t {
    kNth,      // the N-th match
    kFromNth,  // the N-th and all after it
    kAnyOne,   // each match in turn is a result of its own (grep -o)
  };
  Which which = Which::kNth;
  uint64_t number = 1;
  bool keeps_outside = true;  // copy or drop what is not matched, and unchosen matches
  EmptyMatches empty_matches = EmptyMatches::kSed;
  bool is_longest = true;        // false: any match at the leftmost place may be the one
  std::vector<MatchPart> parts;  // empty: chosen matches are dropped
  Insert after;                  // emitted after a chosen match
};

// Budget: states of the machine. If they do not suffice, or if the pattern is inexact, the checks
// that a guessed match is the leftmost and longest one are dropped: a superset.
Fst match_machine(const MatchDfa& pattern, const MatchPlan& plan, Alphabet alphabet,
                  const Budget& budget);

}  // namespace nacre::regular
