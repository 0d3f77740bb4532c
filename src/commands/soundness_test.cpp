// Every card and model that has trials, against the real commands: a fixed sample. `./dev bench
// soundness` goes on for as long as one likes.
#include <doctest/doctest.h>

#include "commands/testing/survey.h"

using namespace nacre::commands;

namespace {

#ifdef NACRE_SANITIZED  // which look for other mistakes, five times as slowly
constexpr uint32_t kRounds = 1;
constexpr uint32_t kChains = 20;
#else
constexpr uint32_t kRounds = 4;
constexpr uint32_t kChains = 150;
#endif
const std::string kTables = NACRE_SOURCE_DIR "/tests/commands/";

}  // namespace

TEST_CASE("what is said of a command is true of the real one") {
  const ScratchDirectory scratch(kTables + "tree.sh");
  const CardLibrary cards;
  const Laboratory laboratory(scratch.path(), cards);
  Survey survey(laboratory, read_all_trials(kTables), 1);
  survey.run_each(kRounds);
  survey.run_chains(kChains);
  for (const Record& record : survey.records()) {
    for (const std::string& claim : record.false_claims) FAIL_CHECK(claim);
  }
}
