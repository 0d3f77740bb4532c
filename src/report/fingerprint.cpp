#include "report/fingerprint.h"

#include <fmt/format.h>
#include <unordered_map>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace nacre::report {

namespace {

constexpr size_t kLongestLine = 4096;  // of which the fingerprint is made

std::string identity(const Diagnostic& finding) {
  Span line = finding.file.line_span(finding.file.line_of(finding.span.begin));
  std::string text = finding.code + '\0' + finding.file.name() + '\0';
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
