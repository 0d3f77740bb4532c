// T120: a date with slashes in a file name: `> "log-$(date +%d/%m).txt"` wants a directory that is
// not there.
//
//   T120: d=$(date +%d/%m/%Y)\necho x > "log-$d.txt"
//   quiet: d=$(date +%d-%m-%Y)\necho x > "log-$d.txt"
//   quiet: d=$(date +%Y/%m)\nmkdir -p "logs/$d"\necho x > "logs/$d/today"
#include <fmt/format.h>

#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

namespace {

// A name that begins with constant text, goes on with what a command printed, and has a slash
// after that in any case.
bool has_slash_inside(Lang strings, const std::string& prefix, const RuleContext& in) {
  const std::string name = prefix.substr(prefix.rfind('/') + 1);
  if (name.empty() || prefix.empty()) return false;
  regular::Context& context = in.languages;
  const regular::CharSet slash = regular::CharSet::of('/');
  const Lang any = context.all();
  // Without what the command prints (it may fail) there is one name that has none.
  const Lang whole =
      strings & (context.literal(prefix) + star(context.set(slash.complement(context.alphabet()))));
  const auto alone = regular::shortest(whole, in.budget);
  const Lang others = alone ? strings - context.literal(*alone) : strings;
  if (alone && !regular::included(whole, context.literal(*alone), in.budget).yes()) return false;
  const Lang split = context.literal(prefix) +
                     plus(context.set(slash.complement(context.alphabet()))) +
                     context.literal("/") + any;
  return regular::is_empty(others, in.budget).no() &&
         regular::included(others, split, in.budget).yes();
}

void judge(Span span, Lang strings, const std::string& prefix, RuleContext& in) {
  if (!has_slash_inside(strings, prefix, in)) return;
  const auto example = regular::shortest(
      strings & (in.languages.all() + in.languages.literal("/") + in.languages.all()), in.budget);
  Diagnostic result = in.finding(
      "T120", span,
      fmt::format("this file name contains a slash, so its first part is taken for a directory: {}",
                  example.value_or("")));
  result.counterexample = example.value_or("");
  in.report(std::move(result));
}

}  // namespace

void slash_in_output(const OutputEvent& event, RuleContext& in) {
  const Value& target = event.target;
  if (target.is_opaque || target.text || target.captured == 0) return;
  judge(event.redirection.target.span, target.strings, target.prefix, in);
}

void slash_in_operand(const InvocationEvent& event, RuleContext& in) {
  for (const commands::GivenOption& given : event.invocation.options) {
    const std::string_view kind = given.spec->placeholder;
    if (!given.argument || given.argument->is_opaque || given.argument->text) continue;
    if (kind == "FILE" || kind == "ARCHIVE" || kind == "OUTPUT")
      judge(given.argument->span, given.argument->value, given.argument->prefix, in);
  }
}

}  // namespace nacre::flow::rules
