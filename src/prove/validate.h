// Two texts of a script, run side by side in simulated worlds. A world is a choice for everything
// that the script may look at: each path that it names (absent, a file, an empty file, a directory,
// a link to one), its arguments, variables and input, the user. Commands without a model are
// uninterpreted: the same words give the same status and output, drawn from the world, and the
// calls are recorded and compared.
//
// Equal means: status, output, tree (names, kinds, bytes, modes, owners; not times), recorded
// calls. A world in which either run reaches a limit decides nothing and is counted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/source_file.h"

namespace nacre::prove {

struct Side {
  SourceFile file;
  bool is_bash = false;
};

struct Difference {
  std::string world;  // in words
  std::string what;   // "status 0 and 1", "output ..."
};

struct Comparison {
  size_t worlds = 0;     // that decided something
  size_t undecided = 0;  // a limit, or something that the simulation lacks
  size_t recorded = 0;   // calls of commands without a model
  std::optional<Difference> difference;
};

// At most `worlds` of them; the same ones for the same texts.
[[nodiscard]] Comparison compare_in_worlds(const Side& original, const Side& rewritten,
                                           size_t worlds);

}  // namespace nacre::prove
