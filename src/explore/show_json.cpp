#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "explore/show.h"

namespace nacre::explore {

using nlohmann::ordered_json;

namespace {

ordered_json facts_json(const auto& facts) {
  ordered_json result = ordered_json::array();
  for (const Fact& fact : facts)
    result.push_back({{"subject", fact.subject}, {"is", fact.answer}, {"text", fact.text()}});
  return result;
}

ordered_json outcome_json(const Report& report, const Outcome& outcome) {
  ordered_json result;
  result["how"] = outcome.how();
  result["status"] = outcome.status;
  result["line"] = outcome.last.line;
  result["span"] = {outcome.last.span.begin, outcome.last.span.end};
  result["command"] = outcome.last.text;
  result["message"] = outcome.message;
  result["deliberate"] = outcome.is_deliberate;
  result["rank"] = outcome.rank;
  result["deviations"] = outcome.deviations;
  result["runs"] = outcome.runs;
  result["if"] = condition_of(report, outcome);
  std::vector<Fact> condition;
  for (const auto& [question, answers] : outcome.condition) {
    if (!answers.are_all()) condition.push_back(fact_of(question.first, question.second, answers));
  }
  result["condition"] = facts_json(condition);
  result["before"] = facts_json(outcome.facts);
  result["changes"] = outcome.changes;
  return result;
}

}  // namespace

std::string show_json(const Report& report, const std::vector<Finding>& findings,
                      const ShowOptions& options) {
  ordered_json result;
  result["script"] = report.script;
  result["arguments"] = report.arguments;
  result["refusal"] = report.refusal;
  result["runs"] = report.runs;
  result["steps"] = report.steps;
  result["complete"] = report.is_complete();
  result["bounds"] = report.bounds;
  result["assumed"] = report.assumed;
  result["unmodelled"] = report.unmodelled;
  result["outcomes"] = ordered_json::array();
  for (size_t i = 0; i < report.outcomes.size(); ++i) {
    ordered_json outcome = outcome_json(report, report.outcomes[i]);
    if (i < options.scenes.size()) outcome["scene"] = options.scenes[i];
    result["outcomes"].push_back(std::move(outcome));
  }
  result["findings"] = ordered_json::array();
  for (const Finding& finding : findings) {
    result["findings"].push_back({{"code", finding.code},
                                  {"line", finding.place.line},
                                  {"span", {finding.place.span.begin, finding.place.span.end}},
                                  {"message", finding.message},
                                  {"rank", finding.rank},
                                  {"before", finding.before}});
  }
  return result.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace nacre::explore
