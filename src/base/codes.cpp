#include "base/codes.h"

#include <algorithm>
#include <cassert>

#include "base/embedded.h"

namespace nacre {

std::span<const EmbeddedFile> embedded_code_pages();

namespace {

constexpr Family kFamilies[] = {
    {'S', "syntax"},          {'T', "types"},       {'X', "expansion"},  {'F', "file effects"},
    {'N', "non-determinism"}, {'I', "idempotence"}, {'J', "injection"},  {'R', "races"},
    {'P', "portability"},     {'M', "Makefile"},    {'D', "Dockerfile"}, {'Y', "Python"},
};

constexpr std::string_view kSeverityNames[] = {"error", "warning", "info", "style"};
constexpr std::string_view kConfidenceNames[] = {"certain", "likely", "possible"};

// The rest of the line that begins with `key`, or nothing.
std::string_view header_line(std::string_view page, std::string_view key) {
  size_t at = page.find(key);
  if (at == std::string_view::npos) return {};
  at += key.size();
  return page.substr(at, page.find('\n', at) - at);
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> items;
  while (!text.empty()) {
    size_t end = std::min(text.find_first_of(", "), text.size());
    if (end > 0) items.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return items;
}

Code parse_page(const EmbeddedFile& file) {
  std::string_view header = file.bytes.substr(0, file.bytes.find("\n## "));
  Code code;
  code.name = file.name.substr(0, file.name.rfind('.'));
  std::string_view title = header_line(header, "# ");
  code.title = title.substr(std::min(title.find(": ") + 2, title.size()));
  code.severity =
      severity_named(header_line(header, "\n- Severity: ")).value_or(Severity::kWarning);
  code.shellcheck_twins = split_list(header_line(header, "\n- ShellCheck: "));
  for (const std::string_view key : {"\n- Hadolint: ", "\n- BuildKit: ", "\n- Checkmake: "}) {
    for (const std::string_view alias : split_list(header_line(header, key)))
      code.aliases.push_back(alias);
  }
  code.is_off = header_line(header, "\n- Default: ") == "off";
  if (const auto verb = header_line(header, "\n- Verb: "); !verb.empty()) code.verb = verb;
  code.page = file.bytes;
  return code;
}

std::vector<Code> parse_pages() {
  std::vector<Code> all;
  for (const EmbeddedFile& file : embedded_code_pages()) all.push_back(parse_page(file));
  std::sort(all.begin(), all.end(), [](const Code& a, const Code& b) { return a.name < b.name; });
  return all;
}

}  // namespace

std::span<const Code> codes() {
  static const std::vector<Code> kCodes = parse_pages();
  return kCodes;
}

const Code* find_code(std::string_view name) {
  auto all = codes();
  auto at =
      std::lower_bound(all.begin(), all.end(), name,
                       [](const Code& code, std::string_view key) { return code.name < key; });
  return at != all.end() && at->name == name ? &*at : nullptr;
}

std::span<const Family> families() { return kFamilies; }

Diagnostic finding(std::string_view code, const SourceFile& file, Span span, std::string message,
                   Confidence confidence) {
  const Code* known = find_code(code);
  assert(known != nullptr && "every code has a page in docs/codes");
  Diagnostic result;
  result.code = code;
  result.severity = known != nullptr ? known->severity : Severity::kWarning;
  result.confidence = confidence;
  result.file = file;
  result.span = span;
  result.message = std::move(message);
  return result;
}

std::string_view name_of(Severity severity) {
  return kSeverityNames[static_cast<size_t>(severity)];
}

std::string_view name_of(Confidence confidence) {
  return kConfidenceNames[static_cast<size_t>(confidence)];
}

std::optional<Severity> severity_named(std::string_view name) {
  const auto* at = std::find(std::begin(kSeverityNames), std::end(kSeverityNames), name);
  if (at == std::end(kSeverityNames)) return std::nullopt;
  return static_cast<Severity>(at - std::begin(kSeverityNames));
}

bool CodeSet::contains(std::string_view code) const {
  return std::any_of(patterns_.begin(), patterns_.end(), [code](const std::string& pattern) {
    return pattern == "all" || code.starts_with(pattern);
  });
}

// One letter is a family of our own, never the beginning of an alias.
bool CodeSet::contains(const Diagnostic& diagnostic) const {
  if (contains(diagnostic.code)) return true;
  const auto begins = [&](const std::string& alias) {
    return std::any_of(patterns_.begin(), patterns_.end(), [&](const std::string& pattern) {
      return pattern.size() > 1 && alias.starts_with(pattern);
    });
  };
  return std::any_of(diagnostic.aliases.begin(), diagnostic.aliases.end(), begins);
}

bool CodeSet::names(const Diagnostic& diagnostic) const {
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const std::string& pattern) {
    const auto& aliases = diagnostic.aliases;
    return pattern == diagnostic.code ||
           std::find(aliases.begin(), aliases.end(), pattern) != aliases.end();
  });
}

bool is_code_pattern(std::string_view pattern) {
  if (pattern == "all") return true;
  if (pattern.size() == 1) {  // a family is known even before its first code
    return std::any_of(std::begin(kFamilies), std::end(kFamilies),
                       [&](const Family& family) { return family.letter == pattern[0]; });
  }
  auto all = codes();
  return std::any_of(all.begin(), all.end(), [&](const Code& code) {
    const auto begins = [&](std::string_view name) { return name.starts_with(pattern); };
    return begins(code.name) || std::any_of(code.aliases.begin(), code.aliases.end(), begins) ||
           std::any_of(code.shellcheck_twins.begin(), code.shellcheck_twins.end(), begins);
  });
}

}  // namespace nacre
