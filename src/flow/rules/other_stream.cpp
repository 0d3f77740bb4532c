// T126: what a stage looks for is written to standard error, and the pipe carries standard output.
//
//   T126: dpkg -s htop | grep -q 'is not installed' && echo missing
//   quiet: dpkg -s htop 2>&1 | grep -q 'is not installed' && echo missing
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

void other_stream(const StageEvent& event, RuleContext& in) {
  const Stage& stage = event.stage();
  if (event.until.size() < 2 || !stage.is_piped || !stage.behaviour.selects) return;
  const Stage& writer = event.until[event.until.size() - 2];
  const std::string_view between = in.text({writer.span.begin, stage.span.begin});
  if (between.find(">&") != between.npos || between.find("|&") != between.npos) return;
  const Lang wanted = *stage.behaviour.selects;
  const auto is_sought = [&](Lang messages) {
    return regular::included(messages, wanted, in.budget).yes() ||
           regular::included(wanted, messages, in.budget).yes();
  };
  const auto& errors = writer.behaviour.errors;
  const auto found = std::find_if(errors.begin(), errors.end(), is_sought);
  if (found == errors.end() || regular::is_empty(wanted, in.budget).yes()) return;
  in.report_of_stage(in.finding(
      "T126", stage.span,
      fmt::format("{} writes this to standard error, which does not go through the pipe; add 2>&1",
                  writer.name)));
}

}  // namespace nacre::flow::rules
