// X212: $@ without quotes: each argument is split at blanks, and empty ones are lost.
//
//   X212: cp $@ /srv
//   X212: exec env A=1 $@
//   X212: f() { grep -r x $*; }\nf "a b"
//   quiet: cp "$@" /srv
//   quiet: echo $@
//   quiet: f() { grep -r x $*; }\nf a b
//   quiet: IFS=:\ncp $* /srv
//   quiet: args=$*\neval "$args"
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

bool is_all_arguments(const Fragment& fragment) {
  if (fragment.is_quoted || !fragment.part || fragment.part->kind != shell::PartKind::kParameter)
    return false;
  const shell::Parameter& parameter = fragment.part->parameter();
  return (parameter.name == "@" || parameter.name == "*") &&
         parameter.op == shell::ParameterOp::kNone;
}

}  // namespace

void split_arguments(const CallEvent& event, RuleContext& in) {
  const auto& fields = event.call.fields;
  const auto words = event.words.empty() ? std::span<const Field>(fields) : event.words;
  const std::string name = words[0].argument.text.value_or("");
  const commands::Card* card = in.cards.find(name);
  // What only prints its words puts blanks between them anyway.
  if ((card && card->echoes) || name == "eval" || name == "set" || name == "[" || name == "test")
    return;
  const std::string separators = field_separators(in.value("IFS", event.call.environment));
  if (separators.find(' ') == std::string::npos) return;
  for (const Field& field : fields) {
    if (field.fragments.size() != 1 || !is_all_arguments(field.fragments[0])) continue;
    const Fragment& fragment = field.fragments[0];
    if (!may_split(fragment, separators)) continue;
    Diagnostic result = in.finding(
        "X212", fragment.span,
        fmt::format("unquoted {} splits every argument at whitespace and drops empty ones; write "
                    "\"$@\"",
                    in.text(fragment.span)));
    result.counterexample = "a b";
    // A script that writes $* may want the words.
    if (fragment.part->parameter().name == "*") result.severity = Severity::kInfo;
    result.fixes.push_back({"pass the arguments unchanged", {{fragment.span, "\"$@\""}}, false});
    in.report(std::move(result));
  }
}

}  // namespace nacre::flow::rules
