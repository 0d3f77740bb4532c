// Stages whose work the next one undoes: an order before a command that prints the same for any
// order, characters that are translated and then translated again, `uniq` before the lines are
// sorted.
#pragma once

#include <optional>
#include <span>

#include "flow/stage.h"

namespace nacre::flow {

// What is to be said of `stage`, if the `following` ones make it vain.
std::optional<Diagnostic> lost_work(const SourceFile& file, const Stage& stage,
                                    std::span<const Stage> following);

}  // namespace nacre::flow
