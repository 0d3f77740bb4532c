#include "explore/package_html.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "explore/html.h"
#include "explore/scenario.h"

namespace nacre::explore {

using nlohmann::ordered_json;

namespace {

std::string file_name(std::string_view prefix, std::string_view name) {
  std::string result(prefix);
  for (const char c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '+';
    result += is_plain ? c : '_';
  }
  return result + ".html";
}

std::string link(const std::string& target, std::string_view text) {
  return fmt::format("<a href=\"{}\">{}</a>", target, html_text(text));
}

std::string share(size_t part, size_t whole) {
  return whole == 0 ? "-" : fmt::format("{:.1f} %", 100.0 * double(part) / double(whole));
}

// The steps of a scenario with the number of worlds that took each.
std::string chart(const Scenario& scenario, const ordered_json* result) {
  const auto worlds = [&](const std::string& label) -> size_t {
    if (result == nullptr || !result->contains("states")) return 0;
    return result->at("states").value(label, size_t{0});
  };
  const auto state = [&](const std::string& label) {
    if (label.empty()) return std::string("-");
    const size_t count = worlds(label);
    const std::string number =
        result == nullptr ? "" : fmt::format(" <span class=\"tag\">{}</span>", count);
    return fmt::format("<span class=\"{}\">{}</span>{}",
                       result != nullptr && count == 0 ? "unreached" : "", html_text(label),
                       number);
  };
  std::string rows = "<table><tr><th>step</th><th>on success</th><th>on failure</th></tr>\n";
  for (const Step& step : scenario.steps)
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", state(step.label),
                        state(step.on_success), state(step.on_failure));
  return rows + "</table>\n";
}

const Scenario* scenario_named(std::string_view name) {
  for (const Scenario& each : scenarios()) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

std::string findings_table(const ordered_json& findings) {
  std::string result;
  for (const auto& each : findings)
    result += fmt::format(
        "<li><span class=\"tag\">{} rank {}</span>{} line {}: {}<br><span class=\"weak\">{}</span>"
        "</li>\n",
        each.at("code").get<std::string>(), each.at("rank").get<unsigned>(),
        html_text(each.at("script").get<std::string>()), each.at("line").get<unsigned>(),
        html_text(each.at("message").get<std::string>()),
        html_text(each.at("before").get<std::string>()));
  return result.empty() ? "" : "<ul>\n" + result + "</ul>\n";
}

std::string sentences(std::string_view title, const ordered_json& items) {
  std::string result;
  for (const auto& each : items)
    result += (result.empty() ? "" : "; ") + html_text(each.get<std::string>());
  return result.empty() ? "" : fmt::format("<p class=\"problem\">{}: {}</p>\n", title, result);
}

std::string package_page(const ordered_json& document) {
  const std::string name = document.at("package");
  std::string body =
      fmt::format("<p>{}</p><h1>{} {}</h1>\n", link("index.html", "all packages"), html_text(name),
                  html_text(document.at("version").get<std::string>()));
  body += "<table><tr><th>script</th><th>can be run</th></tr>\n";
  for (const auto& [script, how] : document.at("scripts").items()) {
    const bool is_accepted = how.at("accepted");
    body += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", html_text(script),
                        is_accepted ? "yes" : html_text(how.at("reason").get<std::string>()));
  }
  body += "</table>\n";
  for (const auto& [scenario, result] : document.at("scenarios").items()) {
    body += fmt::format(
        "<h2 id=\"{}\">{} <span class=\"tag\">{}</span><span class=\"tag\">{} runs"
        "</span></h2>\n",
        html_text(scenario), html_text(scenario), result.at("coverage").get<std::string>(),
        result.at("runs").get<size_t>());
    if (const Scenario* known = scenario_named(scenario)) body += chart(*known, &result);
    body += sentences("not complete", result.at("problems"));
    body += sentences("commands without a model", result.at("unmodelled"));
    body += findings_table(result.at("findings"));
  }
  return html_page(name, body);
}

// What the index and the pages of scenarios count.
struct Counts {
  size_t packages = 0, scripts = 0, accepted = 0;
  std::map<std::string, std::map<std::string, size_t>> coverage;  // by scenario
  std::map<std::string, std::map<std::string, std::vector<std::string>>> ends;
  std::map<std::string, double> missing, reasons;
  std::map<std::string, std::vector<std::pair<std::string, ordered_json>>> findings;  // by code

  void add(const ordered_json& document) {
    const std::string package = document.at("package");
    ++packages;
    for (const auto& [name, script] : document.at("scripts").items()) {
      ++scripts;
      accepted += script.at("accepted").get<bool>() ? 1 : 0;
    }
    for (const auto& [name, result] : document.at("scenarios").items()) {
      ++coverage[name][result.at("coverage").get<std::string>()];
      for (const auto& [end, state] : result.at("ends").items()) ends[name][end].push_back(package);
      const auto& unknown = result.at("unmodelled");
      for (const auto& each : unknown) missing[each] += 1.0 / double(unknown.size());
      for (const auto& each : result.at("problems")) ++reasons[each];
      for (const auto& each : result.at("findings"))
        findings[each.at("code")].emplace_back(package, each);
    }
  }
};

std::string count_table(std::string_view title, const std::map<std::string, double>& counts) {
  std::vector<std::pair<std::string, double>> rows(counts.begin(), counts.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string result;
  for (const auto& [name, count] : rows)
    result += fmt::format("<tr><td class=\"number\">{:.1f}</td><td>{}</td></tr>\n", count,
                          html_text(name));
  return result.empty() ? "" : fmt::format("<h2>{}</h2>\n<table>\n{}</table>\n", title, result);
}

std::string scenario_page(const std::string& name, const Counts& counts) {
  std::string body =
      fmt::format("<p>{}</p><h1>{}</h1>\n", link("index.html", "all packages"), html_text(name));
  if (const Scenario* known = scenario_named(name))
    body += fmt::format("<p>{}</p>\n", html_text(known->about)) + chart(*known, nullptr);
  const auto ends = counts.ends.find(name);
  if (ends == counts.ends.end()) return html_page(name, body);
  for (const auto& [end, packages] : ends->second) {
    body += fmt::format("<h2>{} <span class=\"tag\">{}</span></h2>\n<p>", html_text(end),
                        packages.size());
    for (const std::string& each : packages)
      body += link(file_name("package-", each) + "#" + name, each) + " ";
    body += "</p>\n";
  }
  return html_page(name, body);
}

std::string index_page(const Counts& counts) {
  std::string body = fmt::format(
      "<h1>Packages</h1>\n<p>{} packages; {} scripts, of which {} can be run ({}).</p>\n",
      counts.packages, counts.scripts, counts.accepted, share(counts.accepted, counts.scripts));
  body +=
      "<table><tr><th>scenario</th><th>complete</th><th>partial</th><th>not run</th>"
      "<th>ends</th></tr>\n";
  for (const auto& [name, by_kind] : counts.coverage) {
    const auto count = [&kinds = by_kind](const std::string& kind) {
      const auto found = kinds.find(kind);
      return found == kinds.end() ? size_t{0} : found->second;
    };
    std::string ends;
    if (const auto found = counts.ends.find(name); found != counts.ends.end()) {
      for (const auto& [end, packages] : found->second)
        ends += fmt::format("{} <span class=\"tag\">{}</span>", html_text(end), packages.size());
    }
    body += fmt::format(
        "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td>{}</td></tr>\n",
        link(file_name("scenario-", name), name), count("complete"), count("partial"),
        count("none"), ends);
  }
  body += "</table>\n";
  for (const auto& [code, list] : counts.findings) {
    body += fmt::format("<details><summary><b>{}</b> <span class=\"tag\">{}</span></summary>\n<ul>",
                        code, list.size());
    for (const auto& [package, each] : list)
      body += fmt::format(
          "<li>{} <span class=\"tag\">rank {}</span>{} line {}: {}</li>\n",
          link(file_name("package-", package), package), each.at("rank").get<unsigned>(),
          html_text(each.at("script").get<std::string>()), each.at("line").get<unsigned>(),
          html_text(each.at("message").get<std::string>()));
    body += "</ul></details>\n";
  }
  body += count_table("Commands without a model (scenarios that each would gain)", counts.missing);
  body += count_table("Why scenarios are not complete", counts.reasons);
  return body;
}

}  // namespace

std::map<std::string, std::string> package_pages(const std::vector<std::string>& documents) {
  std::map<std::string, std::string> result;
  Counts counts;
  std::string list;
  for (const std::string& text : documents) {
    const ordered_json document = ordered_json::parse(text, nullptr, false);
    if (!document.is_object() || !document.contains("scenarios")) continue;
    counts.add(document);
    const std::string name = document.at("package");
    const std::string page = file_name("package-", name);
    list += link(page, name) + " ";
    result[page] = package_page(document);
  }
  for (const auto& [name, by_kind] : counts.coverage)
    result[file_name("scenario-", name)] = scenario_page(name, counts);
  result["index.html"] =
      html_page("Packages", index_page(counts) + "<h2>All packages</h2>\n<p>" + list + "</p>\n");
  return result;
}

}  // namespace nacre::explore
