#include "flow/rules/variable_reads.h"

#include "flow/rules/question.h"
#include "flow/rules/variable_names.h"

namespace nacre::flow {

bool reads_lost_value(const ParameterEvent& event, const RuleContext& in) {
  const auto name = in.names.find(event.node.name);
  if (!name) return false;
  const auto lost = event.environment.lost->find(*name);
  if (lost == event.environment.lost->end() ||
      in.id_of(event.node.name, event.environment) != lost->second.kept)
    return false;
  // Another function may mean another variable of that name.
  return !in.where.function || in.where.function == lost->second.function;
}

bool is_plain_read(const ParameterEvent& event, const RuleContext& in) {
  return event.is_variable() && !has_own_default(event.node) && !in.where.is_in_uncalled &&
         !event.environment.has_unknown_code && !reads_lost_value(event, in);
}

bool is_foreign(const Value& value) { return value.may_be_foreign && !value.is_assigned; }

bool is_expected(const ParameterEvent& event, const RuleContext& in) {
  // Under set -u a script that asks whether there is a DISPLAY does not get the answer.
  const bool is_asked = event.environment.options.nounset == Known::kYes &&
                        asks_for_emptiness(in.where.asking) && !is_set_by_shells(event.node.name);
  return is_well_known(event.node.name) && !is_asked;
}

bool is_first_unset(const ParameterEvent& event, RuleContext& in) {
  return !in.survey.is_set_alike(event.node.name, event.span) &&
         in.is_first("unset " + std::string(event.node.name));
}

}  // namespace nacre::flow
