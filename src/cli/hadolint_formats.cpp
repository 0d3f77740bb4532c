#include "cli/hadolint_formats.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "base/codes.h"
#include "base/json_writer.h"

namespace nacre::cli {

namespace {

using Files = std::vector<std::string>;

std::string xml(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&apos;"; break;
      default: result += c;
    }
  }
  return result;
}

template <typename F>
std::string joined(const HadolintRows& rows, std::string_view separator, F&& f) {
  std::string text;
  for (const HadolintRow& row : rows) {
    if (!text.empty()) text += separator;
    text += f(row);
  }
  return text;
}

std::string tty(const HadolintRows& rows, const Files&) {
  return joined(rows, "", [](const HadolintRow& row) {
    return fmt::format("{}:{} {} {}: {}\n", row.file, row.line, row.rule, name_of(row.level),
                       row.message);
  });
}

std::string gnu(const HadolintRows& rows, const Files&) {
  return joined(rows, "", [](const HadolintRow& row) {
    return fmt::format("hadolint:{}:{}: {} {}: {}\n", row.file, row.line, row.rule,
                       name_of(row.level), row.message);
  });
}

JsonWriter compact() { return JsonWriter(JsonWriter::Shape::kCompact); }

std::string json(const HadolintRows& rows, const Files&) {
  JsonWriter json = compact();
  json.begin_array();
  for (const HadolintRow& row : rows) {
    json.begin_object().field("code", row.rule).field("column", row.column);
    json.field("file", row.file).field("level", name_of(row.level));
    json.field("line", row.line).field("message", row.message).end_object();
  }
  return json.end_array().take();
}

// Rows of one file follow each other.
std::string checkstyle(const HadolintRows& rows, const Files& files) {
  std::string text = "<?xml version='1.0' encoding='UTF-8'?><checkstyle version='4.3'>";
  for (const std::string& file : files) {
    text += fmt::format("<file name='{}' >", xml(file));
    for (const HadolintRow& row : rows) {
      if (row.file != file) continue;
      text += fmt::format("<error line='{}' column='{}' severity='{}' message='{}' source='{}' />",
                          row.line, row.column, name_of(row.level), xml(row.message), row.rule);
    }
    text += "</file>";
  }
  return text + "</checkstyle>";
}

std::string_view climate_severity(Severity level) {
  switch (level) {
    case Severity::kError: return "blocker";
    case Severity::kWarning: return "major";
    case Severity::kInfo: return "info";
    case Severity::kStyle: return "minor";
  }
  return "info";
}

// The same for the same text: FNV-1a over what identifies the row.
std::string fingerprint(const HadolintRow& row) {
  uint64_t hash = 14695981039346656037ull;
  for (const char c : fmt::format("{}:{}:{}:{}", row.file, row.line, row.rule, row.message)) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ull;
  }
  return fmt::format("{:016x}", hash);
}

void write_climate(JsonWriter& json, const HadolintRow& row, bool has_fingerprint) {
  json.begin_object().field("type", "issue").field("check_name", row.rule);
  json.field("description", row.message).key("categories").begin_array().value("Bug Risk");
  json.end_array().field("severity", climate_severity(row.level));
  if (has_fingerprint) json.field("fingerprint", fingerprint(row));
  json.key("location").begin_object().field("path", row.file).key("lines").begin_object();
  json.field("begin", row.line).field("end", row.line).end_object().end_object().end_object();
}

// One object after the other, each with a NUL after it.
std::string codeclimate(const HadolintRows& rows, const Files&) {
  std::string text;
  for (const HadolintRow& row : rows) {
    JsonWriter json = compact();
    write_climate(json, row, false);
    text += json.take();
    text += '\0';
  }
  return text;
}

std::string gitlab(const HadolintRows& rows, const Files&) {
  JsonWriter json = compact();
  json.begin_array();
  for (const HadolintRow& row : rows) write_climate(json, row, true);
  return json.end_array().take();
}

std::string codacy(const HadolintRows& rows, const Files&) {
  std::string text;
  for (const HadolintRow& row : rows) {
    JsonWriter json = compact();
    json.begin_object().field("patternId", row.rule).field("filename", row.file);
    json.field("line", row.line).field("message", row.message).end_object();
    text += json.take() + "\n";
  }
  return text;
}

std::string sonarqube(const HadolintRows& rows, const Files&) {
  constexpr std::string_view kSeverities[] = {"CRITICAL", "MAJOR", "MINOR", "INFO"};
  JsonWriter json = compact();
  json.begin_object().key("issues").begin_array();
  for (const HadolintRow& row : rows) {
    json.begin_object().field("engineId", "Hadolint").field("ruleId", row.rule);
    json.field("severity", kSeverities[static_cast<size_t>(row.level)]).field("type", "CODE_SMELL");
    json.key("primaryLocation").begin_object().field("message", row.message);
    json.field("filePath", row.file).key("textRange").begin_object();
    json.field("startLine", row.line).end_object().end_object().end_object();
  }
  return json.end_array().end_object().take();
}

std::string_view sarif_level(Severity level) {
  if (level == Severity::kError) return "error";
  return level == Severity::kWarning ? "warning" : "note";
}

std::string sarif(const HadolintRows& rows, const Files&) {
  JsonWriter json = compact();
  json.begin_object().field("version", "2.1.0");
  json.field("$schema", "http://json.schemastore.org/sarif-2.1.0").key("runs").begin_array();
  json.begin_object().key("tool").begin_object().key("driver").begin_object();
  json.field("name", "Hadolint").end_object().end_object().key("results").begin_array();
  for (const HadolintRow& row : rows) {
    json.begin_object().field("ruleId", row.rule).field("level", sarif_level(row.level));
    json.key("message").begin_object().field("text", row.message).end_object();
    json.key("locations").begin_array().begin_object().key("physicalLocation").begin_object();
    json.key("artifactLocation").begin_object().field("uri", row.file).end_object();
    json.key("region").begin_object().field("startLine", row.line);
    json.field("startColumn", row.column).end_object();
    json.end_object().end_object().end_array().end_object();
  }
  return json.end_array().end_object().end_array().end_object().take();
}

std::string junit(const HadolintRows& rows, const Files& files) {
  std::string text = fmt::format(
      "<?xml version='1.0' encoding='UTF-8'?><testsuites><testsuite name='hadolint' tests='{}' "
      "failures='{}'>",
      std::max(rows.size(), files.size()), rows.size());
  text += joined(rows, "", [](const HadolintRow& row) {
    return fmt::format(
        "<testcase classname='{0}' name='{1}:{2}'><failure type='{3}' "
        "message='{4}'>{0}:{2}</failure>"
        "</testcase>",
        xml(row.file), row.rule, row.line, name_of(row.level), xml(row.message));
  });
  for (const std::string& file : files) {
    const bool is_clean = std::none_of(rows.begin(), rows.end(),
                                       [&](const HadolintRow& row) { return row.file == file; });
    if (is_clean) text += fmt::format("<testcase classname='{0}' name='{0}' />", xml(file));
  }
  return text + "</testsuite></testsuites>";
}

constexpr HadolintFormat kFormats[] = {
    {"tty", tty},
    {"json", json},
    {"checkstyle", checkstyle},
    {"gnu", gnu},
    {"codeclimate", codeclimate},
    {"gitlab_codeclimate", gitlab},
    {"codacy", codacy},
    {"sonarqube", sonarqube},
    {"sarif", sarif},
    {"junit", junit},
};

}  // namespace

const HadolintFormat* find_hadolint_format(std::string_view name) {
  const auto* at = std::find_if(std::begin(kFormats), std::end(kFormats),
                                [&](const HadolintFormat& each) { return each.name == name; });
  return at == std::end(kFormats) ? nullptr : at;
}

}  // namespace nacre::cli
