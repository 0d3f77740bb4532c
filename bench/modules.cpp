// What the Python checker says of whole modules, as JSON, one object for each file: for
// bench/modules.py, which compares it with CPython.
//
// usage: bench_modules FILE...
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fmt/core.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "python/check.h"

using nlohmann::json;
using namespace nacre::python;

namespace {

constexpr const char* kVerdicts[] = {"verified", "rejected", "open"};
constexpr const char* kKinds[] = {"raise",     "assert", "argument", "result",    "variable",
                                  "invariant", "sql",    "shell",    "file name", "code"};

size_t line_of(const std::string& text, uint32_t offset) {
  return 1 + static_cast<size_t>(std::count(text.begin(), text.begin() + offset, '\n'));
}

json describe(const FunctionReport& function, const std::string& text) {
  json findings = json::array(), unknown = json::array(), assumed = json::array();
  for (const Finding& finding : function.findings) {
    findings.push_back({{"line", line_of(text, finding.span.begin)},
                        {"kind", kKinds[static_cast<size_t>(finding.kind)]},
                        {"message", finding.message},
                        {"call", finding.call},
                        {"confirmed", finding.is_confirmed},
                        {"constant", finding.is_constant}});
  }
  for (const nacre::python::Unsupported& one : function.unsupported)
    unknown.push_back({{"line", line_of(text, one.span.begin)}, {"what", one.what}});
  for (const nacre::python::Unsupported& one : function.assumptions)
    assumed.push_back({{"line", line_of(text, one.span.begin)}, {"what", one.what}});
  return {{"name", function.name},
          {"line", line_of(text, function.span.begin)},
          {"verdict", kVerdicts[static_cast<size_t>(function.verdict)]},
          {"typed", function.is_typed},
          {"findings", findings},
          {"unknown", unknown},
          {"assumed", assumed},
          {"raises", function.raises},
          {"returns", function.returned_type},
          {"exhausted", function.is_exhausted}};
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i]);
    std::stringstream content;
    content << file.rdbuf();
    const std::string text = content.str();
    const std::clock_t begin = std::clock();
    FileReport report = check_python(text);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    json functions = json::array(), problems = json::array();
    for (const FunctionReport& function : report.functions)
      functions.push_back(describe(function, text));
    for (const nacre::Error& problem : report.problems)
      problems.push_back({{"line", line_of(text, problem.span.begin)}, {"what", problem.message}});
    fmt::print("{}\n", json{{"file", argv[i]},
                            {"seconds", seconds},
                            {"problems", problems},
                            {"functions", functions}}
                           .dump(-1, ' ', false, json::error_handler_t::replace));
    std::fflush(stdout);
  }
}
