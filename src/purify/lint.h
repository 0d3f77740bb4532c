// What a script is not: deterministic (N), safe to run twice (I), free of races (R), portable to
// its targets (P1), closed to code from outside (J). Each finding of N and I is an offer of purify,
// with its edits as the fix, or a place that purify keeps.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "commands/card_library.h"
#include "purify/profiles.h"

namespace nacre::purify {

// Empty if the file does not parse or is no script of a known shell.
[[nodiscard]] std::vector<Diagnostic> lint(const SourceFile& file,
                                           const commands::CardLibrary& cards,
                                           const std::vector<const Profile*>& targets = {});

}  // namespace nacre::purify
