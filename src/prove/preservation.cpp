// preservation: does a script do what another one does? A world that tells them apart refutes it;
// it is proved where the second is what purify makes of the first with equal rewrites alone.
#include <fmt/format.h>

#include "prove/validate.h"
#include "prove/verify.h"
#include "purify/purify.h"

namespace nacre::prove {

namespace {

bool is_bash(const SourceFile& file) {
  return purify::dialect_of(file).value_or(shell::Dialect::kSh) == shell::Dialect::kBash;
}

}  // namespace

Finding preserves(const SourceFile& file, const SourceFile& original,
                  const commands::CardLibrary& cards, size_t worlds) {
  Finding result{"preservation", Verdict::kOpen, {}, {}, {}, false};
  const Comparison compared =
      compare_in_worlds({original, is_bash(original)}, {file, is_bash(file)}, worlds);
  if (compared.difference) {
    result.verdict = Verdict::kRefuted;
    result.reason = compared.difference->what;
    result.witness = compared.difference->world;
    return result;
  }
  purify::Settings settings;
  settings.dialect = purify::dialect_of(original).value_or(shell::Dialect::kSh);
  settings.equal_only = true;
  const Purified purified = purify::purify(original, settings, cards);
  if (purified.text == file.bytes() || original.bytes() == file.bytes()) {
    result.verdict = Verdict::kProved;
    result.reason =
        fmt::format("{} equal rewrites, every obligation discharged", purified.done.size());
    return result;
  }
  result.reason = fmt::format("equal in {} worlds ({} decided nothing); no proof for the others",
                              compared.worlds, compared.undecided);
  return result;
}

}  // namespace nacre::prove
