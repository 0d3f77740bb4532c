// What the shell's ${x#pattern}, ${x##pattern}, ${x%pattern} and ${x%%pattern} leave of x. Exact,
// up to the budget.
#pragma once

#include <cstdint>

#include "base/budget.h"
#include "regular/lang.h"
#include "regular/transducer.h"

namespace nacre::regular {

enum class Extreme : uint8_t { kShortest, kLongest };

// Removes the shortest or longest prefix (suffix) that is a word of `pattern`; a text without one
// stays as it is.
Transducer strip_prefix(Lang pattern, Extreme extreme, const Budget& budget = {});
Transducer strip_suffix(Lang pattern, Extreme extreme, const Budget& budget = {});

}  // namespace nacre::regular
