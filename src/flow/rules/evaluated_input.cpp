// J102: `eval` runs what was read. `eval "$@"` is what the user asked for, and so is a whole line
// that the user types.
//
//   J102: while read -r line; do eval "x=$line"; done < config
//   quiet: while read -r line; do echo "x=$line"; done < config
//   quiet: read -r line\neval "$line"
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/advice.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void evaluated_input(const BuiltinEvent& event, RuleContext& in) {
  const Call& call = event.call;
  if (call.fields[0].argument.text != "eval") return;
  const auto is_foreign = [&](const Fragment& fragment) {
    return fragment.kind != FragmentKind::kList && fragment.value.is_tainted &&
           fragment.value.source == Source::kInput && !is_harmless_text(fragment.value, in);
  };
  for (const Field& field : std::span(call.fields).subspan(1)) {
    const auto foreign = std::find_if(field.fragments.begin(), field.fragments.end(), is_foreign);
    if (foreign == field.fragments.end()) continue;
    const bool is_whole = call.fields.size() == 2 && field.fragments.size() == 1;
    if (is_whole && foreign->value.is_typed) return;
    Diagnostic result = in.finding(
        "J102", foreign->span,
        fmt::format("{} was {}; eval runs the commands in it", in.text(foreign->span),
                    foreign->value.is_typed ? "typed in" : "read from a file or a pipe"));
    result.counterexample = injection(call.fields, *foreign);
    show_origin(result, foreign->value, in);
    return in.report(std::move(result));  // one is enough
  }
}

}  // namespace nacre::flow::rules
