// The ad hoc parsers of corpora/python-dev.jsonl and the other types of python-variants-dev.jsonl:
// how many verdicts are right, and how long all of them take in one process.
//
// usage: bench_python [CORPORA] [WITNESSES]: the witnesses are written as JSON lines, to be
// replayed under Python by bench/python.sh.
#include <cstdio>
#include <ctime>
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "python/check.h"

using nlohmann::json;
using namespace nacre::python;

namespace {

struct Case {
  std::string id, source, wanted;
};

std::vector<json> read_lines(const std::string& path) {
  std::vector<json> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) rows.push_back(json::parse(line));
  }
  return rows;
}

// The program with another input type.
std::string with_type(const std::string& source, const std::string& regex) {
  size_t line = source.find('\n');
  std::string literal = "r'" + regex + "'";
  if (regex.find('\'') != std::string::npos || regex.find('\n') != std::string::npos ||
      (!regex.empty() && regex.back() == '\\'))
    literal = json(regex).dump();
  return "type Input = lang(" + literal + ")" + source.substr(line);
}

Verdict verdict_of(const FileReport& report) {
  Verdict verdict = Verdict::kVerified;
  if (!report.problems.empty() || report.functions.empty()) return Verdict::kUnknown;
  for (const FunctionReport& function : report.functions) {
    if (function.verdict == Verdict::kRejected) return Verdict::kRejected;
    if (function.verdict == Verdict::kUnknown) verdict = Verdict::kUnknown;
  }
  return verdict;
}

constexpr const char* kNames[] = {"accept", "reject", "unknown"};

}  // namespace

int main(int argc, char** argv) {
  const std::string corpora = argc > 1 ? argv[1] : "../shared/corpora";
  std::vector<json> programs = read_lines(corpora + "/python-dev.jsonl");
  std::vector<json> variants = read_lines(corpora + "/python-variants-dev.jsonl");
  if (programs.empty()) {
    fmt::print(stderr, "bench_python: there is no {}/python-dev.jsonl\n", corpora);
    return 2;
  }
  std::map<std::string, std::string> sources;
  std::vector<Case> plain, other, annotated;
  for (const json& row : programs) {
    sources[row["id"]] = row["source"];
    plain.push_back({row["id"], row["source"], "accept"});
    if (row["flat_invariants"] > 0)
      annotated.push_back({row["id"], row["source_with_invariants"], "accept"});
  }
  for (const json& row : variants)
    other.push_back({row["id"], with_type(sources[row["id"]], row["regex_python"]), row["expect"]});

  std::ofstream witnesses;
  if (argc > 2) witnesses.open(argv[2]);
  int wrong = 0;
  auto measure = [&](const char* what, const std::vector<Case>& cases) {
    size_t right = 0;
    double total = 0, slowest = 0;
    for (const Case& one : cases) {
      std::clock_t begin = std::clock();
      FileReport report = check_python(one.source);
      double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      total += seconds;
      slowest = std::max(slowest, seconds);
      std::string got = kNames[static_cast<int>(verdict_of(report))];
      if (got == one.wanted)
        ++right;
      else
        ++wrong, fmt::print("  {}: {} instead of {}\n    {}\n", one.id, got, one.wanted,
                            one.source.substr(0, one.source.find('\n')));
      for (const FunctionReport& function : report.functions) {
        for (const Finding& finding : function.findings) {
          if (finding.is_confirmed && witnesses.is_open()) {
            witnesses << json{{"source", one.source},
                              {"function", function.name},
                              {"arguments", finding.arguments}}
                             .dump()
                      << '\n';
          }
        }
      }
    }
    fmt::print("{}: {} of {} right, {:.3f} s of CPU in all, slowest {:.1f} ms\n", what, right,
               cases.size(), total, slowest * 1000);
    return total;
  };
  double total = measure("programs without invariants", plain) + measure("other types", other);
  measure("programs with their invariants", annotated);
  fmt::print("programs and types together: {:.3f} s of CPU\n", total);
  return wrong == 0 ? 0 : 1;
}
