// X211: a ~ in quotes is a file name with a tilde, not the home directory.
//
//   X211: cd "~/src"
//   X211: config="~/.config/app"\ncat "$config"
//   X211: if [ -f "~/.profile" ]; then echo there; fi
//   X211: echo done > "~/log"
//   quiet: cd ~/src
//   quiet: cd "$HOME/src"
//   quiet: echo "~/src is where sources are"
//   quiet: case $1 in "~/"*) echo home ;; esac
//   quiet: [ "$1" = "~/src" ] && echo home
//   quiet: grep "~/src" list
#include <fmt/format.h>

#include "commands/check_arguments.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

bool is_tilde_path(std::string_view text) { return text == "~" || text.starts_with("~/"); }

void report_tilde(Span place, std::string_view text, RuleContext& in) {
  in.report(in.finding(
      "X211", place,
      fmt::format("{} is a name that begins with a tilde: in quotes, ~ is not the home directory; "
                  "write \"$HOME{}\"",
                  text, text.substr(1))));
}

void judge_tilde(const Condition& condition, const ConditionEvent& event, RuleContext& in) {
  for (const Condition& part : condition.parts) judge_tilde(part, event, in);
  const bool asks_file =
      condition.kind == Condition::Kind::kUnary &&
      std::string_view("efdrwxsLhbcpSugkOGN").find(condition.letter) != std::string_view::npos;
  if (!asks_file) return;
  const Value value = in.evaluator.value_again(*condition.left, event.before);
  if (value.text && is_tilde_path(*value.text)) report_tilde(condition.left->span, *value.text, in);
}

}  // namespace

void tilde_operand(const InvocationEvent& event, RuleContext& in) {
  const auto& operands = event.invocation.operands;
  for (size_t i = 0; i < operands.size(); i++) {
    const auto* spec = commands::operand_spec(*event.invocation.card, i, operands.size());
    const bool is_file = spec != nullptr && (spec->kind == commands::OperandKind::kFile ||
                                             commands::is_path(spec->kind));
    if (is_file && operands[i].text && is_tilde_path(*operands[i].text))
      report_tilde(operands[i].span, *operands[i].text, in);
  }
}

void tilde_directory(const BuiltinEvent& event, RuleContext& in) {
  const auto& fields = event.call.fields;
  if (*fields[0].argument.text != "cd" || fields.size() < 2) return;
  const auto& text = fields.back().argument.text;
  if (text && is_tilde_path(*text)) report_tilde(fields.back().argument.span, *text, in);
}

void tilde_output(const OutputEvent& event, RuleContext& in) {
  if (event.target.text && is_tilde_path(*event.target.text))
    report_tilde(event.redirection.target.span, *event.target.text, in);
}

void tilde_condition(const ConditionEvent& event, RuleContext& in) {
  judge_tilde(event.condition, event, in);
}

}  // namespace nacre::flow::rules
