// A backtracking matcher for the regexes of Python's `re`: which match it takes and what its groups
// hold, for one subject. It follows the definition, step by step, and is as slow as `re` itself;
// the abstract interpreter uses it where every string is known.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "regular/regex.h"

namespace nacre::python {

struct RegexMatch {
  // Begin and end of the whole match and of each group; nothing: the group took no part.
  std::vector<std::optional<std::pair<size_t, size_t>>> groups;
  [[nodiscard]] size_t begin() const { return groups[0]->first; }
  [[nodiscard]] size_t end() const { return groups[0]->second; }
};

struct RegexOutcome {
  std::optional<RegexMatch> match;
  bool is_exhausted = false;  // the budget of steps ran out, or the regex has a lookbehind
};

// The match that begins at `start`, or (`is_search`) at the first place from there on. With
// `is_whole` it must reach the end of the subject.
RegexOutcome match_regex(const regular::Regex& regex, const std::vector<uint32_t>& subject,
                         size_t start, bool is_search, bool is_whole, uint64_t steps = 100'000);

}  // namespace nacre::python
