// A pattern prepared for searching: what translate_match.h and strip.h look for. It is made from a
// language (any word of it matches) or from a regex as a tool reads it, with anchors, word
// boundaries and groups. A value that no longer needs its Context.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/budget.h"
#include "base/result.h"
#include "regular/lang.h"
#include "regular/match_dfa.h"

namespace nacre::regular {

struct MatchPattern {
  // A piece of a pattern that is one concatenation; the pieces of a match follow each other.
  struct Part {
    uint32_t group = 0;  // that it captures; 0: none
    MatchDfa dfa;
    bool is_greedy = true;  // the longest piece that lets the rest match is surely the one taken
  };

  Alphabet alphabet = Alphabet::kBytes;
  MatchDfa whole;
  bool is_longest = true;                          // false: tools may take a shorter match
  std::vector<Part> parts;                         // empty: groups cannot be followed
  std::shared_ptr<const Dfa> language;             // of all matches, conditions taken as true
  std::vector<std::shared_ptr<const Dfa>> groups;  // the same by group, from 1; [0] is null
};

MatchPattern match_pattern(Lang language, const Budget& budget = {});

// Where a pattern may match, besides what it says itself.
enum class Anchor : uint8_t {
  kNone,
  kStart,  // only at the start of the subject
  kEnd,    // only at its end
  kWhole,  // only all of it
};
MatchPattern anchored(MatchPattern pattern, Anchor anchor);

}  // namespace nacre::regular
