// The table of cases of one command line on an unknown tree, by its card alone (`does`, `acts`):
// for a reader who wants to know what `ln -sf x a` can do.
#pragma once

#include "explore/outcome.h"

namespace nacre::explore {

// `line` is a simple command. An error if no card tells what it does.
[[nodiscard]] Result<Report> cases_of(const std::string& line);
[[nodiscard]] std::string show_cases(const Report& report);

}  // namespace nacre::explore
