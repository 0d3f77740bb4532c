// Shell scripts made portable, deterministic, idempotent and safe: minimal edits, each with the
// obligations that were discharged for it (base/rewrite.h). Comments, layout and here-documents
// stay byte for byte.
//
//   Purified result = purify(file, settings, cards);
//   if (result.refused.empty()) write(result.text);
//
// A place where an obligation is open stays as it is and is in `kept`. What must be reached and is
// not (a construct that the target lacks, $RANDOM) is in `refused`; the text then is what was
// reached. purify(purify(x)) == purify(x): rounds go on until nothing is offered. A script that
// does not parse is refused. Pure; costs one check of the script for each round.
#pragma once

#include <set>

#include "purify/script.h"

namespace nacre::purify {

// Rewrites that validation has withdrawn: by name and place in the text that was given.
using Withdrawn = std::set<std::pair<std::string, uint32_t>>;

[[nodiscard]] Purified purify(const SourceFile& file, const Settings& settings,
                              const commands::CardLibrary& cards, const Withdrawn& withdrawn = {});

// What the script is written in; nothing if it is not a shell script of a known dialect.
[[nodiscard]] std::optional<shell::Dialect> dialect_of(const SourceFile& file);

}  // namespace nacre::purify
