// X222: a comparison without `[ ]`: the shell runs its left side as a command.
//
//   X222: if $verbose == true; then echo hello; fi
//   X222: if "$1" = yes; then echo yes; fi
//   X222: while $count -lt 5; do count=$((count + 1)); done
//   quiet: if $verbose; then echo hello; fi
//   quiet: if [ "$1" = yes ]; then echo yes; fi
//   quiet: $test "$1" = yes
//   quiet: $compare -o out a b
#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

constexpr std::string_view kComparisons[] = {"=",   "==",  "!=",  "-eq", "-ne",
                                             "-lt", "-le", "-gt", "-ge", "=~"};

}  // namespace

void missing_bracket(const TextEvent& event, RuleContext& in) {
  const auto* simple = std::get_if<shell::SimpleCommand>(&event.command.node);
  if (!simple || simple->words.size() != 3 || !simple->words[1].is_plain()) return;
  const shell::Word& left = simple->words[0];
  const std::string_view sign = simple->words[1].literal();
  if (left.is_literal() ||
      std::find(std::begin(kComparisons), std::end(kComparisons), sign) == std::end(kComparisons))
    return;
  in.report(in.finding("X222", {left.span.begin, simple->words.back().span.end},
                       fmt::format("this runs {} as a command: a comparison needs [ ] around it",
                                   in.text(left.span))));
}

}  // namespace nacre::flow::rules
