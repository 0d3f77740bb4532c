// J103: what a server sends is run as it comes.
//
//   J103: curl -s https://example.org/install | sh
//   quiet: curl -s https://example.org/list | sort
#include <fmt/format.h>

#include "base/path.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void downloaded_code(const StagesEvent& event, RuleContext& in) {
  const auto stages = event.stages;
  if (stages.size() < 2 || !stages.front().fetches || !stages.back().interprets_input) return;
  Diagnostic result =
      in.finding("J103", stages.back().span,
                 fmt::format("the code that {} downloads is executed without verification",
                             base_name(stages.front().name)));
  if (in.text(stages.front().span).find("http://") != std::string_view::npos) {
    result.notes.push_back(in.note(stages.front().span,
                                   "this is not https: anyone on the network path can change it"));
  }
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
