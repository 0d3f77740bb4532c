// X104: set -u ends the script at a place that wants to know whether a value is there, or copes
// without it elsewhere.
//
//   X104: set -u\nif [ -z "$1" ]; then echo usage; exit 1; fi
//   quiet: set -u\nif [ -z "${1:-}" ]; then echo usage; exit 1; fi
//   X104: set -u\n[ -n "$DISPLAY" ] && xterm
//   quiet: set -u\n[ -n "${DISPLAY:-}" ] && xterm
//   X104: set -u\nfile=$1\n[ -n "$file" ] || exit 1
//   quiet: set -u\nfile=${1:-}\n[ -n "$file" ] || exit 1
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/publish.h"
#include "flow/rules/question.h"
#include "flow/rules/variable_names.h"
#include "flow/rules/variable_reads.h"

namespace nacre::flow::rules {

namespace {

// Not safe: the script goes on where it ended, and what comes then may be meant for a value.
Fix empty_default(const ParameterEvent& event) {
  return {"use an empty default", {{event.span, fmt::format("${{{}:-}}", event.node.name)}}, false};
}

// `[ "$KIND" = static ]`: the caller of the script sets it.
bool is_compared(const ParameterEvent& event, const RuleContext& in) {
  const Condition* asking = in.where.asking;
  if (!is_foreign(event.value) || !asking || asking->kind != Condition::Kind::kBinary ||
      asks_only_for_emptiness(asking, in.tree))
    return false;
  const std::string_view left = in.text(asking->left->span);
  return left.find_first_not_of("\"") == left.find('$');
}

// The author wants the script to end here without a value.
bool is_meant(const ParameterEvent& event, const RuleContext& in) {
  const std::string_view name = event.node.name;
  const bool foreign = is_foreign(event.value);
  return (!asks_for_emptiness(in.where.asking) || compares_expansions(in.where.asking) ||
          is_compared(event, in)) &&
         !in.survey.defaulted.contains(name) && in.where.assigning != name &&
         !is_surely_unset(event.value) && !(foreign && in.survey.assigned.contains(name)) &&
         !(foreign && has_lower_case(name) && is_misspelled(name, in));
}

}  // namespace

void nounset_variable(const ParameterEvent& event, RuleContext& in) {
  const std::string_view name = event.node.name;
  if (event.environment.options.nounset != Known::kYes || !event.value.may_be_unset ||
      event.node.subscript || !is_plain_read(event, in) || is_expected(event, in))
    return;
  // `export x="$x"` makes sure that it is there.
  if (is_foreign(event.value) && !in.survey.assigned.contains(name) &&
      in.survey.assignments.contains(name))
    return;
  const auto may_have_set = [&](const shell::Function* each) {  // by a call that is not followed
    return each->name->span == event.value.origin;
  };
  const auto& functions = in.script.known_functions;
  if (is_meant(event, in) || std::any_of(functions.begin(), functions.end(), may_have_set)) return;
  if (!is_first_unset(event, in)) return;
  Diagnostic result = in.finding("X104", event.span,
                                 fmt::format("set -u ends the script here if {} is not set", name));
  if (event.node.op == shell::ParameterOp::kNone) result.fixes.push_back(empty_default(event));
  in.report(std::move(result));
}

// `[ -z "$2" ]`
void nounset_argument(const ParameterEvent& event, RuleContext& in) {
  if (event.is_variable() || !event.value.may_be_unset ||
      event.environment.options.nounset != Known::kYes ||
      event.node.op != shell::ParameterOp::kNone || in.where.is_in_uncalled ||
      !asks_only_for_emptiness(in.where.asking, in.tree))
    return;
  Diagnostic result =
      in.finding("X104", event.span,
                 fmt::format("set -u ends the script here if ${} is missing", event.node.name));
  result.fixes.push_back(empty_default(event));
  in.report(std::move(result));
}

// `x=$1`: without a $1 the script never gets to ask whether x is empty. A caller who passes the
// last of the arguments passes all, and some of them may well be empty.
void late_argument_check(const ParameterEvent& event, RuleContext& in) {
  const Value& value = event.value;
  if (!event.is_variable() || has_own_default(event.node) || value.required == 0 ||
      value.required != in.script.max_required ||
      !asks_only_for_emptiness(in.where.asking, in.tree) || reads_lost_value(event, in))
    return;
  Diagnostic result = in.finding(
      "X104", event.span,
      fmt::format("this check comes too late: without the argument for {}, set -u has already "
                  "ended the script",
                  event.node.name));
  if (!value.origin.empty()) result.path.push_back(in.note(value.origin, "it ends here"));
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
