// T301: the number of lines is compared with 0, but a heading is among them, so that it never is.
//
//   T301: if [ "$(docker ps | wc -l)" -eq 0 ]; then echo none; fi
//   quiet: if [ "$(docker ps -q | wc -l)" -eq 0 ]; then echo none; fi
//   T301: n=$(df -P | wc -l)\nif [ "$n" -gt 0 ]; then echo some; fi
//   quiet: n=$(df -P | wc -l)\nif [ "$n" -gt 1 ]; then echo some; fi
//   quiet: n=$(df -P | tail -n +2 | wc -l)\nif [ "$n" -gt 0 ]; then echo some; fi
#include <fmt/format.h>

#include "flow/rules/advice.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// Whether a count of lines is 0, or is not.
bool asks_for_none(shell::ConditionalOp op, std::string_view number) {
  using enum shell::ConditionalOp;
  if (number == "1") return op == kNumberLess || op == kNumberGreaterEqual;
  return number == "0" && (op == kEqual || op == kNotEqual || op == kNumberEqual ||
                           op == kNumberNotEqual || op == kNumberGreater || op == kNumberLessEqual);
}

void judge_count(const Condition& condition, const ConditionEvent& event, RuleContext& in) {
  for (const Condition& part : condition.parts) judge_count(part, event, in);
  if (condition.kind != Condition::Kind::kBinary || !condition.right->is_literal() ||
      !asks_for_none(condition.op, condition.right->literal()))
    return;
  const Value value = in.evaluator.value_again(*condition.left, event.before);
  if (!value.printed || !value.printed->producer || value.printed->kinds.size() != 1 ||
      value.printed->kinds[0].name != commands::kFramesCounted)
    return;
  Diagnostic result = in.finding(
      "T301", condition.left->span,
      fmt::format("{} prints a line in every run that is no row, a heading or a total, so "
                  "this is never 0",
                  value.printed->producer->command));
  show_origin(result, value, in);
  in.report(std::move(result));
}

}  // namespace

void counted_heading(const ConditionEvent& event, RuleContext& in) {
  judge_count(event.condition, event, in);
}

}  // namespace nacre::flow::rules
