// Random programs with random types against CPython: nothing that is called verified may fail,
// every counterexample must fail, and few safe programs may be left open.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <unistd.h>

#include "python/check.h"

using namespace nacre::python;

namespace {

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char buffer[4096];
  while (size_t count = fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, count);
  pclose(pipe);
  return out;
}

#ifdef NACRE_SANITIZED  // which look for other mistakes, ten times as slowly
constexpr const char* kPrograms = "200 1";
#else
constexpr const char* kPrograms = "2000 1";
#endif

const std::string kScripts = std::string("python3 ") + NACRE_SOURCE_DIR + "/tests/python/";

}  // namespace

TEST_CASE("random programs agree with CPython") {
  const char* chosen = std::getenv("NACRE_PYTHON_PROGRAMS");  // "COUNT SEED"
  std::string records =
      output_of(kScripts + "random_programs.py " + (chosen != nullptr ? chosen : kPrograms));
  if (records.empty()) {
    MESSAGE("python3 is absent: skipped");
    return;
  }
  const std::string witnesses = "/tmp/nacre-witnesses." + std::to_string(getpid()) + ".jsonl";
  std::ofstream replay(witnesses);
  size_t safe = 0, open = 0, verified = 0, rejected = 0, slow = 0;
  for (size_t at = 0; at < records.size();) {
    size_t middle = records.find('\x1f', at);
    size_t end = records.find('\x1e', middle);
    std::string source = records.substr(at, middle - at);
    std::string answer = records.substr(middle + 1, end - middle - 1);
    at = end + 1;
    FileReport report = check_python(source);
    INFO(source);
    INFO(answer);
    auto found = std::find_if(report.functions.begin(), report.functions.end(),
                              [](const FunctionReport& one) { return one.name == "f"; });
    REQUIRE(found != report.functions.end());
    const FunctionReport& function = *found;
    bool is_safe = answer == "safe";
    safe += is_safe ? 1 : 0;
    slow += function.is_exhausted ? 1 : 0;
    if (function.verdict == Verdict::kVerified) {
      ++verified;
      CHECK(is_safe);
    } else if (function.verdict == Verdict::kRejected) {
      ++rejected;
      for (const Finding& finding : function.findings) {
        if (!finding.is_confirmed) continue;
        nlohmann::json line = {
            {"source", source}, {"function", function.name}, {"arguments", finding.arguments}};
        replay << line.dump() << '\n';
      }
    } else if (is_safe) {
      ++open;
      if (std::getenv("NACRE_PYTHON_SHOW") != nullptr) MESSAGE("left open: " << source);
    }
  }
  replay.close();
  MESSAGE(verified << " verified, " << rejected << " rejected, " << safe
                   << " safe up to the bound, " << open << " of them left open, " << slow
                   << " over budget");
  CHECK(open * 100 <= safe * 2);
  CHECK(std::system((kScripts + "replay.py " + witnesses).c_str()) == 0);
  std::remove(witnesses.c_str());
}
