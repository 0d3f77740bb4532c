// How to fix a stage that breaks a demand on its lines: `sort -n`, `find -print0 | xargs -0`.
// Internal to this module.
#pragma once

#include <span>

#include "base/diagnostic.h"
#include "flow/stage.h"

namespace nacre::flow {

// Adds to a finding of `check` about the last of `stages` a fix, or the help of the check where
// there is none.
void add_fix(Diagnostic& diagnostic, const commands::Check& check, const SourceFile& file,
             std::span<const Stage> stages);

}  // namespace nacre::flow
