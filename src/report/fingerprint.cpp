#include "report/fingerprint.h"

#include <fmt/format.h>
#include <unordered_map>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace nacre::report {

namespace {

constexpr size_t kLongestLine = 4096;  // of which the fingerprint is made

// "./a.sh" and "a.sh" are the same file.
std::string_view plain_path(std::string_view name) {
  while (name.starts_with("./")) name.remove_prefix(2);
  return name;
}

std::string identity(const Diagnostic& finding) {
  Span line = finding.file.line_span(finding.file.line_of(finding.span.begin));
  std::string text = finding.code + '\0';
  text += plain_path(finding.file.name());
  text += '\0';
  for (char c : finding.file.text(line).substr(0, kLongestLine)) {
    if (c != ' ' && c != '\t') text += c;
  }
  return text;
}

}  // namespace

std::vector<std::string> fingerprints(std::span<const Diagnostic> findings) {
  std::unordered_map<std::string, unsigned> seen;
  std::vector<std::string> result;
  for (const Diagnostic& finding : findings) {
    std::string text = identity(finding);
    unsigned ordinal = seen[text]++;
    text += fmt::format("{}", ordinal);
    result.push_back(fmt::format("{:016x}", XXH3_64bits(text.data(), text.size())));
  }
  return result;
}

}  // namespace nacre::report
