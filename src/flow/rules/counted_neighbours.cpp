// T106: `uniq -c | sort -n` ranks what occurs most often; in a column of an unsorted file, uniq
// counts only adjacent lines.
//
//   T106: cut -d' ' -f1 access.log | uniq -c | sort -rn
//   quiet: cut -d' ' -f1 access.log | sort | uniq -c | sort -rn
#include <algorithm>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void counted_neighbours(const StageEvent& event, RuleContext& in) {
  const Stage& stage = event.stage();
  const Stage* next = event.next();
  if (event.until.size() < 2 || !stage.behaviour.needs_grouped || stage.behaviour.needs_many ||
      stage.input.order != commands::Order::kUnknown)
    return;
  if (!next || !next->behaviour.output.is_number_order) return;
  const Stage& writer = event.until[event.until.size() - 2];
  const auto sorts = [](const Stage& each) { return each.behaviour.only_orders; };
  if (std::any_of(event.until.begin(), event.until.end(), sorts)) return;
  if (!writer.behaviour.takes_fields) return;
  in.report_of_stage(in.finding("T106", stage.span,
                                "uniq counts only adjacent lines, and these are not sorted: a line "
                                "that occurs in several places gets several counts; sort first"));
}

}  // namespace nacre::flow::rules
