// What an exploration says is wrong (F201 to F207). Each was run: it is certain that the script
// does it in the world that the finding names; the severity says how likely that world is.
#pragma once

#include "base/diagnostic.h"
#include "explore/outcome.h"

namespace nacre::explore {

struct Finding {
  std::string code;
  std::string script;  // its name
  Place place;
  std::string message;
  unsigned rank = 0;              // of the world
  std::string before;             // what that world holds
  std::optional<size_t> outcome;  // of the report that it comes from
};

// Of one script: F202.
[[nodiscard]] std::vector<Finding> findings_of(const Report& report);

// Of running it a second time, in the worlds that its successful runs leave: F201, F203. At most
// `worlds` of them.
[[nodiscard]] std::vector<Finding> findings_of_second_run(const Script& script, const Report& first,
                                                          const Budget& budget, size_t worlds);

// Both; what fails a second time is told once.
[[nodiscard]] std::vector<Finding> all_findings(const Script& script, const Report& report,
                                                const Budget& budget, size_t worlds);

// With the severity that the rank gives: that of the code's page, one less for rank 1. Findings of
// higher rank are style.
[[nodiscard]] Diagnostic diagnostic_of(const Finding& finding, const SourceFile& file);

// The facts of an outcome that set it apart from the others, as one line; "in every world" if there
// are none.
[[nodiscard]] std::string condition_of(const Report& report, const Outcome& outcome);

}  // namespace nacre::explore
