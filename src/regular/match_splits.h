// How a match falls into the pieces of a pattern that is a concatenation: the flat view of a regex
// that lets replacements copy groups. Internal to this module.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "regular/match_dfa.h"
#include "regular/match_pattern.h"
#include "regular/regex.h"

namespace nacre::regular {

struct Splits {
  struct Part {
    std::vector<NodeId> nodes;     // that follow each other
    bool is_longest_taken = true;  // of several ways to split, tools give it all it can take
  };
  std::vector<Part> parts;
  std::vector<std::optional<PartRange>> groups;  // by number; [0] is unused
};

// Groups inside of repetitions and alternatives have no range.
Splits split(const Regex& regex);

// Does a tool that tries the parts in order, each with as much as it can take, find the longest
// match? (Perl and Python do so; asked only if every part is_longest.)
bool finds_longest(const std::vector<MatchPattern::Part>& parts);

// Is there only one way to split every match?
bool is_unambiguous(const std::vector<MatchPattern::Part>& parts);

}  // namespace nacre::regular
