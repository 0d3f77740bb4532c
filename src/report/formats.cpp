#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/codes.h"
#include "report/report.h"

namespace nacre::report {

std::span<const Format> formats() {
  static constexpr Format kFormats[] = {
      {"text", text},   {"gcc", gcc},       {"json", json},
      {"jsonl", jsonl}, {"sarif", sarif},   {"checkstyle", checkstyle},
      {"junit", junit}, {"gitlab", gitlab}, {"github", github},
      {"diff", diff},
  };
  return kFormats;
}

const Format* find_format(std::string_view name) {
  for (const Format& format : formats()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

std::string statistics(const Report& report) {
  std::map<std::string, size_t> counts;
  for (const Diagnostic& finding : report.findings) counts[finding.code]++;
  std::vector<std::pair<std::string, size_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string result;
  for (const auto& [code, count] : sorted) {
    const Code* known = find_code(code);
    result += fmt::format("{:>7}  {}  {}\n", count, code, known != nullptr ? known->title : "");
  }
  return result;
}

}  // namespace nacre::report
