// Search and replace, and extraction: sed's s, ${x/pat/rep}, grep -o. Leftmost-longest matches are
// found exactly, for every regular pattern with anchors and word boundaries, nullable ones
// included.
//
//   MatchPattern blanks = match_pattern(plus(cx.set(CharSet::of(" \t"))));
//   Transducer squeeze = translate_match(blanks, replacement_text(" "), {.is_global = true});
//
// The result is inexact, a superset, only if the replacement uses a group (or &) twice, or groups
// out of order, or groups that lie inside a repetition or an alternative, or whose extent depends
// on which way a tool prefers; if a tool does not take the longest match (Perl, Python); or if the
// budget does not suffice.
#pragma once

#include <cstdint>

#include "base/budget.h"
#include "regular/match_pattern.h"
#include "regular/replacement.h"
#include "regular/transducer.h"

namespace nacre::regular {

struct Occurrence {
  uint64_t number = 1;     // sed's s/a/b/N
  bool is_global = false;  // g: all from that one on
  EmptyMatches empty_matches = EmptyMatches::kSed;
};

Transducer translate_match(const MatchPattern& pattern, const Replacement& replacement,
                           Occurrence which = {}, const Budget& budget = {});

// Bash's ${x/pattern/replacement}, `//` (is_global), `/#` and `/%` (anchor). Bash treats empty
// matches in its own way; an empty pattern matches nothing unless anchored.
struct BashReplacement {
  bool is_global = false;
  Anchor anchor = Anchor::kNone;
};
Transducer replace_pattern(Lang pattern, const Replacement& replacement, BashReplacement how,
                           const Budget& budget = {});

// Relates a line to each match in it that is not empty, as grep -o prints them.
Transducer line_extract(const MatchPattern& pattern, const Budget& budget = {});

}  // namespace nacre::regular
