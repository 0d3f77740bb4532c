// The codes of findings. A code is a family letter and a number ("T101") and is never reused. Its
// one home is the page docs/codes/CODE.md, which is embedded in the program: adding a page adds the
// code. The page begins
//
//   # T101: Title in one line
//
//   - Severity: error | warning | info | style
//   - ShellCheck: SC1017, SC2086    (optional: its twins there)
//   - Hadolint: DL3008               (optional: the same)
//   - BuildKit: JSONArgsRecommended  (optional: the same)
//   - Default: off                   (optional: reported only if it is asked for by name)
//   - Verb: lint                     (optional: the verb that reports it; check unless given)
//
// and then explains, with the fenced blocks under "## Bad" and "## Good" that the tests run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace nacre {

struct Code {
  std::string_view name;
  std::string_view title;
  Severity severity = Severity::kWarning;
  std::vector<std::string_view> shellcheck_twins;
  std::vector<std::string_view> aliases;  // of other linters; a finding says which it answers to
  bool is_off = false;                    // unless it is chosen by name or given a severity
  std::string_view verb = "check";        // that reports it
  std::string_view page;                  // Markdown, whole
};

struct Family {
  char letter;
  std::string_view name;
};

// Sorted by name. Built at the first call; safe to call from several threads.
std::span<const Code> codes();
const Code* find_code(std::string_view name);
std::span<const Family> families();

// A finding with the severity that its page gives. The code must have a page.
Diagnostic finding(std::string_view code, const SourceFile& file, Span span, std::string message,
                   Confidence confidence = Confidence::kLikely);

std::string_view name_of(Severity severity);
std::string_view name_of(Confidence confidence);
std::optional<Severity> severity_named(std::string_view name);

// What users write where codes are chosen: a code ("T101"), the beginning of some ("T", "T1"), what
// another tool calls it ("DL3008") or "all". Nothing is chosen by an empty set.
class CodeSet {
 public:
  CodeSet() = default;
  explicit CodeSet(std::vector<std::string> patterns) : patterns_(std::move(patterns)) {}
  [[nodiscard]] bool contains(std::string_view code) const;
  // By its code or one of its aliases.
  [[nodiscard]] bool contains(const Diagnostic& diagnostic) const;
  // The same, but not by "all" or the beginning of a code.
  [[nodiscard]] bool names(const Diagnostic& diagnostic) const;
  [[nodiscard]] bool empty() const { return patterns_.empty(); }
  [[nodiscard]] const std::vector<std::string>& patterns() const { return patterns_; }

 private:
  std::vector<std::string> patterns_;
};

// Whether `pattern` chooses any code that exists.
bool is_code_pattern(std::string_view pattern);

}  // namespace nacre
