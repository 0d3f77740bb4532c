// How a pipeline is mended that a finding is about: `sort -n`, `find -print0 | xargs -0`.
#pragma once

#include <span>

#include "base/diagnostic.h"
#include "flow/stage.h"

namespace nacre::flow {

// Adds to a finding of `check` about the last of `stages` a fix, or where there is none the words
// of the check.
void add_advice(Diagnostic& diagnostic, const commands::Check& check, const SourceFile& file,
                std::span<const Stage> stages);

}  // namespace nacre::flow
