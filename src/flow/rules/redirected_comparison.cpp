// X205: in `[ ]`, an unquoted < or > is a redirection.
//
//   X205: if [ "$1" > 5 ]; then echo more; fi
//   X205: [ "$a" < "$b" ] && echo less
//   X205: test "$1" > 10 && echo more
//   quiet: if [ "$1" -gt 5 ]; then echo more; fi
//   quiet: if [ -f "$1" ] > /dev/null; then echo file; fi
//   quiet: [ "$1" -gt 5 ] 2> /dev/null && echo more
//   quiet bash: if [[ "$1" > b ]]; then echo after; fi
//   quiet: [ "$a" \> "$b" ] && echo after
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void redirected_comparison(const TextEvent& event, RuleContext& in) {
  const auto* simple = std::get_if<shell::SimpleCommand>(&event.command.node);
  if (!simple || simple->words.size() < 2 || !simple->words[0].is_plain()) return;
  const std::string_view name = simple->words[0].literal();
  if (name != "[" && name != "test") return;
  for (const shell::Redirection& each : event.command.redirections) {
    const bool is_sign =
        each.op == shell::RedirectOp::kInput || each.op == shell::RedirectOp::kOutput;
    if (!is_sign || each.descriptor >= 0) continue;
    const std::string_view target = in.text(each.target.span);
    const bool is_number = !target.empty() && target.find_first_not_of("0123456789") == target.npos;
    const bool is_inside =
        name == "[" && each.span.end <= simple->words.back().span.begin && target != "/dev/null";
    if (!is_inside && !(name == "test" && is_number)) continue;
    const bool is_less = each.op == shell::RedirectOp::kInput;
    in.report(in.finding("X205", each.span,
                         fmt::format("this is a redirection: {}; numbers are compared with {}",
                                     is_less ? fmt::format("it reads the file {}", target)
                                             : fmt::format("it empties the file {}", target),
                                     is_less ? "-lt" : "-gt")));
  }
}

}  // namespace nacre::flow::rules
