// Whether the words of a command line are of the types that its card gives them: `kill` takes
// process ids, `date -d` a date. What is reported is a word that no run can make right, or a kind
// of line that comes in every run and is none (`docker stop CONTAINER`): a value that may or may
// not fit is the author's business.
#pragma once

#include <vector>

#include "commands/behaviour.h"

namespace nacre::commands {

void check_arguments(const Invocation& invocation, std::vector<Problem>& problems);

// The place in the card's list that the operand at `index` of `count` takes; null if it has none.
const OperandSpec* operand_spec(const Card& card, size_t index, size_t count);

}  // namespace nacre::commands
