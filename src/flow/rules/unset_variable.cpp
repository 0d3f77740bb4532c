// X102, X110: a variable that nothing has set where it is read. X102 is for names that the script
// sets elsewhere or that look like a typing error; X110 for those that the environment may have.
//
//   X102: #!/bin/sh\nresult=1\necho "$reslut"
//   quiet: #!/bin/sh\nresult=1\necho "$result"
//   X110: #!/bin/sh\ncp a "$TARGET_DIRECTORY"
//   quiet: #!/bin/sh\ncp a "${TARGET_DIRECTORY:-/srv}"
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/publish.h"
#include "flow/rules/question.h"
#include "flow/rules/variable_names.h"
#include "flow/rules/variable_reads.h"

namespace nacre::flow::rules {

namespace {

void report_unset(std::string_view code, const ParameterEvent& event, RuleContext& in) {
  Diagnostic result = in.finding(
      code, event.span,
      fmt::format("${} is never assigned before this; it is empty unless set in the environment",
                  event.node.name));
  if (const std::string near = nearest_name(event.node.name, in); !near.empty())
    result.notes.push_back(in.note(event.span, fmt::format("did you mean {}?", near)));
  in.report(std::move(result));
}

}  // namespace

void unset_variable(const ParameterEvent& event, RuleContext& in) {
  const std::string_view name = event.node.name;
  const Condition* asking = in.where.asking;
  if (!is_foreign(event.value) || !is_plain_read(event, in) || is_well_known(name) ||
      event.environment.options.nounset == Known::kYes || in.where.assigning == name ||
      asks_for_emptiness(asking))
    return;
  const bool is_assigned = in.survey.assigned.contains(name);
  if (in.survey.defaulted.contains(name) && !is_assigned) return;
  if (in.survey.passed.contains(name)) return;
  const bool is_upper_case = !has_lower_case(name);
  if (in.survey.fallbacks.contains(name) && !is_assigned && is_upper_case) return;
  const bool is_typo = !is_assigned && is_misspelled(name, in);
  // A condition copes with a missing value, but for a number that is compared.
  if (is_upper_case && asking && !(is_typo && asks_for_number(asking))) return;
  // A file that does not start by itself is a piece of something that knows its variables.
  if (!in.script.is_program && !is_assigned && !is_typo) return;
  if (!is_first_unset(event, in)) return;
  const bool is_own = is_assigned && !is_upper_case;
  report_unset(is_own || is_typo ? "X102" : "X110", event, in);
}

// Code that is not known may have set any variable, and a script that asks for one may expect it
// from outside; a name one typing error from one of the script's own is a mistake all the same, if
// it is long enough to tell.
void misspelled_variable(const ParameterEvent& event, RuleContext& in) {
  constexpr size_t kMinLength = 6;
  const std::string_view name = event.node.name;
  if (!event.is_variable() || has_own_default(event.node) || in.where.is_in_uncalled ||
      !is_foreign(event.value) || name.size() < kMinLength || is_well_known(name) ||
      reads_lost_value(event, in))
    return;
  const bool asks = asks_for_emptiness(in.where.asking);
  const bool is_unknown = event.environment.has_unknown_code;
  // `[ -n "$reslut" ]`; a name in upper case may come from outside.
  const bool is_open = !is_unknown && event.environment.options.nounset != Known::kYes &&
                       in.where.assigning != name && has_lower_case(name);
  if (is_unknown ? asks : !(asks && is_open)) return;
  if (in.survey.assigned.contains(name) || in.survey.defaulted.contains(name) ||
      in.survey.fallbacks.contains(name) || !is_misspelled(name, in))
    return;
  const std::string near = nearest_name(name, in);
  if (!in.survey.assigned.contains(near) && !in.survey.reads.contains(near)) return;
  if (in.is_first("unset " + std::string(name))) report_unset("X102", event, in);
}

// `x=1; unset x; echo "$x"`. With an assignment between, it may be one that is not run today.
void emptied_variable(const ParameterEvent& event, RuleContext& in) {
  const Value& value = event.value;
  if (!in.survey.unset.contains(event.node.name) || !is_plain_read(event, in) ||
      is_well_known(event.node.name) || event.environment.options.nounset == Known::kYes ||
      in.where.assigning == event.node.name)
    return;
  const auto is_before = [&](const auto& entry) { return entry.second.end <= value.origin.begin; };
  const auto is_between = [&](const auto& entry) {
    return value.origin.end <= entry.second.begin && entry.second.begin < event.span.begin;
  };
  const auto [begin, end] = in.survey.assignments.equal_range(event.node.name);
  const bool is_gone = is_surely_unset(value) && std::any_of(begin, end, is_before) &&
                       std::none_of(begin, end, is_between);
  if (asks_for_emptiness(in.where.asking) || !is_gone) return in.pass("X102", event.span);
  Diagnostic result = in.finding(
      "X102", event.span, fmt::format("${} is empty: it was unset before this", event.node.name));
  result.path.push_back(in.note(value.origin, "it is unset here"));
  in.pass("X102", event.span, std::move(result));
}

// `f() { cp "$1" /srv; }`, and no call of f passes an argument. What is copied may be looked at
// later.
void missing_function_argument(const ParameterEvent& event, RuleContext& in) {
  const shell::Function* function = in.where.function;
  if (event.is_variable() || !function || in.where.is_in_uncalled ||
      event.environment.has_unknown_code)
    return;
  if (has_own_default(event.node) || asks_for_emptiness(in.where.asking) ||
      !in.where.assigning.empty())
    return;
  if (!is_surely_unset(event.value)) return in.pass("X102", event.span);
  Diagnostic result = in.finding("X102", event.span,
                                 fmt::format("{} is empty: no call of {} passes this argument",
                                             in.text(event.span), function->name->text));
  if (in.where.elsewhere == 0 && !in.where.function_call.empty())
    result.path.push_back(in.note(in.where.function_call, "called here"));
  in.pass("X102", event.span, std::move(result));
}

}  // namespace nacre::flow::rules
