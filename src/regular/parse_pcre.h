// Perl's regular expressions as PCRE2 (10.42) and therefore `grep -P` reads them, as far as they
// are regular: lazy quantifiers, classes, inline flags, named groups, lookaround, \Q...\E, \K, \R.
// Back-references parse, and lower.h refuses or widens them; recursion, conditionals, callouts and
// verbs are refused here. Possessive quantifiers and atomic groups are kept in the tree.
#pragma once

#include <string_view>

#include "base/result.h"
#include "regular/parse_posix.h"
#include "regular/regex.h"

namespace nacre::regular {

struct PcreOptions {
  bool folds_case = false;                // grep -i
  GrepBounds bounds = GrepBounds::kNone;  // grep -w, -x
  Alphabet alphabet = Alphabet::kBytes;   // kCodePoints: in a UTF-8 locale
};

Result<Regex> parse_pcre(std::string_view pattern, const PcreOptions& options = {});

}  // namespace nacre::regular
