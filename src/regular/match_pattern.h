// A pattern prepared for searching: what translate_match.h and strip.h look for. It is made from a
// language (any word of it matches) or from a regex as a tool reads it, with anchors, word
// boundaries and groups. A value that no longer needs its Context.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "base/result.h"
#include "regular/lang.h"
#include "regular/lower.h"
#include "regular/match_dfa.h"
#include "regular/regex.h"

namespace nacre::regular {

// Parts begin .. end - 1.
struct PartRange {
  uint32_t begin = 0, end = 0;
};

struct MatchPattern {
  // A piece of a pattern that is a concatenation; the pieces of a match follow each other.
  struct Part {
    MatchDfa dfa;
    bool is_longest = true;  // it takes all that lets the rest match, at the cost of later parts
  };
  struct Group {
    std::optional<PartRange> parts;       // none: where it lies in a match cannot be followed
    std::shared_ptr<const Dfa> language;  // a superset of what it captures
  };

  Alphabet alphabet = Alphabet::kBytes;
  MatchDfa whole;
  bool is_longest = true;  // false: the tool may take a shorter match than it could
  std::vector<Part> parts;
  bool splits_exactly = true;  // the parts say surely how a match is split
  std::vector<Group> groups;   // by number; [0] is the whole match, without parts
};

// Every word of the language matches.
MatchPattern match_pattern(Lang language, const Budget& budget = {});

// As the tool that the regex was parsed for matches it. options.match does not matter;
// back-references are widened. What is not regular, or looks further than one symbol around a
// match, makes the pattern inexact, never wrong.
Result<MatchPattern> match_pattern(Context& context, const Regex& regex,
                                   const LowerOptions& options = {});

// Where a pattern may match, besides what it says itself.
enum class Anchor : uint8_t {
  kNone,
  kStart,  // only at the start of the subject
  kEnd,    // only at its end
  kWhole,  // only all of it
};
MatchPattern anchored(MatchPattern pattern, Anchor anchor);

// Where a match may be empty.
enum class EmptyMatches : uint8_t {
  kNever,       // grep -o
  kSed,         // everywhere but directly after a match
  kBash,        // after a match, too, but not at the end of a text that is not empty
  kEverywhere,  // Perl, Python
};

}  // namespace nacre::regular
