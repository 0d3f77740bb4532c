// X106: a subshell or a stage of a pipeline changed only its own copy of a variable.
//
//   X106: n=0\nls | while read -r f; do n=$((n + 1)); done\necho "$n"
//   quiet: n=0\nfor f in *; do n=$((n + 1)); done\necho "$n"
#include <fmt/format.h>

#include "flow/rules/publish.h"
#include "flow/rules/variable_reads.h"

namespace nacre::flow::rules {

void lost_value(const ParameterEvent& event, RuleContext& in) {
  // ${#x[@]} is of a missing array, too.
  const bool counts = event.node.op == shell::ParameterOp::kLength;
  if (!event.is_variable() || (has_own_default(event.node) && !counts)) return;
  if (!reads_lost_value(event, in)) return;
  const Lost& lost = event.environment.lost->at(*in.names.find(event.node.name));
  if (!in.is_first(fmt::format("lost at {}", lost.span.begin))) return;
  Diagnostic result = in.finding(
      "X106", event.span,
      fmt::format("{} has its old value: a pipeline changed only its own copy", event.node.name));
  result.path.push_back(in.note(lost.span, "this is lost when the pipeline ends"));
  if (lost.is_group) {  // the parentheses may be there for that
    result.severity = Severity::kInfo;
    result.message = fmt::format("{} has its old value: the subshell changed only its own copy",
                                 event.node.name);
    result.path.back().message = "this is lost when the subshell ends";
  }
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
