// What a script is not: deterministic (N), safe to run twice (I), free of races (R). Each finding
// is an offer of purify, with its edits as the fix, or a place that purify keeps.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "commands/card_library.h"

namespace nacre::purify {

// Empty if the file does not parse or is no script of a known shell.
[[nodiscard]] std::vector<Diagnostic> lint(const SourceFile& file,
                                           const commands::CardLibrary& cards);

}  // namespace nacre::purify
