// Checkstyle and JUnit reports.
#include <algorithm>
#include <fmt/format.h>

#include "base/codes.h"
#include "report/printable.h"
#include "report/report.h"

namespace nacre::report {

namespace {

constexpr std::string_view kDeclaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

// As the value of an attribute.
std::string xml(std::string_view text) {
  std::string result;
  for (char c : valid_utf8(text)) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&apos;"; break;
      case '\n': result += "&#10;"; break;
      case '\r': result += "&#13;"; break;
      case '\t': result += "&#9;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string_view checkstyle_severity(Severity severity) {
  return severity == Severity::kStyle ? "info" : name_of(severity);
}

// Findings are sorted by file: the range of those in the file of the first.
std::span<const Diagnostic> same_file(std::span<const Diagnostic> findings) {
  size_t count = 0;
  while (count < findings.size() && findings[count].file.name() == findings[0].file.name()) count++;
  return findings.first(count);
}

std::span<const Diagnostic> in_file(const Report& report, std::string_view name) {
  std::span<const Diagnostic> rest = report.findings;
  while (!rest.empty()) {
    auto group = same_file(rest);
    if (group[0].file.name() == name) return group;
    rest = rest.subspan(group.size());
  }
  return {};
}

// The files that were looked at, and those that only a finding names (a sourced file).
std::vector<std::string> all_files(const Report& report) {
  std::vector<std::string> names = report.files;
  for (const Diagnostic& finding : report.findings) names.push_back(finding.file.name());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string junit_case(const std::string& name, std::span<const Diagnostic> findings) {
  std::string head = fmt::format("    <testcase classname=\"nacre\" name=\"{}\"", xml(name));
  if (findings.empty()) return head + "/>\n";
  std::string result = head + ">\n";
  for (const Diagnostic& finding : findings) {
    Position at = finding.file.position(finding.span.begin);
    result += fmt::format(
        "      <failure type=\"{}\" message=\"{}\">line {}, column {}: {}</failure>\n",
        finding.code, xml(finding.message), at.line, at.character,
        xml(finding.counterexample.empty() ? std::string(name_of(finding.severity))
                                           : "counterexample: " + finding.counterexample));
  }
  return result + "    </testcase>\n";
}

}  // namespace

std::string checkstyle(const Report& report, const Style&) {
  std::string result(kDeclaration);
  result += "<checkstyle version=\"4.3\">\n";
  std::span<const Diagnostic> rest = report.findings;
  while (!rest.empty()) {
    auto group = same_file(rest);
    result += fmt::format("  <file name=\"{}\">\n", xml(group[0].file.name()));
    for (const Diagnostic& finding : group) {
      Position at = finding.file.position(finding.span.begin);
      result += fmt::format(
          "    <error line=\"{}\" column=\"{}\" severity=\"{}\" message=\"{}\" "
          "source=\"nacre.{}\"/>\n",
          at.line, at.character, checkstyle_severity(finding.severity), xml(finding.message),
          finding.code);
    }
    result += "  </file>\n";
    rest = rest.subspan(group.size());
  }
  return result + "</checkstyle>\n";
}

// Each file is a test; it fails once for each finding.
std::string junit(const Report& report, const Style&) {
  std::vector<std::string> names = all_files(report);
  std::string cases;
  size_t failed = 0;
  for (const std::string& name : names) {
    auto findings = in_file(report, name);
    failed += findings.empty() ? 0 : 1;
    cases += junit_case(name, findings);
  }
  std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\"", names.size(), failed);
  return fmt::format(
      "{}<testsuites {}>\n  <testsuite name=\"nacre\" {}>\n{}  </testsuite>\n</testsuites>\n",
      kDeclaration, counts, counts, cases);
}

}  // namespace nacre::report
