// All scenarios of a package, and of many packages: one JSON document for each, and a summary of
// them all. A document of the same version that is already there is taken as it is, so that a long
// run can be resumed.
#pragma once

#include "explore/scenario.h"

namespace nacre::explore {

struct PackagePlan {
  std::vector<const Scenario*> scenarios;
  ScenarioBudget budget;
};

// JSON: name, version, scripts, scenarios with their ends, problems and findings.
[[nodiscard]] std::string package_json(const Package& package, const PackagePlan& plan);

// From such documents: JSON, and the same as a table for people.
struct Summary {
  std::string json;
  std::string text;
  size_t warnings = 0;  // findings of rank 0
};
[[nodiscard]] Summary summarise(const std::vector<std::string>& documents);

// The document is for this version of the package.
[[nodiscard]] bool is_current(std::string_view document, const Package& package);

}  // namespace nacre::explore
