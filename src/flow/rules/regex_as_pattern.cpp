// T111: a regular expression where the shell takes a pattern of file names: an arm of `case`, or
// the right side of == in [[ ]]. There ^, $ and + are ordinary characters.
//
//   T111: case $1 in ^[0-9]+$) echo number ;; esac
//   T111 bash: if [[ $1 == ^v[0-9].*$ ]]; then echo version; fi
//   quiet: case $1 in [0-9]*) echo number ;; ^*) echo caret ;; *\$) echo dollar ;; esac
//   quiet bash: if [[ $1 =~ ^[0-9]+$ ]]; then echo number; fi
//   quiet bash: if [[ $1 == '^[0-9]+$' ]]; then echo itself; fi
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// Anchored, and with a repetition or the other anchor.
bool reads_like_regex(std::string_view text) {
  if (!text.starts_with('^') || text.find_first_of("'\"\\`") != text.npos) return false;
  const bool repeats = text.find(")+") != text.npos || text.find("]+") != text.npos ||
                       text.find(".*") != text.npos || text.find("]{") != text.npos;
  return repeats || (text.size() > 2 && text.ends_with('$'));
}

void judge_text(Span span, RuleContext& in) {
  if (reads_like_regex(in.text(span)))
    in.report(in.finding("T111", span,
                         "this is a regular expression, but the shell reads it as a pattern, where "
                         "^, $ and + are ordinary characters"));
}

void judge_sides(const Condition& condition, RuleContext& in) {
  for (const Condition& part : condition.parts) judge_sides(part, in);
  const bool is_match = condition.kind == Condition::Kind::kBinary &&
                        (condition.op == shell::ConditionalOp::kEqual ||
                         condition.op == shell::ConditionalOp::kNotEqual);
  if (is_match && condition.is_bracket) judge_text(condition.right->span, in);
}

}  // namespace

void regex_in_case(const PatternEvent& event, RuleContext& in) { judge_text(event.word.span, in); }

void regex_in_condition(const ConditionEvent& event, RuleContext& in) {
  judge_sides(event.condition, in);
}

}  // namespace nacre::flow::rules
