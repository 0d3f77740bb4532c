#include "base/emitter.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <tuple>

namespace nacre {

namespace {

auto sort_key(const Diagnostic& d) {
  return std::tie(d.file.name(), d.span.begin, d.span.end, d.severity, d.code, d.message);
}

// The severity that the user gives it, by its code or by what others call it.
std::optional<Severity> given_severity(const Diagnostic& diagnostic, const Choice& choice) {
  const auto find = [&](const std::string& name) { return choice.severities.find(name); };
  if (const auto at = find(diagnostic.code); at != choice.severities.end()) return at->second;
  for (const std::string& alias : diagnostic.aliases) {
    if (const auto at = find(alias); at != choice.severities.end()) return at->second;
  }
  return std::nullopt;
}

bool is_chosen(const Diagnostic& diagnostic, const Choice& choice) {
  const Code* code = find_code(diagnostic.code);
  const bool is_off = code != nullptr && code->is_off && !choice.select.names(diagnostic) &&
                      !given_severity(diagnostic, choice);
  return !is_off && choice.select.contains(diagnostic) && !choice.ignore.contains(diagnostic);
}

// What goes when a comment is removed: the blanks before it, and its whole line if nothing else is
// on it.
Span removal(const SourceFile& file, Span comment) {
  std::string_view bytes = file.bytes();
  Span line = file.line_span(file.line_of(comment.begin));
  Span gone = comment;
  while (gone.begin > line.begin &&
         (bytes[gone.begin - 1] == ' ' || bytes[gone.begin - 1] == '\t')) {
    gone.begin--;
  }
  if (gone.begin == line.begin && gone.end < bytes.size()) {
    gone.end = static_cast<uint32_t>(bytes.find('\n', gone.end) + 1);
  }
  return gone;
}

// Suppressions by file: findings may lie in files that the checked one sources.
class Suppressor {
 public:
  explicit Suppressor(const Analysis& analysis) : main_(analysis.file), verb_(analysis.verb) {
    list_ = find_suppressions(analysis.file, analysis.layout);
    for (const Suppression& each : analysis.layout.suppressions) list_.list.push_back(each);
    used_.resize(list_.list.size());
  }

  bool suppresses(const Diagnostic& diagnostic) {
    return diagnostic.file.name() == main_.name() ? main_suppresses(diagnostic)
                                                  : other_suppresses(diagnostic);
  }

  [[nodiscard]] std::vector<Diagnostic> mistakes() const { return list_.mistakes; }

  // One finding for each code that was examined, chosen, and suppressed nothing.
  [[nodiscard]] std::vector<Diagnostic> useless(const CodeSet& examined,
                                                const Choice& choice) const {
    std::vector<Diagnostic> found;
    for (size_t i = 0; i < list_.list.size(); i++) {
      const Suppression& suppression = list_.list[i];
      bool could_matter = examined.contains(suppression.pattern) &&
                          is_of_this_verb(suppression.pattern) &&
                          !choice.ignore.contains(suppression.pattern) &&
                          choice.select.contains(suppression.pattern);
      // What ShellCheck has to say is not known here, so its directives are left alone.
      if (used_[i] || suppression.is_alias || suppression.is_shellcheck || !could_matter) continue;
      found.push_back(useless_finding(suppression));
    }
    return found;
  }

 private:
  // A family or "all" may be meant for several verbs, so it is taken for this one.
  [[nodiscard]] bool is_of_this_verb(std::string_view pattern) const {
    const Code* code = find_code(pattern);
    return code == nullptr || code->verb == verb_;
  }

  [[nodiscard]] Diagnostic useless_finding(const Suppression& suppression) const {
    Diagnostic result = finding("S008", main_, suppression.directive,
                                fmt::format("no finding {} here to suppress", suppression.pattern),
                                Confidence::kCertain);
    if (suppression.is_alone) {
      result.fixes = {
          {"remove the directive", {{removal(main_, suppression.directive), ""}}, true}};
    }
    return result;
  }

  bool main_suppresses(const Diagnostic& diagnostic) {
    bool is_suppressed = false;
    for (size_t i = 0; i < list_.list.size(); i++) {
      if (!list_.list[i].reaches(diagnostic)) continue;
      used_[i] = true;
      is_suppressed = true;
    }
    return is_suppressed;
  }

  bool other_suppresses(const Diagnostic& diagnostic) {
    auto [at, is_new] = others_.try_emplace(diagnostic.file.name());
    if (is_new) at->second = find_suppressions(diagnostic.file, guess_layout(diagnostic.file));
    const auto& list = at->second.list;
    return std::any_of(list.begin(), list.end(),
                       [&](const Suppression& each) { return each.reaches(diagnostic); });
  }

  SourceFile main_;
  std::string verb_;
  Suppressions list_;
  std::vector<bool> used_;
  std::map<std::string, Suppressions, std::less<>> others_;
};

}  // namespace

void sort_and_unify(std::vector<Diagnostic>& diagnostics) {
  std::stable_sort(
      diagnostics.begin(), diagnostics.end(),
      [](const Diagnostic& a, const Diagnostic& b) { return sort_key(a) < sort_key(b); });
  auto is_same = [](const Diagnostic& a, const Diagnostic& b) {
    return sort_key(a) == sort_key(b);
  };
  diagnostics.erase(std::unique(diagnostics.begin(), diagnostics.end(), is_same),
                    diagnostics.end());
}

std::vector<Diagnostic> emit(Analysis analysis, const Choice& choice) {
  Suppressor suppressor(analysis);
  std::vector<Diagnostic> shown;
  auto consider = [&](Diagnostic diagnostic) {
    if (!is_chosen(diagnostic, choice) || suppressor.suppresses(diagnostic)) return;
    if (const auto severity = given_severity(diagnostic, choice)) diagnostic.severity = *severity;
    shown.push_back(std::move(diagnostic));
  };
  for (Diagnostic& diagnostic : analysis.findings) consider(std::move(diagnostic));
  for (Diagnostic& diagnostic : suppressor.mistakes()) consider(std::move(diagnostic));
  for (Diagnostic& diagnostic : suppressor.useless(analysis.examined, choice)) {
    consider(std::move(diagnostic));
  }
  sort_and_unify(shown);
  return shown;
}

}  // namespace nacre
