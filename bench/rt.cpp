// Runs the type checker over a labelled corpus of pipelines (JSON lines with `id`, `label`,
// `script`, `annotated`) and prints how often its verdict is the label. A program counts as flagged
// if it has a finding of family T.
//
//   bench_rt CORPUS [--show]
#include <chrono>
#include <cstring>
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "commands/card_library.h"
#include "flow/check.h"
#include "shell/parse.h"

namespace {

struct Score {
  int correct = 0, correct_flagged = 0, buggy = 0, buggy_flagged = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_rt CORPUS [--show]\n");
    return 2;
  }
  const bool shows = argc > 2 && std::strcmp(argv[2], "--show") == 0;
  std::ifstream corpus(argv[1]);
  nacre::commands::CardLibrary cards;
  std::map<std::string, Score> scores;
  const auto start = std::chrono::steady_clock::now();
  int programs = 0;
  for (std::string line; std::getline(corpus, line);) {
    const auto entry = nlohmann::json::parse(line);
    const std::string script = entry["script"];
    const auto parsed = nacre::shell::parse_file(nacre::SourceFile(entry["id"], script),
                                                 nacre::shell::Dialect::kBash);
    const auto findings = nacre::flow::check(parsed.tree, cards).findings;
    const bool is_flagged = !findings.empty();
    const bool is_buggy = entry["label"] == "buggy";
    programs++;
    for (const char* set : {"all", entry["set"].get_ref<const std::string&>().c_str()}) {
      Score& score = scores[set];
      (is_buggy ? score.buggy : score.correct)++;
      if (is_flagged) (is_buggy ? score.buggy_flagged : score.correct_flagged)++;
    }
    if (shows && is_flagged != is_buggy) {
      fmt::print("--- {} {}\n{}\n", is_buggy ? "MISSED" : "FALSE ALARM",
                 entry["id"].get<std::string>(), script);
      for (const auto& finding : findings) {
        fmt::print("    {} {}: {} [{}]\n", finding.code, parsed.tree.text(finding.span),
                   finding.message, finding.counterexample);
      }
    }
  }
  const auto elapsed =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{:<16}{:>10}{:>14}{:>10}{:>12}{:>10}\n", "set", "correct", "false alarms", "buggy",
             "found", "accuracy");
  for (const auto& [set, score] : scores) {
    const int right = score.correct - score.correct_flagged + score.buggy_flagged;
    fmt::print("{:<16}{:>10}{:>14}{:>10}{:>12}{:>9.1f}%\n", set, score.correct,
               score.correct_flagged, score.buggy, score.buggy_flagged,
               100.0 * right / (score.correct + score.buggy));
  }
  fmt::print("{} programs, {:.2f} ms each\n", programs, elapsed / programs);
  return 0;
}
