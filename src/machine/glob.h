// Pathname expansion: the names in the file system that a pattern matches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/pattern.h"
#include "world/os.h"

namespace nacre::machine {

struct GlobRules {
  GlobRules(const Locale& locale) : patterns(locale) {}
  GlobRules(const PatternRules& of) : patterns(of) {}

  PatternRules patterns;
  bool matches_hidden = false;   // dotglob
  bool has_double_star = false;  // globstar: ** is any number of directories
};

// Sorted in the locale's order; empty if nothing matches. `pattern` has backslashes before literal
// characters (see pattern.h). Reads one directory for each component that is a pattern.
[[nodiscard]] std::vector<std::string> glob(world::Os& os, std::string_view pattern,
                                            const GlobRules& rules);

}  // namespace nacre::machine
