// X204: `[` is a command: without a blank after it another one is looked for, and its last word has
// to be `]`.
//
//   X204: if [$1 = a ]; then echo yes; fi
//   X204: ["$x" = a ] && echo yes
//   X204: if [ "$1" = a]; then echo yes; fi
//   X204: [ -f "$1" && -r "$1" ] && echo yes
//   quiet: if [ "$1" = a ]; then echo yes; fi
//   quiet: [ -f "$1" ] && [ -r "$1" ] && echo yes
//   quiet bash: if [[ $1 = a ]]; then echo yes; fi
//   quiet: echo [$1 = a ]
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void glued_bracket(const TextEvent& event, RuleContext& in) {
  const auto* simple = std::get_if<shell::SimpleCommand>(&event.command.node);
  if (!simple || simple->words.empty()) return;
  const shell::Word& first = simple->words[0];
  const std::string_view text = in.text(first.span);
  const std::string_view last = in.text(simple->words.back().span);
  if (text == "[" && last != "]") {
    return in.report(in.finding(
        "X204", simple->words.back().span,
        fmt::format("[ has no ]: its last word is {}, and ] has to be a word of its own", last)));
  }
  const bool is_glued = text.size() > 1 && text.starts_with('[') && text[1] != '[' &&
                        (last == "]" || last.ends_with(']')) && simple->words.size() > 1;
  if (!is_glued) return;
  Diagnostic result = in.finding(
      "X204", first.span, fmt::format("a space is missing after [: this runs a command {}", text));
  result.fixes.push_back(
      {"add a space", {{{first.span.begin + 1, first.span.begin + 1}, " "}}, false});
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
