// T308: a reader that stops early ends the writer with SIGPIPE, which is a failure under pipefail.
//
//   T308 bash: set -eo pipefail\ntr -dc a-z < /dev/urandom | head -c 8
//   quiet bash: set -e\ntr -dc a-z < /dev/urandom | head -c 8
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void broken_pipe(const PipelineEvent& event, RuleContext& in) {
  constexpr uint64_t kMoreThanPipeHolds = 10'000;  // lines
  const auto stages = event.stages;
  const Options& options = event.environment.options;
  if (options.pipefail != Known::kYes || stages.size() < 2 || in.where.ignored > 0) return;
  if (in.where.tested == 0 && options.errexit != Known::kYes) return;
  for (size_t i = 1; i < stages.size(); i++) {
    const Stage& reader = stages[i];
    const bool is_long = stages[i - 1].is_endless || reader.input.count.least >= kMoreThanPipeHolds;
    if (!reader.stops_early || !reader.is_piped || !is_long) continue;
    return in.report(in.finding(
        "T308", reader.span,
        fmt::format("{} stops reading early: {} is killed by SIGPIPE, and pipefail makes that a "
                    "failure",
                    reader.name, stages[i - 1].name)));
  }
}

}  // namespace nacre::flow::rules
