// X226: `[ -f *.txt ]` takes one name: with several files it fails, and in `[[ ]]` the pattern is
// not expanded at all.
//
//   X226: if [ -f *.txt ]; then echo some; fi
//   X226 bash: [[ -e build/*.o ]] && echo built
//   X226: [ -d "$1"/lib* ] && echo libraries
//   quiet: if [ -f a.txt ]; then echo some; fi
//   quiet: [ -f "*.txt" ] || echo none
//   quiet bash: [[ $1 == *.txt ]] && echo text
//   quiet: [ -n "$(ls *.txt)" ] && echo some
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

void judge_pattern(const Condition& condition, RuleContext& in) {
  for (const Condition& part : condition.parts) judge_pattern(part, in);
  const bool asks_file =
      condition.kind == Condition::Kind::kUnary &&
      std::string_view("efdrwxsLhbcpSugkOGN").find(condition.letter) != std::string_view::npos;
  if (!asks_file) return;
  bool has_star = false;
  for (const shell::Part& part : condition.left->parts())
    has_star |= part.kind == shell::PartKind::kGlob && part.text() == "*";
  if (!has_star) return;
  in.report(in.finding(
      "X226", condition.left->span,
      condition.is_bracket
          ? fmt::format("{} is not expanded in [[ ]]: this tests for a file with exactly that name",
                        in.text(condition.left->span))
          : fmt::format("if several files match {}, [ gets too many words and fails; use a loop",
                        in.text(condition.left->span))));
}

}  // namespace

void pattern_as_file(const ConditionEvent& event, RuleContext& in) {
  judge_pattern(event.condition, in);
}

}  // namespace nacre::flow::rules
