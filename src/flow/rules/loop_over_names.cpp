// X215: `for f in $(find ...)` iterates over words, not lines: a file name with a space is split,
// and one with a * is replaced by other names.
//
//   X215: for f in $(find . -name '*.txt'); do rm "$f"; done
//   X215: for f in $(ls); do echo "$f"; done
//   X215: for f in `ls *.c | sort`; do cc -c "$f"; done
//   quiet: find . -name '*.txt' -exec rm {} +
//   quiet: for f in *; do echo "$f"; done
//   quiet: for i in $(seq 9); do echo "$i"; done
//   quiet: for n in $(ls | wc -l); do echo "$n"; done
//   quiet: IFS='\n'\nfor f in $(find .); do echo "$f"; done
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void loop_over_names(const ForEvent& event, RuleContext& in) {
  const std::string separators = field_separators(in.value("IFS", event.environment));
  if (separators.find(' ') == std::string::npos) return;
  for (const Field& field : event.fields) {
    for (const Fragment& fragment : field.fragments) {
      if (fragment.is_quoted || !fragment.value.is_file_names || !fragment.part ||
          fragment.part->kind != shell::PartKind::kCommand)
        continue;
      if (!may_split(fragment, " ")) continue;
      Diagnostic result = in.finding(
          "X215", fragment.span,
          "the loop iterates over words, not lines: a file name with a space is split; use a "
          "pattern (for f in *) or find -exec");
      result.counterexample = "a b";
      in.report(std::move(result));
    }
  }
}

}  // namespace nacre::flow::rules
