// T102: a filter that prints nothing, or nothing but empty lines, whatever it reads. To count empty
// lines (`tr -cd '\n' | wc -c`) is a use of them.
//
//   T102: ls | wc -l | grep total
//   quiet: ls -l | grep total
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

namespace {

// `date +%N | grep -q N`: on other systems there is something to find.
bool may_find_elsewhere(std::span<const Stage> stages) {
  const auto& selects = stages.back().behaviour.selects;
  const auto* writer = stages.size() > 1 ? &stages[stages.size() - 2].behaviour : nullptr;
  return selects && writer && writer->elsewhere &&
         !regular::disjoint(*writer->elsewhere, *selects).yes();
}

bool prints_only_empty_lines(const Stage& stage) {
  const Lang empty = stage.input.rest.context().epsilon();
  return regular::included(commands::any_line(stage.behaviour.output), empty).yes() &&
         regular::included(commands::any_line(stage.input), empty).no();
}

// ... or does so with all lines that usually come.
bool empties_usual_lines(const Stage& stage) {
  const Lang empty = stage.input.rest.context().epsilon();
  const auto is_usual = [](const commands::LineKind& kind) {
    return kind.frequency <= commands::Frequency::kUsual;
  };
  const auto is_empty_line = [&](const commands::LineKind& kind) {
    return !is_usual(kind) || regular::included(kind.lines, empty).yes();
  };
  const auto& before = stage.input.kinds;
  const auto& after = stage.behaviour.output.kinds;
  // cut on aligned columns is told for itself.
  return !stage.input.is_aligned && std::any_of(after.begin(), after.end(), is_usual) &&
         std::all_of(after.begin(), after.end(), is_empty_line) &&
         std::any_of(before.begin(), before.end(), is_usual) &&
         !std::all_of(before.begin(), before.end(), is_empty_line);
}

}  // namespace

void no_output(const StageEvent& event, RuleContext& in) {
  const Stage& stage = event.stage();
  const commands::Behaviour& behaviour = stage.behaviour;
  if (event.ignores_input() || event.is_starved()) return;
  const bool reads_known_file = stage.reads_known_file || (event.next() && event.next()->is_piped);
  if (!event.is_checked() && !reads_known_file) return;  // `sed -n s/a/b/ FILE |`
  // `echo abc | grep -q b`: the question is what the commands of this system do.
  const bool is_own_text = event.is_checked() && event.until.front().prints_words;
  const bool asks_only = stage.drops_output || behaviour.never_selects;
  if (asks_only && (is_own_text || may_find_elsewhere(event.until))) return;
  if (behaviour.never_selects || (behaviour.is_filter && commands::is_silent(behaviour.output))) {
    return in.report_of_stage(in.finding("T102", stage.span,
                                         fmt::format("{} can never {} anything here", stage.name,
                                                     behaviour.never_selects ? "find" : "print")));
  }
  const Stage* next = event.next();
  if (behaviour.drops_usual && behaviour.is_filter && stage.is_piped && !asks_only) {
    return in.report_of_stage(in.finding(
        "T102", stage.span,
        fmt::format("{} drops everything that {} prints", stage.name,
                    stage.input.producer ? stage.input.producer->command : "comes here")));
  }
  const bool is_counted = next && next->behaviour.discards_order && !next->behaviour.needs_many;
  if (!behaviour.is_filter || !stage.is_piped || is_counted || stage.holds_setting) return;
  if (prints_only_empty_lines(stage) || empties_usual_lines(stage)) {
    in.report_of_stage(in.finding("T102", stage.span,
                                  fmt::format("{} can print only empty lines here", stage.name)));
  }
}

}  // namespace nacre::flow::rules
