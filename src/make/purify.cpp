#include "make/purify.h"

#include <algorithm>

#include "make/read.h"
#include "make/rules.h"

namespace nacre::make {

namespace {

constexpr Offer kOffers[] = {
    offer_idempotent_commands, offer_fixed_clock, offer_temporary_files, offer_sorted_lists,
    offer_single_evaluation,   offer_phony,       offer_clean,           offer_order};

}  // namespace

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
  RewriteRounds rounds(file, {.equal_only = options.equal_only, .max_rounds = options.max_rounds},
                       result);
  while (true) {
    std::vector<Diagnostic> problems;
    const Database database = read_makefile(rounds.current(), options.reading);
    if (!database.is_accepted) {
      for (const Diagnostic& each : database.findings) {
        Rewrite refusal{.name = "unreadable", .place = rounds.original(each.span)};
        refusal.message = each.message;
        result.refused.push_back(std::move(refusal));
      }
      return result;
    }
    const Facts facts = gather_facts(rounds.current(), database, options.reading, cards, problems);
    if (rounds.apply(offer_rewrites(facts))) continue;
    result.refused = find_refusals(facts);
    for (Rewrite& each : result.refused) each.place = rounds.original(each.place);
    return result;
  }
}

}  // namespace nacre::make
