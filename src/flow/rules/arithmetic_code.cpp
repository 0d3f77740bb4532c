// J101: in arithmetic bash expands what a variable holds once more: a[$(reboot)] runs reboot. A
// user who sets the environment of a script can run commands anyway.
//
//   J101 bash: read -r n\necho $((n + 1))
//   quiet bash: read -r n\ncase $n in *[!0-9]*) exit 1 ;; esac\necho $((n + 1))
#include <fmt/format.h>

#include "flow/rules/advice.h"
#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

void arithmetic_code(const ArithmeticEvent& event, RuleContext& in) {
  const Value& value = event.value;
  if (!value.is_tainted || in.tree.dialect() != shell::Dialect::kBash) return;
  if (value.source == Source::kEnvironment) return;
  const Lang number = optional(in.languages.set(regular::CharSet::of("+-"))) +
                      star(in.languages.set(regular::CharSet::range('0', '9')));
  if (!regular::included(expansion_of(value), number, in.budget).no()) return;
  Diagnostic result = in.finding(
      "J101", event.span,
      fmt::format("{} comes from outside; arithmetic runs the commands in an array subscript; "
                  "check that it is a number first",
                  in.text(event.span)));
  result.counterexample = "a[$(reboot)]";
  show_origin(result, value, in);
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
