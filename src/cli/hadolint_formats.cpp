#include "cli/hadolint_formats.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "base/codes.h"

namespace nacre::cli {

namespace {

using Files = std::vector<std::string>;

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (static_cast<unsigned char>(c) < ' ') {
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

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

std::string json(const HadolintRows& rows, const Files&) {
  return "[" +
         joined(
             rows, ",",
             [](const HadolintRow& row) {
               return fmt::format(
                   R"({{"code":"{}","column":{},"file":{},"level":"{}","line":{},"message":{}}})",
                   row.rule, row.column, quoted(row.file), name_of(row.level), row.line,
                   quoted(row.message));
             }) +
         "]";
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

std::string climate_row(const HadolintRow& row, std::string_view more) {
  return fmt::format(
      R"({{"type":"issue","check_name":"{0}","description":{1},"categories":["Bug Risk"],)"
      R"("severity":"{2}",{3}"location":{{"path":{4},"lines":{{"begin":{5},"end":{5}}}}}}})",
      row.rule, quoted(row.message), climate_severity(row.level), more, quoted(row.file), row.line);
}

std::string codeclimate(const HadolintRows& rows, const Files&) {
  std::string text;
  for (const HadolintRow& row : rows) {
    text += climate_row(row, "");
    text += '\0';
  }
  return text;
}

std::string gitlab(const HadolintRows& rows, const Files&) {
  return "[" +
         joined(rows, ",",
                [](const HadolintRow& row) {
                  return climate_row(row, fmt::format(R"("fingerprint":"{}",)", fingerprint(row)));
                }) +
         "]";
}

std::string codacy(const HadolintRows& rows, const Files&) {
  return joined(rows, "", [](const HadolintRow& row) {
    return fmt::format(R"({{"patternId":"{}","filename":{},"line":{},"message":{}}})"
                       "\n",
                       row.rule, quoted(row.file), row.line, quoted(row.message));
  });
}

std::string sonarqube(const HadolintRows& rows, const Files&) {
  const auto issue = [](const HadolintRow& row) {
    constexpr std::string_view kSeverities[] = {"CRITICAL", "MAJOR", "MINOR", "INFO"};
    return fmt::format(
        R"({{"engineId":"Hadolint","ruleId":"{}","severity":"{}","type":"CODE_SMELL",)"
        R"("primaryLocation":{{"message":{},"filePath":{},"textRange":{{"startLine":{}}}}}}})",
        row.rule, kSeverities[static_cast<size_t>(row.level)], quoted(row.message),
        quoted(row.file), row.line);
  };
  return "{\"issues\":[" + joined(rows, ",", issue) + "]}";
}

std::string sarif(const HadolintRows& rows, const Files&) {
  const auto result = [](const HadolintRow& row) {
    const std::string_view level = row.level == Severity::kError     ? "error"
                                   : row.level == Severity::kWarning ? "warning"
                                                                     : "note";
    return fmt::format(
        R"({{"ruleId":"{}","level":"{}","message":{{"text":{}}},"locations":[{{"physicalLocation":)"
        R"({{"artifactLocation":{{"uri":{}}},"region":{{"startLine":{},"startColumn":{}}}}}}}]}})",
        row.rule, level, quoted(row.message), quoted(row.file), row.line, row.column);
  };
  return R"({"version":"2.1.0","$schema":"http://json.schemastore.org/sarif-2.1.0","runs":[{"tool":)"
         R"({"driver":{"name":"Hadolint"}},"results":[)" +
         joined(rows, ",", result) + "]}]}";
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
