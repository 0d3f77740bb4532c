// json and jsonl by our own schema (docs/report.schema.json), and GitLab's code quality report.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/codes.h"
#include "report/fingerprint.h"
#include "report/printable.h"
#include "report/report.h"

namespace nacre::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

Json point(const SourceFile& file, uint32_t offset) {
  Position at = file.position(offset);
  return {{"line", at.line}, {"column", at.character}, {"offset", offset}};
}

void add_range(Json& object, const SourceFile& file, Span span) {
  object["begin"] = point(file, span.begin);
  object["end"] = point(file, span.end);
}

Json note_json(const Note& note) {
  Json object = {{"file", valid_utf8(note.file.name())}};
  add_range(object, note.file, note.span);
  object["message"] = valid_utf8(note.message);
  return object;
}

Json fix_json(const SourceFile& file, const Fix& fix) {
  Json edits = Json::array();
  for (const Edit& edit : fix.edits) {
    Json object = Json::object();
    add_range(object, file, edit.span);
    object["text"] = valid_utf8(edit.text);
    edits.push_back(std::move(object));
  }
  return {{"message", valid_utf8(fix.message)}, {"safe", fix.is_safe}, {"edits", std::move(edits)}};
}

Json finding_json(const Diagnostic& finding, const std::string& fingerprint) {
  Json object = {{"code", finding.code},
                 {"severity", name_of(finding.severity)},
                 {"confidence", name_of(finding.confidence)},
                 {"message", valid_utf8(finding.message)},
                 {"file", valid_utf8(finding.file.name())}};
  if (!finding.aliases.empty()) object["aliases"] = finding.aliases;
  add_range(object, finding.file, finding.span);
  object["fingerprint"] = fingerprint;
  if (!finding.counterexample.empty())
    object["counterexample"] = valid_utf8(finding.counterexample);
  for (const Note& note : finding.notes) object["notes"].push_back(note_json(note));
  for (const Note& step : finding.path) object["path"].push_back(note_json(step));
  for (const Fix& fix : finding.fixes) object["fixes"].push_back(fix_json(finding.file, fix));
  return object;
}

Json summary_json(const Report& report) {
  Json summary = {{"files", report.files.size()}, {"finished", report.is_finished}};
  for (Severity severity :
       {Severity::kError, Severity::kWarning, Severity::kInfo, Severity::kStyle}) {
    summary[std::string(name_of(severity))] =
        std::count_if(report.findings.begin(), report.findings.end(),
                      [&](const Diagnostic& each) { return each.severity == severity; });
  }
  return summary;
}

std::string_view gitlab_severity(Severity severity) {
  switch (severity) {
    case Severity::kError: return "critical";
    case Severity::kWarning: return "major";
    case Severity::kInfo: return "minor";
    case Severity::kStyle: return "info";
  }
  return "info";
}

}  // namespace

std::string json(const Report& report, const Style&) {
  Json object = {{"version", kSchemaVersion},
                 {"tool", {{"name", "nacre"}, {"version", report.version}}},
                 {"findings", Json::array()}};
  std::vector<std::string> names = fingerprints(report.findings);
  for (size_t i = 0; i < names.size(); i++) {
    object["findings"].push_back(finding_json(report.findings[i], names[i]));
  }
  object["summary"] = summary_json(report);
  return object.dump(2) + "\n";
}

std::string jsonl(const Report& report, const Style&) {
  std::string result;
  std::vector<std::string> names = fingerprints(report.findings);
  for (size_t i = 0; i < names.size(); i++) {
    result += finding_json(report.findings[i], names[i]).dump() + "\n";
  }
  return result;
}

std::string gitlab(const Report& report, const Style&) {
  Json list = Json::array();
  std::vector<std::string> names = fingerprints(report.findings);
  for (size_t i = 0; i < names.size(); i++) {
    const Diagnostic& finding = report.findings[i];
    uint32_t begin = finding.file.line_of(finding.span.begin);
    uint32_t end = finding.file.line_of(finding.span.end);
    list.push_back({{"description", valid_utf8(finding.message)},
                    {"check_name", finding.code},
                    {"fingerprint", names[i]},
                    {"severity", gitlab_severity(finding.severity)},
                    {"location",
                     {{"path", valid_utf8(finding.file.name())},
                      {"lines", {{"begin", begin}, {"end", end}}}}}});
  }
  return list.dump(2) + "\n";
}

}  // namespace nacre::report
