// T103: a command that does not read what is piped into it.
//
//   T103: ls | rm
//   quiet: ls | xargs rm
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void ignored_input(const StageEvent& event, RuleContext& in) {
  if (!event.ignores_input()) return;
  in.report_of_stage(
      in.finding("T103", event.stage().span,
                 fmt::format("{} does not read its standard input: the data piped into it is lost",
                             event.stage().name)));
}

}  // namespace nacre::flow::rules
