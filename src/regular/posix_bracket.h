// Bracket expressions `[...]` as GNU's regex and grep read them, for the POSIX front ends and awk.
#pragma once

#include "base/result.h"
#include "regular/char_set.h"
#include "regular/pattern_reader.h"

namespace nacre::regular {

// GNU's two matchers read a range differently when case is ignored: dfa.c takes the members in both
// cases, glibc's regex compares capitals with capital ends. [!-a] has b for one and not for the
// other.
enum class CaseReading : uint8_t {
  kMembers,   // grep; collating elements are always read by glibc
  kCapitals,  // regcomp
  kBoth,      // sed, gawk: dfa.c filters before the regex runs
};

struct BracketRules {
  Alphabet alphabet = Alphabet::kBytes;
  bool folds_case = false;
  CaseReading case_reading = CaseReading::kMembers;
  bool has_escapes = false;                // awk: a backslash quotes the next character
  bool negation_excludes_newline = false;  // grep: [^a] never matches a newline
  bool refuses_bare_class = false;         // GNU grep and sed: [:space:] is an error
  bool is_strict = true;  // glibc: [.a.] and [=a=] are elements; [a-c-e] and [z-a] are errors
};

// The reader stands after the opening `[`; afterwards it stands after the closing `]`.
Result<CharSet> parse_posix_bracket(PatternReader& reader, const BracketRules& rules);

}  // namespace nacre::regular
