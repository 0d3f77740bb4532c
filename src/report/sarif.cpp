// SARIF 2.1.0, as GitHub code scanning and the SARIF viewers read it.
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "base/codes.h"
#include "report/fingerprint.h"
#include "report/printable.h"
#include "report/report.h"

namespace nacre::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

std::string_view level(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kInfo:
    case Severity::kStyle: return "note";
  }
  return "note";
}

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

Json message(std::string_view text) { return {{"text", valid_utf8(text)}}; }

Json region(const SourceFile& file, Span span) {
  Position begin = file.position(span.begin);
  Position end = file.position(span.end);
  return {{"startLine", begin.line},  {"startColumn", begin.character},
          {"endLine", end.line},      {"endColumn", end.character},
          {"byteOffset", span.begin}, {"byteLength", span.size()}};
}

Json location(const SourceFile& file, Span span) {
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", uri(file.name())}}}, {"region", region(file, span)}}}};
}

Json note_location(const Note& note) {
  Json object = location(note.file, note.span);
  object["message"] = message(note.message);
  return object;
}

Json code_flow(std::span<const Note> path) {
  Json steps = Json::array();
  for (const Note& step : path) steps.push_back({{"location", note_location(step)}});
  return {{"threadFlows", Json::array({{{"locations", std::move(steps)}}})}};
}

Json fix(const SourceFile& file, const Fix& fix) {
  Json replacements = Json::array();
  for (const Edit& edit : fix.edits) {
    replacements.push_back(
        {{"deletedRegion", region(file, edit.span)}, {"insertedContent", message(edit.text)}});
  }
  return {{"description", message(fix.message)},
          {"artifactChanges", Json::array({{{"artifactLocation", {{"uri", uri(file.name())}}},
                                            {"replacements", std::move(replacements)}}})}};
}

Json rule(const Code& code) {
  return {{"id", code.name},
          {"shortDescription", message(code.title)},
          {"help", {{"text", code.page}, {"markdown", code.page}}},
          {"defaultConfiguration", {{"level", level(code.severity)}}}};
}

// The rules that have results, and the index of each.
struct Rules {
  Json list = Json::array();
  std::map<std::string, size_t> index;

  explicit Rules(std::span<const Diagnostic> findings) {
    for (const Diagnostic& finding : findings) {
      const Code* code = find_code(finding.code);
      if (code == nullptr || !index.try_emplace(finding.code, list.size()).second) continue;
      list.push_back(rule(*code));
    }
  }
};

Json result(const Diagnostic& finding, const std::string& fingerprint, const Rules& rules) {
  std::string text = finding.message;
  if (!finding.counterexample.empty()) text += "\nCounterexample: " + finding.counterexample;
  Json object = {{"ruleId", finding.code}};
  auto index = rules.index.find(finding.code);
  if (index != rules.index.end()) object["ruleIndex"] = index->second;
  object["level"] = level(finding.severity);
  object["rank"] = rank(finding.confidence);
  object["message"] = message(text);
  object["locations"] = Json::array({location(finding.file, finding.span)});
  object["partialFingerprints"] = {{"nacre/v1", fingerprint}};
  for (const Note& note : finding.notes) object["relatedLocations"].push_back(note_location(note));
  if (!finding.path.empty()) object["codeFlows"] = Json::array({code_flow(finding.path)});
  for (const Fix& each : finding.fixes) object["fixes"].push_back(fix(finding.file, each));
  return object;
}

}  // namespace

std::string sarif(const Report& report, const Style&) {
  Rules rules(report.findings);
  Json results = Json::array();
  std::vector<std::string> names = fingerprints(report.findings);
  for (size_t i = 0; i < names.size(); i++) {
    results.push_back(result(report.findings[i], names[i], rules));
  }
  Json driver = {{"name", "nacre"}, {"version", report.version}, {"rules", std::move(rules.list)}};
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"columnKind", "unicodeCodePoints"},
              {"invocations", Json::array({{{"executionSuccessful", report.is_finished}}})},
              {"results", std::move(results)}};
  Json log = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
  return log.dump(2) + "\n";
}

}  // namespace nacre::report
