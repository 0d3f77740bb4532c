#include "report/baseline.h"

#include <algorithm>
#include <fmt/format.h>

#include "report/fingerprint.h"
#include "report/printable.h"

namespace nacre::report {

namespace {

bool is_fingerprint(std::string_view word) {
  return word.size() == 16 && word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

Result<Baseline> parse_baseline(const SourceFile& file) {
  Baseline baseline;
  for (uint32_t number = 1; number <= file.line_count(); number++) {
    std::string_view line = file.text(file.line_span(number));
    if (line.empty() || line[0] == '#') continue;
    std::string_view word = line.substr(0, line.find(' '));
    if (!is_fingerprint(word)) {
      return fail(file.line_span(number),
                  fmt::format("{}:{}: not a line of a baseline", file.name(), number));
    }
    baseline.emplace(word);
  }
  return baseline;
}

std::string write_baseline(std::span<const Diagnostic> findings) {
  std::string text = "# Findings that `nacre check --baseline` does not report.\n";
  std::vector<std::string> names = fingerprints(findings);
  for (size_t i = 0; i < names.size(); i++) {
    text +=
        fmt::format("{} {} {}\n", names[i], findings[i].code, printable(findings[i].file.name()));
  }
  return text;
}

std::vector<Diagnostic> without(const Baseline& baseline, std::vector<Diagnostic> findings) {
  std::vector<std::string> names = fingerprints(findings);
  std::vector<Diagnostic> rest;
  for (size_t i = 0; i < names.size(); i++) {
    if (!baseline.contains(names[i])) rest.push_back(std::move(findings[i]));
  }
  return rest;
}

}  // namespace nacre::report
