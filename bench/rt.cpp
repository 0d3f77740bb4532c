// Runs the type checker over a labelled corpus of pipelines (JSON lines with `id`, `label`,
// `script`, `annotated`) and prints how often its verdict is the label: of the bare scripts, and of
// the annotated ones where there are any. A program counts as flagged if it has a finding of family
// T.
//
//   bench_rt CORPUS [--show] [--certain] [--slow]
// shows the programs that are judged wrongly, what is certain, and which programs take longest.
#include <algorithm>
#include <cstring>
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <time.h>

#include "commands/card_library.h"
#include "flow/check.h"
#include "shell/parse.h"

namespace {

using nlohmann::json;

double cpu_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

struct Score {
  int correct = 0, correct_flagged = 0, buggy = 0, buggy_flagged = 0;

  void add(bool is_buggy, bool is_flagged) {
    (is_buggy ? buggy : correct)++;
    if (is_flagged) (is_buggy ? buggy_flagged : correct_flagged)++;
  }
  [[nodiscard]] double accuracy() const {
    return 100.0 * (correct - correct_flagged + buggy_flagged) / (correct + buggy);
  }
};

struct Choice {
  bool uses_annotations = false;
  bool shows_wrong = false;
  bool shows_certain = false;
  bool shows_slow = false;
};

void show(const nacre::Diagnostic& finding) {
  fmt::print("    {} {}: {} [{}]\n", finding.code, finding.file.text(finding.span), finding.message,
             finding.counterexample);
}

void show_slowest(std::vector<std::pair<double, std::string>> times) {
  std::sort(times.rbegin(), times.rend());
  for (size_t i = 0; i < std::min<size_t>(times.size(), 20); i++)
    fmt::print("{:8.2f} ms {}\n", times[i].first, times[i].second);
}

std::map<std::string, Score> run(const std::vector<json>& corpus, const Choice& choice) {
  const nacre::commands::CardLibrary cards;
  std::map<std::string, Score> scores;
  std::vector<std::pair<double, std::string>> times;
  for (const json& entry : corpus) {
    const bool is_annotated = choice.uses_annotations && entry["annotated"].is_string();
    const std::string script = entry[is_annotated ? "annotated" : "script"];
    const std::string id = entry["id"];
    const double start = cpu_milliseconds();
    const auto parsed =
        nacre::shell::parse_file(nacre::SourceFile(id, script), nacre::shell::Dialect::kBash);
    auto findings = nacre::flow::check(parsed.tree, cards).findings;
    times.emplace_back(cpu_milliseconds() - start, id);
    std::erase_if(findings, [](const auto& finding) { return finding.code[0] != 'T'; });
    const bool is_buggy = entry["label"] == "buggy";
    const bool is_flagged = !findings.empty();
    scores["all"].add(is_buggy, is_flagged);
    scores[entry["set"]].add(is_buggy, is_flagged);
    const bool is_wrong = is_flagged != is_buggy;
    if (choice.shows_wrong && is_wrong) {
      fmt::print("--- {} {}\n{}\n", is_buggy ? "MISSED" : "FALSE ALARM", id, script);
      for (const auto& finding : findings) show(finding);
    }
    for (const auto& finding : findings) {
      if (!choice.shows_certain || finding.confidence != nacre::Confidence::kCertain) continue;
      fmt::print("--- CERTAIN {}\n{}\n", id, script);
      show(finding);
    }
  }
  if (choice.shows_slow) show_slowest(std::move(times));
  return scores;
}

void print(const std::map<std::string, Score>& scores, std::string_view title,
           double milliseconds) {
  fmt::print("{:<20}{:>8}{:>14}{:>8}{:>8}{:>11}\n", title, "correct", "false alarms", "buggy",
             "found", "accuracy");
  for (const auto& [set, score] : scores) {
    fmt::print("{:<20}{:>8}{:>14}{:>8}{:>8}{:>10.1f}%\n", set, score.correct, score.correct_flagged,
               score.buggy, score.buggy_flagged, score.accuracy());
  }
  fmt::print("{:.2f} ms of analysis for each program\n\n", milliseconds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_rt CORPUS [--show] [--certain] [--slow]\n");
    return 2;
  }
  std::ifstream file(argv[1]);
  std::vector<json> corpus;
  for (std::string line; std::getline(file, line);) corpus.push_back(json::parse(line));
  Choice choice;
  for (int i = 2; i < argc; i++) {
    choice.shows_wrong |= std::strcmp(argv[i], "--show") == 0;
    choice.shows_slow |= std::strcmp(argv[i], "--slow") == 0;
    choice.shows_certain |= std::strcmp(argv[i], "--certain") == 0;
  }
  for (const bool uses_annotations : {false, true}) {
    choice.uses_annotations = uses_annotations;
    const double start = cpu_milliseconds();
    const auto scores = run(corpus, choice);
    print(scores, uses_annotations ? "with annotations" : "without annotations",
          (cpu_milliseconds() - start) / static_cast<double>(corpus.size()));
  }
  return 0;
}
