#include "explore/findings.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/codes.h"

namespace nacre::explore {

namespace {

constexpr std::string_view kAlways = "in every world";

// A command without a model was part of it: what that one really does is not known.
bool has_stub(const Outcome& outcome) {
  return std::any_of(outcome.decisions.begin(), outcome.decisions.end(),
                     [](const Decision& each) { return each.kind == Decision::kCommand; });
}

// What is worth telling of a world: not what the script would find anywhere.
std::string listed(const std::vector<Fact>& facts) {
  constexpr size_t kMaxFacts = 8;
  std::vector<std::string> texts;
  for (const Fact& fact : facts) texts.push_back(fact.text());
  const size_t all = texts.size();
  texts.resize(std::min(all, kMaxFacts));
  std::string result = fmt::format("{}", fmt::join(texts, ", "));
  return all > kMaxFacts ? fmt::format("{}, and {} more", result, all - kMaxFacts) : result;
}

std::string failure_of(const Outcome& outcome) {
  if (outcome.end == Run::kEndless) return "the loop never ends";
  if (!outcome.message.empty()) return outcome.message;
  return fmt::format("`{}` ends with status {}", outcome.last.text, outcome.status);
}

}  // namespace

std::string condition_of(const Report& report, const Outcome& outcome) {
  std::vector<Fact> special;
  for (const auto& [question, answers] : outcome.condition) {
    const auto& [kind, subject] = question;
    const bool is_common =
        std::all_of(report.outcomes.begin(), report.outcomes.end(),
                    [&, key = question, ours = answers](const Outcome& other) {
                      auto found = other.condition.find(key);
                      return found != other.condition.end() && found->second == ours;
                    });
    if (!is_common && !answers.are_all()) special.push_back(fact_of(kind, subject, answers));
  }
  if (special.empty())
    return report.outcomes.size() == 1 ? std::string(kAlways) : listed(outcome.facts);
  return listed(special);
}

std::vector<Finding> findings_of(const Report& report) {
  std::vector<Finding> result;
  for (size_t i = 0; i < report.outcomes.size(); ++i) {
    const Outcome& outcome = report.outcomes[i];
    const bool fails =
        (outcome.end == Run::kExited && outcome.status != 0) || outcome.end == Run::kEndless;
    if (!fails || outcome.is_deliberate || has_stub(outcome)) continue;
    const std::string condition = condition_of(report, outcome);
    result.push_back({"F202", report.script, outcome.last,
                      condition == kAlways
                          ? fmt::format("the script always fails here: {}", failure_of(outcome))
                          : fmt::format("the script fails here in a world with {}: {}", condition,
                                        failure_of(outcome)),
                      outcome.rank, condition, i});
  }
  // One for each command: the likeliest.
  std::stable_sort(result.begin(), result.end(), [](const Finding& a, const Finding& b) {
    return std::tuple(a.place.line, a.rank) < std::tuple(b.place.line, b.rank);
  });
  result.erase(
      std::unique(result.begin(), result.end(),
                  [](const Finding& a, const Finding& b) { return a.place.span == b.place.span; }),
      result.end());
  return result;
}

std::vector<Finding> findings_of_second_run(const Script& script, const Report& first,
                                            const Budget& budget, size_t worlds) {
  std::vector<Finding> result;
  std::set<std::pair<std::string, uint32_t>> seen;
  for (const Outcome& outcome : first.outcomes) {
    if (!outcome.succeeded() || worlds == 0 || has_stub(outcome)) continue;
    --worlds;
    Script again = script;
    again.unknown.clear();
    for (const Decision& each : outcome.decisions) {
      if (each.kind != Decision::kValue || each.answer().contents == kUnset) continue;
      const bool is_argument = each.subject[0] >= '1' && each.subject[0] <= '9';
      (is_argument ? again.arguments : again.environment)
          .push_back(is_argument ? each.answer().contents
                                 : each.subject + "=" + each.answer().contents);
    }
    const Report second = report_on(again, outcome.after, budget);
    for (const Outcome& repeated : second.outcomes) {
      if (repeated.end != Run::kExited || has_stub(repeated)) continue;
      const bool fails = repeated.status != 0;
      if (!fails && repeated.changes.empty()) continue;
      const Place& place = fails ? repeated.last : repeated.changed;
      if (!seen.emplace(fails ? "F201" : "F203", place.line).second) continue;
      const std::string world = listed(outcome.facts);
      std::string message =
          fails ? fmt::format("the script fails here when it runs a second time: {}",
                              failure_of(repeated))
                : fmt::format("a second run changes something again: {}", repeated.changes[0]);
      result.push_back({fails ? "F201" : "F203", script.name, place, std::move(message),
                        outcome.rank + repeated.rank, world, std::nullopt});
    }
  }
  return result;
}

std::vector<Finding> all_findings(const Script& script, const Report& report, const Budget& budget,
                                  size_t worlds) {
  std::vector<Finding> result = findings_of(report);
  for (Finding& again : findings_of_second_run(script, report, budget, worlds)) {
    std::erase_if(result, [&](const Finding& first) {
      return again.code == "F201" && first.place.span == again.place.span;
    });
    result.push_back(std::move(again));
  }
  return result;
}

Diagnostic diagnostic_of(const Finding& finding, const SourceFile& file) {
  Diagnostic result =
      nacre::finding(finding.code, file, finding.place.span, finding.message, Confidence::kCertain);
  if (finding.rank == 1 && result.severity == Severity::kWarning) result.severity = Severity::kInfo;
  if (finding.rank > 1) result.severity = Severity::kStyle;
  result.counterexample = finding.before;
  return result;
}

}  // namespace nacre::explore
