// X108, X109: an operand of `[ -gt ]` that may not be one number.
//
//   X108: n=$(wc -l < list)\n[ "$n" -gt 3 ] && echo many
//   quiet: n=$(cat list | wc -l)\n[ "$n" -gt 3 ] && echo many
//   X109: n=$(wc -l a b)\n[ "$(seq 1 3)" -gt 3 ] && echo many
//   quiet: [ "$(seq 3 3)" -gt 3 ] && echo many
#include <fmt/format.h>

#include "flow/rules/advice.h"
#include "flow/rules/operands.h"
#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

void several_lines(const NumberEvent& event, RuleContext& in) {
  if (!is_several_lines(event.value, in)) return;
  Diagnostic result =
      in.finding("X109", event.word.span,
                 fmt::format("{} is several lines, but a single number is needed here",
                             in.text(event.word.span)));
  result.counterexample = regular::shortest(event.value.strings, in.budget).value_or("");
  show_origin(result, event.value, in);
  in.report(std::move(result));
}

void missing_number(const NumberEvent& event, RuleContext& in) {
  const Value& value = event.value;
  if (!value.needs || value.is_opaque || value.text || value.source != Source::kCommand ||
      is_several_lines(value, in))
    return;
  const Lang number = integers(in.languages);
  if (!regular::included(value.strings, optional(number), in.budget).yes()) return;
  Diagnostic result =
      in.finding("X108", event.word.span,
                 fmt::format("{} is empty if {} does not exist, but a number is needed here",
                             in.text(event.word.span), in.text(*value.needs)));
  result.counterexample = "";
  result.path.push_back(in.note(*value.needs, "the script does not check that this file exists"));
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
