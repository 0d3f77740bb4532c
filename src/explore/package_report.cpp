#include "explore/package_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "explore/open_scene.h"
#include "explore/prepare.h"

namespace nacre::explore {

using nlohmann::ordered_json;

namespace {

ordered_json scenario_json(const ScenarioResult& result) {
  ordered_json json;
  json["coverage"] = result.coverage();
  json["runs"] = result.runs;
  json["steps"] = result.steps;
  json["ends"] = ordered_json::object();
  for (const StateResult& end : result.ends)
    json["ends"][end.label] = {{"worlds", end.worlds}, {"rank", end.rank.value_or(0)}};
  json["states"] = result.states;
  json["problems"] = result.problems;
  json["unmodelled"] = result.unmodelled;
  json["representatives"] = result.representatives;
  json["findings"] = ordered_json::array();
  for (const Finding& each : result.findings) {
    json["findings"].push_back({{"code", each.code},
                                {"script", each.script},
                                {"line", each.place.line},
                                {"message", each.message},
                                {"rank", each.rank},
                                {"before", each.before}});
  }
  return json;
}

ordered_json scripts_json(const Package& package) {
  ordered_json json = ordered_json::object();
  for (const auto& [name, file] : package.scripts) {
    World world = open_world();
    auto script = prepare(file, Given(), world);
    json[name] = {{"accepted", script.has_value()},
                  {"reason", script ? "" : script.error().message}};
  }
  return json;
}

std::string percent(size_t part, size_t whole) {
  return whole == 0 ? "-" : fmt::format("{:.0f} %", 100.0 * double(part) / double(whole));
}

// Counts by name, the most frequent first.
std::vector<std::pair<std::string, double>> ordered(const std::map<std::string, double>& counts) {
  std::vector<std::pair<std::string, double>> result(counts.begin(), counts.end());
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return result;
}

struct Totals {
  size_t packages = 0, scripts = 0, accepted = 0, scenarios = 0, complete = 0, partial = 0,
         exact = 0;
  size_t runs = 0, warnings = 0;
  std::map<std::string, double> findings, reasons, unmodelled;
  std::map<std::string, std::map<std::string, size_t>> ends;

  void add(const ordered_json& document) {
    ++packages;
    for (const auto& [name, script] : document.at("scripts").items()) {
      ++scripts;
      accepted += script.at("accepted").get<bool>() ? 1 : 0;
    }
    for (const auto& [name, scenario] : document.at("scenarios").items()) {
      ++scenarios;
      const std::string coverage = scenario.at("coverage");
      complete += coverage == "complete" ? 1 : 0;
      partial += coverage == "partial" ? 1 : 0;
      exact += coverage == "complete" && scenario.at("representatives").empty() ? 1 : 0;
      runs += scenario.at("runs").get<size_t>();
      for (const auto& [end, state] : scenario.at("ends").items()) ++ends[name][end];
      for (const auto& problem : scenario.at("problems")) ++reasons[problem];
      const auto& missing = scenario.at("unmodelled");
      for (const auto& command : missing) unmodelled[command] += 1.0 / double(missing.size());
      for (const auto& each : scenario.at("findings")) {
        const auto rank = each.at("rank").get<unsigned>();
        ++findings[fmt::format("{} rank {}", each.at("code").get<std::string>(), rank)];
        warnings += rank == 0 ? 1 : 0;
      }
    }
  }
};

}  // namespace

std::string package_json(const Package& package, const PackagePlan& plan) {
  ordered_json json;
  json["package"] = package.name;
  json["version"] = package.version;
  json["scripts"] = scripts_json(package);
  json["scenarios"] = ordered_json::object();
  for (const Scenario* scenario : plan.scenarios) {
    if (!scenario->applies_to(package)) continue;
    json["scenarios"][scenario->name] =
        scenario_json(play_scenario(*scenario, package, plan.budget));
  }
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

bool is_current(std::string_view document, const Package& package) {
  const ordered_json json = ordered_json::parse(document, nullptr, false);
  return json.is_object() && json.value("package", std::string()) == package.name &&
         json.value("version", std::string()) == package.version && json.contains("scenarios");
}

Summary summarise(const std::vector<std::string>& documents) {
  Totals totals;
  for (const std::string& document : documents) {
    const ordered_json json = ordered_json::parse(document, nullptr, false);
    if (json.is_object() && json.contains("scenarios")) totals.add(json);
  }
  const size_t none = totals.scenarios - totals.complete - totals.partial;
  Summary result;
  result.warnings = totals.warnings;
  result.text = fmt::format(
      "packages: {}; scripts: {}, of which {} can be run ({})\n"
      "scenarios: {}; {} complete ({}), {} of them without representatives, {} partial ({}), {} "
      "not "
      "run ({}); {} runs\n",
      totals.packages, totals.scripts, totals.accepted, percent(totals.accepted, totals.scripts),
      totals.scenarios, totals.complete, percent(totals.complete, totals.scenarios), totals.exact,
      totals.partial, percent(totals.partial, totals.scenarios), none,
      percent(none, totals.scenarios), totals.runs);
  auto table = [&](std::string_view title, const std::map<std::string, double>& counts) {
    constexpr size_t kMaxRows = 15;
    if (counts.empty()) return;
    result.text += fmt::format("{}:\n", title);
    size_t rows = 0;
    for (const auto& [name, count] : ordered(counts)) {
      if (++rows > kMaxRows) break;
      result.text += fmt::format("  {:7.1f}  {}\n", count, name);
    }
  };
  table("findings", totals.findings);
  table("why scenarios are not complete", totals.reasons);
  table("commands without a model (scenarios that each would gain)", totals.unmodelled);
  result.text += "packages by the state in which a scenario can end:\n";
  for (const auto& [scenario, ends] : totals.ends) {
    std::string line;
    for (const auto& [end, count] : ends) line += fmt::format("  {} {}", end, count);
    result.text += fmt::format("  {:<34}{}\n", scenario, line);
  }
  ordered_json json;
  json["packages"] = totals.packages;
  json["scripts"] = totals.scripts;
  json["accepted"] = totals.accepted;
  json["scenarios"] = totals.scenarios;
  json["complete"] = totals.complete;
  json["without_representatives"] = totals.exact;
  json["partial"] = totals.partial;
  json["not_run"] = none;
  json["runs"] = totals.runs;
  json["findings"] = totals.findings;
  json["reasons"] = totals.reasons;
  json["unmodelled"] = totals.unmodelled;
  json["ends"] = totals.ends;
  result.json = json.dump(1) + "\n";
  return result;
}

}  // namespace nacre::explore
