// A report of an exploration as text for people, as JSON (docs/explore.schema.json) and as a graph.
#pragma once

#include "explore/findings.h"

namespace nacre::explore {

struct ShowOptions {
  bool shows_all = false;           // unlikely outcomes, too
  std::vector<std::string> scenes;  // file names by outcome, if they were saved
};

[[nodiscard]] std::string show_text(const Report& report, const std::vector<Finding>& findings,
                                    const ShowOptions& options);
[[nodiscard]] std::string show_json(const Report& report, const std::vector<Finding>& findings,
                                    const ShowOptions& options);
// One page: the outcomes with what was there before and after, the decisions folded.
[[nodiscard]] std::string show_html(const Report& report, const World& start,
                                    const std::vector<Finding>& findings,
                                    const ShowOptions& options);
// The questions of the outcomes' witnesses as a tree, for dot(1).
[[nodiscard]] std::string show_dot(const Report& report);

}  // namespace nacre::explore
