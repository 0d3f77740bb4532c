// How a pipeline is mended that a finding is about: `sort -n`, `find -print0 | xargs -0`.
#pragma once

#include <span>

#include "base/diagnostic.h"
#include "flow/stage.h"

namespace nacre::flow {

// Adds a fix to a finding about the last of `stages`, if there is one for its code.
void add_stage_fix(Diagnostic& diagnostic, const SourceFile& file, std::span<const Stage> stages);

}  // namespace nacre::flow
