// X225: `$10` is `$1` followed by a 0; the tenth argument is `${10}`.
//
//   X225: echo "$10"
//   X225: cp "$9" /backup/$11
//   X225: f() { x=$12; echo "$x"; }\nf a
//   X225: cat <<END\n$10\nEND
//   quiet: echo "${10}" "${1}0"
//   quiet: echo "$1-0" "$1"0 $1 0
//   quiet: awk '{ print $10 }' table
//   quiet: awk "{ print \$10 }" table
//   quiet: usleep $1000000
//   quiet: x=5\necho "$x10"
#include <fmt/format.h>

#include "base/ascii.h"
#include "flow/rules/publish.h"
#include "shell/visitor.h"

namespace nacre::flow::rules {

namespace {

// Longer numbers are meant as digits after the value: `$1000` are milliseconds.
bool has_one_digit_after(std::string_view script, uint32_t end) {
  const auto is_digit_at = [&](uint32_t at) { return at < script.size() && is_digit(script[at]); };
  return is_digit_at(end) && !is_digit_at(end + 1);
}

}  // namespace

void two_digits(const ScriptEvent&, RuleContext& in) {
  walk(in.tree.program(), shell::Visitor{[&](const shell::Part& part) {
         if (part.kind != shell::PartKind::kParameter) return;
         const shell::Parameter& node = part.parameter();
         if (node.kind != shell::ParameterKind::kPositional || node.has_braces ||
             node.position == 0 || !has_one_digit_after(in.file().bytes(), part.span.end))
           return;
         const Span place{part.span.begin, part.span.end + 1};
         const char digit = in.file().bytes()[part.span.end];
         Diagnostic result = in.finding(
             "X225", place,
             fmt::format(
                 "this is ${0} followed by {1}; the argument with this number is ${{{0}{1}}}",
                 node.name, digit));
         result.fixes = {
             {"add braces", {{place, fmt::format("${{{}{}}}", node.name, digit)}}, false}};
         in.report(std::move(result));
       }});
}

}  // namespace nacre::flow::rules
