// Unified diffs of edits, as `git apply` and `patch` read them.
#pragma once

#include <span>
#include <string>

#include "base/diagnostic.h"

namespace nacre::report {

// `edits` are sorted and do not overlap. Empty when nothing changes. `context` lines stand around
// each change.
std::string unified_diff(const SourceFile& file, std::span<const Edit> edits, unsigned context = 3);

// The changed lines only, as "- old" and "+ new".
std::string small_diff(const SourceFile& file, std::span<const Edit> edits);

}  // namespace nacre::report
