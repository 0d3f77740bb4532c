// What the condition whose operands are being expanded wants to know of them. A null condition
// wants nothing. Internal to this module.
#pragma once

#include "flow/condition.h"
#include "shell/tree.h"

namespace nacre::flow {

// `[ -n "$x" ]`, `[ "$x" ]`; a comparison with a text copes with a missing value, too.
bool asks_for_emptiness(const Condition* asking);
// `[ "$x" -gt 3 ]`, which is an error without a value.
bool asks_for_number(const Condition* asking);
// `[ "$x" = "$y" ]`: the author thinks that both are there.
bool compares_expansions(const Condition* asking);
// `[ -z "$x" ]`, `[ "$x" = "" ]`
bool asks_only_for_emptiness(const Condition* asking, const shell::Tree& tree);

}  // namespace nacre::flow
