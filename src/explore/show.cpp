#include "explore/show.h"

#include <algorithm>
#include <fmt/format.h>

namespace nacre::explore {

namespace {

constexpr unsigned kMaxLikelyRank = 1;

std::string counted(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string heading(const Report& report) {
  std::string words = report.script;
  for (const std::string& word : report.arguments) words += " " + word;
  if (!report.refusal.empty()) return fmt::format("{}: not explored: {}\n", words, report.refusal);
  std::string result =
      fmt::format("{}: {} in {}", words, counted(report.outcomes.size(), "outcome"),
                  counted(report.runs, "run"));
  return result + (report.is_complete() ? "; complete\n" : "\n");
}

std::string changes_of(const Outcome& outcome) {
  constexpr size_t kMaxChanges = 12;
  if (outcome.changes.empty()) return "changes nothing";
  std::vector<std::string> shown(
      outcome.changes.begin(), outcome.changes.begin() + static_cast<ptrdiff_t>(std::min(
                                                             kMaxChanges, outcome.changes.size())));
  std::string result = fmt::format("{}", fmt::join(shown, "; "));
  const size_t rest = outcome.changes.size() - shown.size();
  return rest == 0 ? result : fmt::format("{}; {}", result, counted(rest, "more change"));
}

std::string shown(const Report& report, const Outcome& outcome, const ShowOptions& options,
                  size_t index) {
  std::string result =
      fmt::format("  {:<12} {:>9}   ", outcome.how(), counted(outcome.runs, "run"));
  if (outcome.succeeded()) {
    result += changes_of(outcome) + "\n";
  } else {
    std::string message = outcome.message.empty() ? outcome.last.text : outcome.message;
    if (outcome.end == Run::kUnmodelled && !outcome.not_modelled.empty())
      message = "no model of `" + outcome.not_modelled[0] + "`";
    result += fmt::format("line {}: {} (status {})\n", outcome.last.line, message, outcome.status);
    if (!outcome.changes.empty())
      result += fmt::format("{:>27}{}\n", "half done: ", changes_of(outcome));
  }
  result += fmt::format("{:>27}{}\n", "if: ", condition_of(report, outcome));
  if (index < options.scenes.size() && !options.scenes[index].empty())
    result += fmt::format("{:>27}nacre step --scene {} {}\n", "replay: ", options.scenes[index],
                          report.script);
  return result;
}

std::string listed(std::string_view title, const std::set<std::string>& items) {
  if (items.empty()) return "";
  return fmt::format("  {}: {}\n", title, fmt::join(items, "; "));
}

}  // namespace

std::string show_text(const Report& report, const std::vector<Finding>& findings,
                      const ShowOptions& options) {
  std::string result = heading(report);
  size_t unlikely = 0;
  size_t variants = 0;
  std::set<std::tuple<std::string, uint32_t, std::string>> seen;
  for (size_t i = 0; i < report.outcomes.size(); ++i) {
    const Outcome& outcome = report.outcomes[i];
    const bool is_first =
        seen.emplace(outcome.how(), outcome.succeeded() ? 0 : outcome.last.line, outcome.message)
            .second;
    const bool is_likely = outcome.rank <= kMaxLikelyRank;
    if (options.shows_all || (is_likely && is_first))
      result += shown(report, outcome, options, i);
    else
      ++(is_likely ? variants : unlikely);
  }
  if (variants > 0)
    result += fmt::format("  not shown: {} that only change other files (--all)\n",
                          counted(variants, "outcome"));
  if (unlikely > 0)
    result += fmt::format("  not shown: {} in unlikely file systems (--all)\n",
                          counted(unlikely, "outcome"));
  for (const Finding& finding : findings) {
    if (finding.rank > kMaxLikelyRank && !options.shows_all) continue;
    result += fmt::format("  {} line {}: {}\n", finding.code, finding.place.line, finding.message);
  }
  result += listed("not tried", report.bounds);
  result += listed("by representatives or assumed", report.assumed);
  result += listed("no model of", report.unmodelled);
  return result;
}

namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return result;
}

// The witnesses share their first questions: a node of the graph is a sequence of answers.
class Graph {
 public:
  void add(const Outcome& outcome, size_t index) {
    std::string node = "n";
    for (const Decision& each : outcome.decisions) {
      text_ += line_once(fmt::format("  {} [label=\"{}\"];\n", node, escaped(each.subject)));
      std::string next = fmt::format("{}_{}", node, each.chosen);
      text_ += line_once(
          fmt::format("  {} -> {} [label=\"{}\"];\n", node, next, escaped(each.answer().text)));
      node = std::move(next);
    }
    text_ += fmt::format("  o{} [shape=box, color={}, label=\"{}\"];\n  {} -> o{};\n", index,
                         outcome.succeeded() ? "darkgreen" : "red",
                         escaped(outcome.how() + ": " +
                                 (outcome.succeeded() ? changes_of(outcome) : outcome.message)),
                         node, index);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string line_once(std::string line) {
    return seen_.insert(line).second ? line : std::string();
  }
  std::string text_;
  std::set<std::string> seen_;
};

}  // namespace

std::string show_dot(const Report& report) {
  Graph graph;
  for (size_t i = 0; i < report.outcomes.size(); ++i) graph.add(report.outcomes[i], i);
  return fmt::format("digraph \"{}\" {{\n  node [fontname=\"sans-serif\"];\n{}}}\n",
                     escaped(report.script), graph.text());
}

}  // namespace nacre::explore
