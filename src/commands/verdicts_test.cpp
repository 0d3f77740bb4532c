// Which command lines are refused as invalid: our verdict, the list's and the real command's.
#include <doctest/doctest.h>

#include "commands/testing/survey.h"

using namespace nacre::commands;

namespace {

const std::string kTables = NACRE_SOURCE_DIR "/tests/commands/";

// A refusal comes before anything is printed, and says why.
bool is_refused(const Experiment& experiment) {
  return experiment.status != 0 && !experiment.errors.empty();
}

bool is_called_invalid(const Experiment& experiment) {
  return std::any_of(experiment.claimed->problems.begin(), experiment.claimed->problems.end(),
                     [](const Problem& problem) { return problem.is_certain; });
}

}  // namespace

TEST_CASE("command lines that are refused are found, and no others") {
  const ScratchDirectory scratch(kTables + "tree.sh");
  const CardLibrary cards;
  const Laboratory laboratory(scratch.path(), cards);
  nacre::regular::Context context;
  for (Trial trial : read_trials(kTables + "verdicts.list")) {
    const bool is_bad = trial.words.at(0) == "bad";
    trial.words.erase(trial.words.begin());
    const Experiment experiment = laboratory.run(trial, Laboratory::of_lines(context, {}), "");
    if (!experiment.was_run) continue;
    CAPTURE(trial.text);
    CHECK(is_refused(experiment) == is_bad);
    CHECK(is_called_invalid(experiment) == is_bad);
  }
}
