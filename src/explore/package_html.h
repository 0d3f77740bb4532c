// The report on packages as pages: an index, a page for each package and one for each scenario.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace nacre::explore {

// File names and contents, from the documents of package_report.h.
[[nodiscard]] std::map<std::string, std::string> package_pages(
    const std::vector<std::string>& documents);

}  // namespace nacre::explore
