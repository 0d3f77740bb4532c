// The character classes behind str.isdigit() and its like, as CPython defines them over Unicode.
#pragma once

#include <string_view>

#include "regular/char_set.h"

namespace nacre::python {

// By method: isalpha isdecimal isdigit isnumeric isalnum isspace, and identifier_start,
// identifier_part for isidentifier. Made once and kept: the first call walks through Unicode.
const regular::CharSet& character_class(std::string_view method);

}  // namespace nacre::python
