// T104: `tail -n +2` is meant to drop a heading, and there is none: the first row is lost.
//
//   T104: atq | tail -n +2 | cut -f1
//   quiet: df -P | tail -n +2 | cut -f1
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

namespace {

// It prints every line but the first.
bool drops_first(const Stage& stage) {
  if (!stage.behaviour.picks_by_place || stage.behaviour.picked != commands::Place::kAnywhere)
    return false;
  return stage.input.first.empty() && stage.behaviour.trace.has_value();
}

}  // namespace

void dropped_row(const StageEvent& event, RuleContext& in) {
  const Stage& stage = event.stage();
  if (event.until.size() != 2 || !stage.is_piped || !stage.input.producer ||
      stage.input.order != commands::Order::kScattered || !drops_first(stage) ||
      in.text(stage.span).find("+2") == std::string_view::npos)
    return;
  const auto& kinds = stage.input.kinds;
  const auto is_row = [](const commands::LineKind& kind) {
    return kind.frequency >= commands::Frequency::kUsual;
  };
  if (kinds.empty() || !std::all_of(kinds.begin(), kinds.end(), is_row)) return;
  in.report_of_stage(in.finding("T104", stage.span,
                                fmt::format("{} prints no heading here: this drops its first row",
                                            stage.input.producer->command)));
}

}  // namespace nacre::flow::rules
