// The formats with one line for each finding: gcc (what editors and problem matchers read) and
// GitHub's workflow commands.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/codes.h"
#include "report/printable.h"
#include "report/report.h"
#include "report/severity_names.h"

namespace nacre::report {

namespace {

std::string_view github_command(Severity severity) {
  return severity == Severity::kError || severity == Severity::kWarning ? three_level_name(severity)
                                                                        : "notice";
}

std::string with_counterexample(const Diagnostic& finding) {
  if (finding.counterexample.empty()) return finding.message;
  return fmt::format("{} (counterexample: {})", finding.message, visible(finding.counterexample));
}

// A property may not hold what separates properties.
std::string github_escape(std::string_view text, bool is_property) {
  std::string result;
  for (char c : text) {
    bool is_special = c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','));
    result += is_special ? fmt::format("%{:02X}", c) : std::string(1, c);
  }
  return result;
}

std::string github_line(const Diagnostic& finding) {
  Position begin = finding.file.position(finding.span.begin);
  Position end = finding.file.position(finding.span.end);
  // Columns are only understood when the range stays in one line.
  std::string columns = begin.line == end.line
                            ? fmt::format(",col={},endColumn={}", begin.character, end.character)
                            : "";
  return fmt::format(
      "::{} file={},line={},endLine={}{},title={}::{}\n", github_command(finding.severity),
      github_escape(valid_utf8(finding.file.name()), true), begin.line, end.line, columns,
      finding.code, github_escape(valid_utf8(with_counterexample(finding)), false));
}

}  // namespace

std::string gcc(const Report& report, const Style&) {
  std::string result;
  for (const Diagnostic& finding : report.findings) {
    Position at = finding.file.position(finding.span.begin);
    result += fmt::format("{}:{}:{}: {}: {} [{}]\n", printable(finding.file.name()), at.line,
                          at.character, three_level_name(finding.severity),
                          printable(with_counterexample(finding)), finding.code);
  }
  return result;
}

// GitHub shows ten annotations of each kind for a step and drops the rest without a word; so the
// worst come first and the log says how many there were.
std::string github(const Report& report, const Style&) {
  constexpr size_t kMaxOfAKind = 10;
  std::vector<const Diagnostic*> worst_first;
  for (const Diagnostic& finding : report.findings) worst_first.push_back(&finding);
  std::stable_sort(worst_first.begin(), worst_first.end(),
                   [](const auto* a, const auto* b) { return a->severity < b->severity; });
  std::string result;
  std::map<std::string_view, size_t> shown;
  size_t hidden = 0;
  for (const Diagnostic* finding : worst_first) {
    if (shown[github_command(finding->severity)]++ < kMaxOfAKind) {
      result += github_line(*finding);
    } else {
      hidden++;
    }
  }
  if (hidden > 0) {
    result += fmt::format("nacre: {} findings, of which {} are not annotated\n",
                          report.findings.size(), hidden);
  }
  return result;
}

}  // namespace nacre::report
