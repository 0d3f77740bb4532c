// Operations that look at parts of words.
#pragma once

#include "base/budget.h"
#include "regular/char_set.h"
#include "regular/lang.h"

namespace nacre::regular {

// { w : u w in a, u in prefixes }: what can follow a prefix. Explores both languages side by side;
// past the budget, every word over the symbols of `a` (Lang::bound says so).
Lang left_quotient(Lang a, Lang prefixes, const Budget& budget = {});
// { w : w u in a, u in suffixes }: what can stand before a suffix.
Lang right_quotient(Lang a, Lang suffixes, const Budget& budget = {});

// { w : w u in a for some u }: the prefixes of words, and likewise their suffixes.
Lang prefixes_of(Lang a, const Budget& budget = {});
Lang suffixes_of(Lang a, const Budget& budget = {});

// The words of `a` with all symbols that are not in `kept` taken out.
Lang project(Lang a, const CharSet& kept, const Budget& budget = {});

}  // namespace nacre::regular
