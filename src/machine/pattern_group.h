// The groups of bash's extended patterns, ?(a|b) *(a|b) +(a|b) @(a|b) !(a|b), and what pattern.cpp
// shares with them. A pattern with groups is matched by the set of positions that its first part
// can end at, one element after the other, so that no pattern takes exponential time.
#pragma once

#include <string_view>

#include "machine/locale.h"

namespace nacre::machine {

// An active group that is closed.
[[nodiscard]] bool has_group(std::string_view pattern);
[[nodiscard]] bool matches_groups(std::string_view pattern, std::string_view text,
                                  const Locale& locale);

// Position after the `]` that closes the bracket expression at `at` (which is after its `[`), or
// npos: then the `[` is an ordinary character.
[[nodiscard]] size_t bracket_end(std::string_view p, size_t at);
// Matches one element of the pattern other than `*` or a group at p[i] against the start of
// text[j]; moves both on.
bool match_one(std::string_view p, size_t& i, std::string_view text, size_t& j,
               const Locale& locale);

}  // namespace nacre::machine
