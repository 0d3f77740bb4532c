#include "docker/purify.h"

#include <algorithm>

namespace nacre::docker {

namespace {

constexpr Offer kOffers[] = {offer_fixes,    offer_commands, offer_quotes,
                             offer_pipefail, offer_joined,   offer_pins,
                             offer_workdirs, offer_user,     offer_health};

std::vector<Rewrite> offer_rewrites(const Facts& facts) {
  std::vector<Rewrite> rewrites;
  for (const Offer offer : kOffers) offer(facts, rewrites);
  std::stable_sort(rewrites.begin(), rewrites.end(), [](const Rewrite& a, const Rewrite& b) {
    return a.place.begin < b.place.begin;
  });
  return rewrites;
}

// What the builder says to the file.
std::vector<Problem> refusals(const File& file) {
  std::vector<Problem> problems = file.problems;
  const bool has_stage =
      std::any_of(file.instructions.begin(), file.instructions.end(),
                  [](const Instruction& each) { return each.keyword == Keyword::kFrom; });
  if (!has_stage) problems.push_back({{0, 0}, "there is no FROM, so nothing can be built"});
  for (const Instruction& each : file.instructions) {
    if (each.keyword == Keyword::kFrom || each.keyword == Keyword::kArg) break;
    if (!has_stage) break;
    problems.push_back({each.name_span, "only ARG can stand before the first FROM"});
    break;
  }
  return problems;
}

}  // namespace

Purified purify(const SourceFile& file, const commands::CardLibrary& cards,
                const PurifyOptions& options) {
  Purified result;
  RewriteRounds rounds(file, {.equal_only = options.equal_only, .max_rounds = options.max_rounds},
                       result);
  while (true) {
    const std::unique_ptr<Facts> facts = gather_facts(rounds.current(), cards);
    const std::vector<Problem> problems = refusals(facts->file);
    for (const Problem& each : problems) {
      Rewrite refusal{.name = "unreadable", .place = rounds.original(each.span)};
      refusal.message = each.message;
      result.refused.push_back(std::move(refusal));
    }
    if (!problems.empty() || !rounds.apply(offer_rewrites(*facts))) return result;
  }
}

}  // namespace nacre::docker
