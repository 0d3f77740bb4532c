// json and jsonl by our own schema (docs/report.schema.json), and GitLab's code quality report.
#include <algorithm>

#include "base/codes.h"
#include "base/json_writer.h"
#include "report/fingerprint.h"
#include "report/report.h"

namespace nacre::report {

namespace {

constexpr int kSchemaVersion = 1;

void write_point(JsonWriter& json, std::string_view key, const SourceFile& file, uint32_t offset) {
  const Position at = file.position(offset);
  json.key(key).begin_object();
  json.field("line", at.line).field("column", at.character).field("offset", offset).end_object();
}

void write_range(JsonWriter& json, const SourceFile& file, Span span) {
  write_point(json, "begin", file, span.begin);
  write_point(json, "end", file, span.end);
}

void write_notes(JsonWriter& json, std::string_view key, const std::vector<Note>& notes) {
  if (notes.empty()) return;
  json.key(key).begin_array();
  for (const Note& note : notes) {
    json.begin_object().field("file", note.file.name());
    write_range(json, note.file, note.span);
    json.field("message", note.message).end_object();
  }
  json.end_array();
}

void write_fix(JsonWriter& json, const SourceFile& file, const Fix& fix) {
  json.begin_object().field("message", fix.message).field("safe", fix.is_safe);
  json.key("edits").begin_array();
  for (const Edit& edit : fix.edits) {
    json.begin_object();
    write_range(json, file, edit.span);
    json.field("text", edit.text).end_object();
  }
  json.end_array().end_object();
}

void write_finding(JsonWriter& json, const Diagnostic& finding, const std::string& fingerprint) {
  json.begin_object().field("code", finding.code).field("severity", name_of(finding.severity));
  json.field("confidence", name_of(finding.confidence)).field("message", finding.message);
  json.field("file", finding.file.name());
  if (!finding.aliases.empty()) {
    json.key("aliases").begin_array();
    for (const std::string& alias : finding.aliases) json.value(alias);
    json.end_array();
  }
  write_range(json, finding.file, finding.span);
  json.field("fingerprint", fingerprint);
  if (!finding.counterexample.empty()) json.field("counterexample", finding.counterexample);
  write_notes(json, "notes", finding.notes);
  write_notes(json, "path", finding.path);
  if (!finding.fixes.empty()) {
    json.key("fixes").begin_array();
    for (const Fix& fix : finding.fixes) write_fix(json, finding.file, fix);
    json.end_array();
  }
  json.end_object();
}

void write_summary(JsonWriter& json, const Report& report) {
  json.key("summary").begin_object();
  json.field("files", report.files.size()).field("finished", report.is_finished);
  for (Severity severity :
       {Severity::kError, Severity::kWarning, Severity::kInfo, Severity::kStyle}) {
    json.field(name_of(severity),
               std::count_if(report.findings.begin(), report.findings.end(),
                             [&](const Diagnostic& each) { return each.severity == severity; }));
  }
  json.end_object();
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
  JsonWriter json(JsonWriter::Shape::kIndented);
  json.begin_object().field("version", kSchemaVersion).key("tool").begin_object();
  json.field("name", "nacre").field("version", report.version).end_object();
  json.key("findings").begin_array();
  const std::vector<std::string> names = fingerprints(report.findings);
  for (size_t i = 0; i < names.size(); i++) write_finding(json, report.findings[i], names[i]);
  json.end_array();
  write_summary(json, report);
  json.end_object();
  return json.take() + "\n";
}

std::string jsonl(const Report& report, const Style&) {
  std::string result;
  const std::vector<std::string> names = fingerprints(report.findings);
  for (size_t i = 0; i < names.size(); i++) {
    JsonWriter json(JsonWriter::Shape::kCompact);
    write_finding(json, report.findings[i], names[i]);
    result += json.take() + "\n";
  }
  return result;
}

std::string gitlab(const Report& report, const Style&) {
  JsonWriter json(JsonWriter::Shape::kIndented);
  json.begin_array();
  const std::vector<std::string> names = fingerprints(report.findings);
  for (size_t i = 0; i < names.size(); i++) {
    const Diagnostic& finding = report.findings[i];
    json.begin_object().field("description", finding.message).field("check_name", finding.code);
    json.field("fingerprint", names[i]).field("severity", gitlab_severity(finding.severity));
    json.key("location").begin_object().field("path", finding.file.name());
    json.key("lines").begin_object();
    json.field("begin", finding.file.line_of(finding.span.begin));
    json.field("end", finding.file.line_of(finding.span.end)).end_object();
    json.end_object().end_object();
  }
  json.end_array();
  return json.take() + "\n";
}

}  // namespace nacre::report
