// Makefiles made deterministic, idempotent and safe in parallel: a list of rewrites, each with the
// edits that make it and the obligations that were discharged for it. Edits touch only the file's
// own bytes; a rewrite whose obligation is open is kept as it is and reported.
//
//   Purified result = purify(file, cards, {});
//   if (result.refused.empty()) write(result.text);
//
// purify(purify(x)) == purify(x): rounds go on until nothing is offered.
#pragma once

#include <string>
#include <vector>

#include "base/rewrite.h"
#include "commands/card_library.h"
#include "make/facts.h"

namespace nacre::make {

struct PurifyOptions {
  ReadOptions reading;
  bool equal_only = false;
  unsigned max_rounds = 8;
};

[[nodiscard]] Purified purify(const SourceFile& file, const commands::CardLibrary& cards,
                              const PurifyOptions& options);

// The rewrites that one round offers, in the order of the text; refusals have no edits.
[[nodiscard]] std::vector<Rewrite> offer_rewrites(const Facts& facts);
[[nodiscard]] std::vector<Rewrite> find_refusals(const Facts& facts);

// purify_recipes.cpp, purify_values.cpp and purify_targets.cpp
using Offer = void (*)(const Facts& facts, std::vector<Rewrite>& rewrites);
void offer_idempotent_commands(const Facts& facts, std::vector<Rewrite>& rewrites);
void offer_fixed_clock(const Facts& facts, std::vector<Rewrite>& rewrites);
void offer_temporary_files(const Facts& facts, std::vector<Rewrite>& rewrites);
void offer_sorted_lists(const Facts& facts, std::vector<Rewrite>& rewrites);
void offer_single_evaluation(const Facts& facts, std::vector<Rewrite>& rewrites);
void offer_phony(const Facts& facts, std::vector<Rewrite>& rewrites);
void offer_clean(const Facts& facts, std::vector<Rewrite>& rewrites);
void offer_order(const Facts& facts, std::vector<Rewrite>& rewrites);

}  // namespace nacre::make
