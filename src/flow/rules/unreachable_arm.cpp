// T302: an arm of `case` that is never reached.
//
//   T302: case $1 in -*) echo option ;; -v) echo version ;; esac
//   quiet: case $1 in -v) echo version ;; -*) echo option ;; esac
//   T302: n=$(ls | wc -l)\ncase $n in none) echo 0 ;; *) echo "$n" ;; esac
//   quiet: n=$(ls | wc -l)\ncase $n in 0) echo none ;; *) echo "$n" ;; esac
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/advice.h"
#include "flow/rules/operands.h"
#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

void covered_pattern(const PatternEvent& event, RuleContext& in) {
  const auto example = regular::shortest(event.pattern, in.budget);
  if (example && !regular::contains(event.above.all, *example)) return;  // this settles most
  if (!regular::included(event.pattern, event.above.all, in.budget).yes()) return;
  Diagnostic result = in.finding("T302", event.word.span,
                                 "never reached: the patterns above match everything that this "
                                 "one does");
  if (example) result.counterexample = *example;
  const auto takes = [&](const auto& above) {
    return contains(above.second, example.value_or(""));
  };
  const auto& arms = event.above.arms;
  const auto above = std::find_if(arms.begin(), arms.end(), takes);
  if (above != arms.end()) {
    result.path.push_back(in.note(above->first->patterns[0].span, "this matches first"));
    // With the same commands for both, nothing but the text is wrong: `-x) ... ;; -*|--*)`.
    if (in.text(above->first->body.span) == in.text(event.arm.body.span)) {
      result.severity = Severity::kInfo;
      result.message =
          "redundant: the patterns above match everything that this one does, and do the same";
    }
  }
  in.report(std::move(result));
}

// An arm for values that the word never has, by its type alone.
void impossible_arm(const ArmEvent& event, RuleContext& in) {
  const auto& [node, arm, patterns, before] = event;
  if (!before.is_reachable || arm.patterns.empty()) return;
  Condition asked;
  asked.kind = Condition::Kind::kBinary;
  asked.op = shell::ConditionalOp::kEqual;
  asked.is_bracket = true;
  asked.left = node.subject;
  asked.right = &arm.patterns[0];
  const Value value = in.evaluator.value_again(*node.subject, before);
  const bool is_never = (!value.is_opaque || operands_of(node.subject->parts()).has_case) &&
                        !contains(patterns, "") &&
                        regular::disjoint(expansion_of(value), patterns, in.budget).yes() &&
                        is_constant_by_mistake(asked, before, in);
  const Span place = arm.patterns[0].span;
  if (!is_never) return in.pass("T302", place);
  Diagnostic result =
      in.finding("T302", place,
                 fmt::format("never reached: {} never has a value that this matches",
                             in.text(node.subject->span)));
  if (auto example = regular::shortest(value.strings, in.budget)) result.counterexample = *example;
  show_origin(result, value, in);
  in.pass("T302", place, std::move(result));
}

}  // namespace nacre::flow::rules
