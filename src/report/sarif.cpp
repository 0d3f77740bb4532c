// SARIF 2.1.0, as GitHub code scanning and the SARIF viewers read it.
#include <fmt/format.h>
#include <map>

#include "base/codes.h"
#include "base/json_writer.h"
#include "report/fingerprint.h"
#include "report/report.h"
#include "report/severity_names.h"

namespace nacre::report {

namespace {

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

// Out of 100; viewers sort by it.
double rank(Confidence confidence) {
  switch (confidence) {
    case Confidence::kCertain: return 100.0;
    case Confidence::kLikely: return 70.0;
    case Confidence::kPossible: return 30.0;
  }
  return 0.0;
}

// A path as a relative URI reference (RFC 3986): everything else is written %XX.
std::string uri(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string result = path.starts_with('/') ? "file://" : "";
  for (char c : path) {
    bool is_alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    bool is_plain = is_alnum || kPlain.find(c) != std::string_view::npos;
    result += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

void write_message(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key).begin_object().field("text", text).end_object();
}

void write_region(JsonWriter& json, std::string_view key, const SourceFile& file, Span span) {
  const Position begin = file.position(span.begin);
  const Position end = file.position(span.end);
  json.key(key).begin_object().field("startLine", begin.line);
  json.field("startColumn", begin.character).field("endLine", end.line);
  json.field("endColumn", end.character).field("byteOffset", span.begin);
  json.field("byteLength", span.size()).end_object();
}

void write_artifact(JsonWriter& json, const SourceFile& file) {
  json.key("artifactLocation").begin_object().field("uri", uri(file.name())).end_object();
}

// A location, with what is to be said about it unless that is empty.
void write_location(JsonWriter& json, const SourceFile& file, Span span, std::string_view message) {
  json.begin_object().key("physicalLocation").begin_object();
  write_artifact(json, file);
  write_region(json, "region", file, span);
  json.end_object();
  if (!message.empty()) write_message(json, "message", message);
  json.end_object();
}

void write_code_flow(JsonWriter& json, std::span<const Note> path) {
  json.key("codeFlows").begin_array().begin_object();
  json.key("threadFlows").begin_array().begin_object().key("locations").begin_array();
  for (const Note& step : path) {
    json.begin_object().key("location");
    write_location(json, step.file, step.span, step.message);
    json.end_object();
  }
  json.end_array().end_object().end_array().end_object().end_array();
}

void write_sarif_fix(JsonWriter& json, const SourceFile& file, const Fix& fix) {
  json.begin_object();
  write_message(json, "description", fix.message);
  json.key("artifactChanges").begin_array().begin_object();
  write_artifact(json, file);
  json.key("replacements").begin_array();
  for (const Edit& edit : fix.edits) {
    json.begin_object();
    write_region(json, "deletedRegion", file, edit.span);
    write_message(json, "insertedContent", edit.text);
    json.end_object();
  }
  json.end_array().end_object().end_array().end_object();
}

void write_rule(JsonWriter& json, const Code& code) {
  json.begin_object().field("id", code.name);
  write_message(json, "shortDescription", code.title);
  json.key("help").begin_object().field("text", code.page).field("markdown", code.page);
  json.end_object().key("defaultConfiguration").begin_object();
  json.field("level", three_level_name(code.severity)).end_object().end_object();
}

// Writes the rules that have results; the index of each.
std::map<std::string, size_t> write_rules(JsonWriter& json, std::span<const Diagnostic> findings) {
  std::map<std::string, size_t> index;
  json.key("rules").begin_array();
  for (const Diagnostic& finding : findings) {
    const Code* code = find_code(finding.code);
    if (code != nullptr && index.try_emplace(finding.code, index.size()).second)
      write_rule(json, *code);
  }
  json.end_array();
  return index;
}

void write_result(JsonWriter& json, const Diagnostic& finding, const std::string& fingerprint,
                  const std::map<std::string, size_t>& rules) {
  std::string text = finding.message;
  if (!finding.counterexample.empty()) text += "\nCounterexample: " + finding.counterexample;
  json.begin_object().field("ruleId", finding.code);
  const auto index = rules.find(finding.code);
  if (index != rules.end()) json.field("ruleIndex", index->second);
  json.field("level", three_level_name(finding.severity)).field("rank", rank(finding.confidence));
  write_message(json, "message", text);
  json.key("locations").begin_array();
  write_location(json, finding.file, finding.span, "");
  json.end_array();
  json.key("partialFingerprints").begin_object().field("nacre/v1", fingerprint).end_object();
  if (!finding.notes.empty()) {
    json.key("relatedLocations").begin_array();
    for (const Note& note : finding.notes) write_location(json, note.file, note.span, note.message);
    json.end_array();
  }
  if (!finding.path.empty()) write_code_flow(json, finding.path);
  if (!finding.fixes.empty()) {
    json.key("fixes").begin_array();
    for (const Fix& each : finding.fixes) write_sarif_fix(json, finding.file, each);
    json.end_array();
  }
  json.end_object();
}

}  // namespace

std::string sarif(const Report& report, const Style&) {
  JsonWriter json(JsonWriter::Shape::kIndented);
  json.begin_object().field("$schema", kSchema).field("version", "2.1.0");
  json.key("runs").begin_array().begin_object();
  json.key("tool").begin_object().key("driver").begin_object();
  json.field("name", "nacre").field("version", report.version);
  const auto rules = write_rules(json, report.findings);
  json.end_object().end_object().field("columnKind", "unicodeCodePoints");
  json.key("invocations").begin_array().begin_object();
  json.field("executionSuccessful", report.is_finished).end_object().end_array();
  json.key("results").begin_array();
  const std::vector<std::string> names = fingerprints(report.findings);
  for (size_t i = 0; i < names.size(); i++) write_result(json, report.findings[i], names[i], rules);
  json.end_array().end_object().end_array().end_object();
  return json.take() + "\n";
}

}  // namespace nacre::report
