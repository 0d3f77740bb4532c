// J105: text that others choose becomes a part of a program.
//
//   J105: find . -exec sh -c 'wc -l {}' \;
//   quiet: find . -exec sh -c 'wc -l "$1"' sh {} \;
//   J105: sh -c "rm $1"
//   quiet: sh -c 'rm "$1"' sh "$1"
//   J105: eval "name=$1"
//   quiet: eval "$1"
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/path.h"
#include "flow/call_words.h"
#include "flow/rules/advice.h"
#include "flow/rules/publish.h"
#include "shell/embedded.h"

namespace nacre::flow::rules {

namespace {

bool names_shell(const Field& field) {
  const auto& text = field.argument.text;
  return text && shell::dialect_named(base_name(*text)).has_value();
}

void report_part(const Fragment& fragment, std::span<const Field> program, RuleContext& in) {
  Diagnostic result = in.finding(
      "J105", fragment.span,
      fmt::format("{} comes from outside and becomes part of a program: commands in it are run",
                  in.text(fragment.span)));
  result.counterexample = injection(program, fragment);
  in.report(std::move(result));
}

// $1, or a variable that is nothing but a copy of it: anything else may have been quoted on the
// way.
bool is_argument(const Fragment& fragment, const RuleContext& in) {
  if (!fragment.part || fragment.part->kind != shell::PartKind::kParameter) return false;
  if (fragment.part->parameter().kind == shell::ParameterKind::kPositional) return true;
  const Value& held = in.values[fragment.value.from];
  return fragment.value.copied == fragment.part->parameter().name && !held.copied.empty() &&
         is_digit(held.copied[0]) && held.text_before.empty() && held.text_after.empty();
}

}  // namespace

// `find -exec sh -c 'wc {}'`, `xargs -I{} sh -c 'wc {}'`: the name of a file.
void file_name_in_program(const CallEvent& event, RuleContext& in) {
  const Call& call = event.call;
  if (!call.fields[0].argument.text) return;
  const bool is_xargs = has_model("xargs", call.fields[0], in.cards);
  std::string placeholder;
  for (size_t i = 0; i + 2 < call.fields.size(); i++) {
    const auto& text = call.fields[i].argument.text;
    const auto& next = call.fields[i + 1].argument.text;
    if (text == "-exec" || text == "-execdir" || text == "-ok") placeholder = "{}";
    if (is_xargs && text && text->starts_with("-I"))
      placeholder = text->size() > 2 ? text->substr(2) : next.value_or("");
    if (placeholder.empty() || !names_shell(call.fields[i]) || next != "-c") continue;
    const auto& program = call.fields[i + 2].argument;
    if (!program.text || program.text->find(placeholder) == std::string::npos) continue;
    Diagnostic result = in.finding("J105", program.span,
                                   "each file name becomes part of the program: commands in a name "
                                   "are run; pass it as an argument and use \"$1\"");
    result.counterexample = "./; reboot";
    in.report(std::move(result));
  }
}

// `sh -c "rm $1"`
void argument_in_program(const CallEvent& event, RuleContext& in) {
  const auto& fields = event.call.fields;
  if (!fields[0].argument.text ||
      in.evaluator.embedded_in(event.call.node, shell::EmbeddedKind::kShell))
    return;
  size_t at = 0;
  while (at < fields.size() && !names_shell(fields[at])) at++;
  if (at + 2 >= fields.size() || fields[at + 1].argument.text != "-c") return;
  const Field& program = fields[at + 2];
  if (program.fragments.size() < 2) return;  // the whole program is what was asked for
  for (const Fragment& fragment : program.fragments) {
    const bool is_foreign =
        fragment.value.source == Source::kInput || fragment.value.source == Source::kArgument;
    if (fragment.kind != FragmentKind::kExpansion || !fragment.value.is_tainted || !is_foreign)
      continue;
    if (!is_harmless_text(fragment.value, in))
      report_part(fragment, std::span(fields).subspan(at + 2), in);
  }
}

// `eval "name=$1"`: the argument of the script becomes a part of a text that has one of its own.
// The arguments of functions are chosen by the script.
void argument_in_eval(const BuiltinEvent& event, RuleContext& in) {
  const auto& fields = event.call.fields;
  if (fields[0].argument.text != "eval" || fields.size() != 2 || in.where.function) return;
  const Field& field = fields[1];
  if (field.fragments.size() < 2 || field.fragments[0].kind != FragmentKind::kLiteral) return;
  for (const Fragment& fragment : field.fragments) {
    const bool is_tainted = fragment.value.source == Source::kArgument && fragment.value.is_tainted;
    if (!is_argument(fragment, in) || !is_tainted || is_harmless_text(fragment.value, in)) continue;
    return report_part(fragment, fields, in);
  }
}

}  // namespace nacre::flow::rules
