// X122: a loop over the lines of a text that has no newline at its end: `read` takes the last line
// and fails, so that the body does not see it.
//
//   X122: kubectl get pods -o jsonpath='{.items[*].metadata.name}' | while read -r x; do echo; done
//   quiet: kubectl get pods -o name | while read -r x; do echo "$x"; done
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void open_line(const BuiltinEvent& event, RuleContext& in) {
  const Call& call = event.call;
  if (call.fields[0].argument.text != "read" || call.io.reading_loop.empty() ||
      !call.io.input.lacks_newline || call.io.input.count.most > 1)
    return;
  const std::string_view loop = in.text(call.io.reading_loop);
  const std::string_view condition = loop.substr(0, loop.find("do"));
  if (condition.find("||") != condition.npos || condition.find(" -d") != condition.npos) return;
  in.report(in.finding("X122", call.fields[0].argument.span,
                       "the text has no newline at its end: read fails at its only line, and the "
                       "body never runs"));
}

}  // namespace nacre::flow::rules
