// X219: in double quotes, the variables of a trap are expanded when it is set, not when it runs.
//
//   X219: trap "rm -f $tmp" EXIT\ntmp=$(mktemp)
//   X219: file=\ntrap "rm -f $file" EXIT\nfile=/tmp/a\ntouch "$file"
//   X219 bash: cleanup_list=\ntrap "rm -f ${cleanup_list}" EXIT\ncleanup_list+=" a"
//   quiet: trap 'rm -f "$tmp"' EXIT\ntmp=$(mktemp)
//   quiet: tmp=$(mktemp)\ntrap "rm -f $tmp" EXIT
//   quiet: tmp=a\ntrap "rm -f $tmp" EXIT\ntmp=b\ntrap "rm -f $tmp" EXIT
//   quiet: trap "echo $1" EXIT
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void early_trap(const BuiltinEvent& event, RuleContext& in) {
  const auto& fields = event.call.fields;
  if (*fields[0].argument.text != "trap" || fields.size() < 3) return;
  for (const Fragment& fragment : fields[1].fragments) {
    if (!fragment.part || fragment.part->kind != shell::PartKind::kParameter) continue;
    const shell::Parameter& parameter = fragment.part->parameter();
    const Value& value = fragment.value;
    // Only a value that is not there yet is surely not the one that is meant.
    const bool is_missing = is_surely_unset(value) || (value.text && value.text->empty()) ||
                            (value.may_be_foreign && !value.is_assigned);
    if (parameter.kind != shell::ParameterKind::kVariable || !is_missing ||
        has_own_default(parameter))
      continue;
    const auto [begin, end] = in.survey.assignments.equal_range(parameter.name);
    const bool is_set_later = std::any_of(begin, end, [&](const auto& each) {
      return each.second.begin > event.call.node.span.begin;
    });
    const bool is_set_before = !value.text && std::any_of(begin, end, [&](const auto& each) {
      return each.second.begin < event.call.node.span.begin;
    });
    if (!is_set_later || is_set_before) continue;
    in.report(in.finding(
        "X219", fragment.span,
        fmt::format("{} is expanded when the trap is set, and is still empty then; put the command "
                    "into single quotes",
                    in.text(fragment.span))));
  }
}

}  // namespace nacre::flow::rules
