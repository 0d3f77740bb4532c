// X218: `2>&1 > file` sends errors to where the output went before, not to the file.
//
//   X218: make all 2>&1 > build.log
//   X218: if ping -c1 host 2>&1 > /dev/null; then echo up; fi
//   X218: make all 2>&1 >> build.log
//   quiet: make all > build.log 2>&1
//   quiet: errors=$(make all 2>&1 > /dev/null)\necho "$errors"
//   quiet: make all 2>&1 > build.log | grep error
//   quiet: f() { make all 2>&1 > /dev/null; }\nerrors=$(f)\necho "$errors"
//   quiet: choice=$(dialog --menu x 0 0 0 a b 2>&1 > /dev/tty)\necho "$choice"
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void redirection_order(const OutputEvent& event, RuleContext& in) {
  if (!event.follows_errors) return;
  const Span place = event.redirection.span;
  // A function that is not called here may be one whose errors are read.
  const bool is_meant =
      event.is_read || in.where.is_in_uncalled || event.target.prefix.starts_with("/dev/tty");
  if (is_meant) return in.pass("X218", place);
  in.pass("X218", place,
          in.finding("X218", place,
                     fmt::format("errors are not written to {}: 2>&1 before it sends them to where "
                                 "the output went until then; put it last",
                                 in.text(event.redirection.target.span))));
}

}  // namespace nacre::flow::rules
