// T106, T107: a command that compares or counts lines, where the lines are not there to compare.
//
//   T106: ls | shuf | uniq
//   quiet: ls | shuf | sort | uniq
//   T107: head -n 1 f | sort
//   quiet: head -n 5 f | sort
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void unsorted_lines(const StageEvent& event, RuleContext& in) {
  const Stage& stage = event.stage();
  if (!event.is_checked() || !stage.behaviour.needs_grouped ||
      stage.input.order != commands::Order::kScattered)
    return;
  Diagnostic result = in.finding(
      "T106", stage.span,
      fmt::format("{} on unsorted input: equal lines that are not adjacent are not seen as equal; "
                  "sort first",
                  stage.name));
  if (!stage.input.scattered_by.empty())
    result.notes.push_back(in.note(stage.input.scattered_by, "the order is lost here"));
  in.report_of_stage(std::move(result));
}

void single_line(const StageEvent& event, RuleContext& in) {
  const Stage& stage = event.stage();
  const commands::LineCount count = stage.input.count;
  if (!event.is_checked() || !stage.is_piped || count.most != 1) return;
  const auto report = [&](std::string_view what) {
    in.report_of_stage(in.finding(
        "T107", stage.span,
        fmt::format("{} {} lines, but its input never has more than one", stage.name, what)));
  };
  // `head -n 1 | wc -l` asks whether there is one.
  const bool is_one = count.least == 1 || stage.input.may_lack_newline;
  if (stage.behaviour.counts_lines && is_one && !event.until.front().prints_words) report("counts");
  if (stage.behaviour.needs_many) report("compares");
}

}  // namespace nacre::flow::rules
