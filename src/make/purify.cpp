#include "make/purify.h"

#include <algorithm>

#include "base/edits.h"
#include "make/read.h"
#include "make/rules.h"

namespace nacre::make {

namespace {

constexpr Offer kOffers[] = {
    offer_idempotent_commands, offer_fixed_clock, offer_temporary_files, offer_sorted_lists,
    offer_single_evaluation,   offer_phony,       offer_clean,           offer_order};

bool overlaps(const Rewrite& rewrite, const std::vector<Edit>& chosen) {
  return std::any_of(rewrite.edits.begin(), rewrite.edits.end(), [&](const Edit& edit) {
    return std::any_of(chosen.begin(), chosen.end(), [&](const Edit& other) {
      const bool is_apart = edit.span.end <= other.span.begin || other.span.end <= edit.span.begin;
      return !is_apart || edit.span == other.span;
    });
  });
}

}  // namespace

bool Rewrite::is_discharged() const {
  return std::all_of(needs.begin(), needs.end(),
                     [](const Obligation& each) { return each.is_discharged; });
}

std::string_view name_of(RewriteClass kind) {
  constexpr std::string_view kNames[] = {"equal", "repair", "assuming"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view name_of(ObligationKind kind) {
  constexpr std::string_view kNames[] = {"status", "copy",    "no-file",   "order",
                                         "label",  "outputs", "unordered", "one-use"};
  return kNames[static_cast<size_t>(kind)];
}

std::vector<Rewrite> offer_rewrites(const Facts& facts) {
  std::vector<Rewrite> rewrites;
  for (Offer offer : kOffers) offer(facts, rewrites);
  std::stable_sort(rewrites.begin(), rewrites.end(), [](const Rewrite& a, const Rewrite& b) {
    return a.place.begin < b.place.begin;
  });
  return rewrites;
}

Purified purify(const SourceFile& file, const commands::CardLibrary& cards,
                const PurifyOptions& options) {
  Purified result;
  SourceFile current = file;
  for (unsigned round = 0; round < options.max_rounds; round++) {
    std::vector<Diagnostic> problems;
    const Database database = read_makefile(current, options.reading);
    if (!database.is_accepted) {
      for (const Diagnostic& each : database.findings) {
        Rewrite refusal;
        refusal.name = "unreadable";
        refusal.place = each.span;
        refusal.message = each.message;
        result.refused.push_back(std::move(refusal));
      }
      break;
    }
    const Facts facts = gather_facts(current, database, options.reading, cards, problems);
    std::vector<Edit> edits;
    for (Rewrite& rewrite : offer_rewrites(facts)) {
      const bool is_wanted = !options.equal_only || rewrite.kind == RewriteClass::kEqual;
      if (!rewrite.is_discharged() || !is_wanted || rewrite.edits.empty()) {
        // Places are those of the text that was given: later rounds keep the same ones.
        if (round == 0) result.kept.push_back(std::move(rewrite));
      } else if (!overlaps(rewrite, edits)) {
        edits.insert(edits.end(), rewrite.edits.begin(), rewrite.edits.end());
        result.done.push_back(std::move(rewrite));
      }
    }
    if (edits.empty()) {
      result.refused = find_refusals(facts);
      break;
    }
    std::stable_sort(edits.begin(), edits.end(),
                     [](const Edit& a, const Edit& b) { return a.span.begin < b.span.begin; });
    current = SourceFile(current.name(), apply_edits(current, edits));
  }
  result.text = current.bytes();
  return result;
}

}  // namespace nacre::make
