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

#include "base/diagnostic.h"
#include "commands/card_library.h"
#include "make/facts.h"

namespace nacre::make {

enum class RewriteClass : uint8_t {
  kEqual,     // the same on every run
  kRepair,    // the same but where `differs_when` says
  kAssuming,  // needs a sentence to be true
};

enum class ObligationKind : uint8_t {
  kStatus,     // the status is not tested
  kCopy,       // every edited byte is the file's own
  kNoFile,     // no recipe makes the target, no implicit rule does
  kOrder,      // the order of the list is not used, or is the same
  kLabel,      // the varying value gets only into texts and names
  kOutputs,    // what is made is known by name
  kUnordered,  // a pair of writers was found
  kOneUse,     // the value is used at one place
};

struct Obligation {
  ObligationKind kind;
  Span place;
  bool is_discharged = true;
  std::string why;
};

struct Rewrite {
  std::string_view name;  // "mkdir-p"
  RewriteClass kind = RewriteClass::kRepair;
  Span place;
  std::string message = {};
  std::string differs_when = {};
  std::vector<Edit> edits = {};
  std::vector<Obligation> needs = {};

  [[nodiscard]] bool is_discharged() const;
};

struct Purified {
  std::string text;
  std::vector<Rewrite> done;
  std::vector<Rewrite> kept;     // an obligation failed; the place stays as it was
  std::vector<Rewrite> refused;  // a goal that must be reached is not
};

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
[[nodiscard]] std::string_view name_of(RewriteClass kind);
[[nodiscard]] std::string_view name_of(ObligationKind kind);

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
