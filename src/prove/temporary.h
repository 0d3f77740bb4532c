// Files that only one run of a script sees: variables that hold a new name (mktemp), whose file is
// removed at the end, and which get into nothing but paths.
#pragma once

#include <set>

#include "prove/subject.h"

namespace nacre::prove {

class Temporaries {
 public:
  explicit Temporaries(const Subject& subject);

  // "$dir", "$dir/x"
  [[nodiscard]] bool holds(std::string_view symbol) const;
  // It makes one of the names, or is a handler that removes them.
  [[nodiscard]] bool is_harmless(const purify::Call& call) const;

 private:
  std::set<std::string, std::less<>> names_;
  std::set<const purify::Place*> harmless_;
};

}  // namespace nacre::prove
