// X122: a loop over the lines of a text that has no newline at its end: `read` takes the last line
// and fails, so that the body does not see it.
//
//   X122: kubectl get pods -o jsonpath='{.items[*].metadata.name}' | while read -r x; do echo; done
//   X122: printf 'a,b,c' | tr , '\\n' | while read -r x; do echo "$x"; done
//   quiet: printf 'a,b,c,' | tr , '\\n' | while read -r x; do echo "$x"; done
//   quiet: printf 'a,b,c\\n' | tr , '\\n' | while read -r x; do echo "$x"; done
//   quiet: printf '%s' "$1" | while read -r x; do echo "$x"; done
//   quiet: kubectl get pods -o name | while read -r x; do echo "$x"; done
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void open_line(const BuiltinEvent& event, RuleContext& in) {
  const Call& call = event.call;
  if (call.fields[0].argument.text != "read" || call.io.reading_loop.empty() ||
      !call.io.input.lacks_newline)
    return;
  const std::string_view loop = in.text(call.io.reading_loop);
  const std::string_view condition = loop.substr(0, loop.find("do"));
  if (condition.find("||") != condition.npos || condition.find(" -d") != condition.npos) return;
  const bool is_one = call.io.input.count.most <= 1;
  in.report(in.finding("X122", call.fields[0].argument.span,
                       is_one ? "the text has no newline at its end: read fails at its only line, "
                                "and the body never runs"
                              : "the text has no newline at its end: read fails at its last line, "
                                "and the body never sees it"));
}

}  // namespace nacre::flow::rules
