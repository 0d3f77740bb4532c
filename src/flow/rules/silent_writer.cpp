// T307: a stage reads from one that prints nothing.
//
//   T307: cp a b | grep error
//   quiet: ls | grep error
#include <fmt/format.h>

#include "base/path.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void silent_writer(const StagesEvent& event, RuleContext& in) {
  const auto stages = event.stages;
  for (size_t i = 1; i < stages.size(); i++) {
    const commands::Behaviour& writer = stages[i - 1].behaviour;
    const bool is_silent =
        stages[i].input.count.most == 0 && !writer.is_filter && !writer.never_selects;
    // `sleep 9 | server`: a command that is not known may want only an input that stays open.
    const bool is_known = in.cards.find(base_name(stages[i].name)) != nullptr;
    if (!is_silent || !is_known || !stages[i].is_piped || !stages[i].behaviour.reads_input)
      continue;
    Diagnostic result = in.finding(
        "T307", stages[i].span,
        fmt::format("{} gets no input: {} prints nothing", stages[i].name, stages[i - 1].name));
    result.path.push_back(in.note(stages[i - 1].span, "this prints nothing"));
    in.report(std::move(result));
  }
}

}  // namespace nacre::flow::rules
