#include "shell/testing/differences.h"

#include <algorithm>
#include <cstdio>
#include <fmt/core.h>
#include <functional>
#include <string_view>

#include "shell/parse.h"
#include "shell/print.h"
#include "shell/testing/reduce.h"

namespace nacre::shell {

namespace {

constexpr std::string_view kShellSays = "the shell says";

// The same words for the same reason: without line numbers and what stands in quotes.
std::string without_particulars(std::string_view message) {
  std::string cause;
  bool is_quoted = false;
  for (const char c : message) {
    if (c == '`' || c == '\'' || c == '"') is_quoted = !is_quoted;
    if (!is_quoted && (c < '0' || c > '9')) cause += c;
  }
  return cause;
}

std::string first_error(const ParseResult& result) {
  for (const Diagnostic& diagnostic : result.diagnostics)
    if (diagnostic.severity == Severity::kError)
      return fmt::format("line {}: {}", diagnostic.file.line_of(diagnostic.span.begin),
                         diagnostic.message);
  return "no error";
}

// Empty if we accept the text and print it as it was.
std::string our_cause(std::string_view text, Dialect dialect) {
  const ParseResult result = parse_file(SourceFile("script", std::string(text)), dialect);
  if (print(result.tree) != text) return "not printed as it was";
  return result.is_valid() ? "" : without_particulars("we say " + first_error(result));
}

std::string cause_of(const ShellVerdict& verdict) {
  if (verdict.is_valid) return "";
  return without_particulars(fmt::format("{} {}", kShellSays, verdict.message));
}

std::string shell_cause(std::string_view text, Dialect dialect) {
  const ScratchFile file(text);
  return cause_of(ask_shell(dialect, file.path()));
}

std::string key_of(Dialect dialect, const std::string& text) {
  return fmt::format("{}:{:016x}:{}", name_of(dialect), std::hash<std::string>()(text),
                     text.size());
}

}  // namespace

// One line `KEY VALID LINE MESSAGE` for each verdict.
TruthCache::TruthCache(std::string path) : path_(std::move(path)) {
  FILE* file = std::fopen(path_.c_str(), "rb");
  if (file == nullptr) return;
  char key[64], message[512];
  int valid = 0;
  uint32_t line = 0;
  while (std::fscanf(file, "%63s %d %u%511[^\n]", key, &valid, &line, message) == 4)
    verdicts_[key] = {valid != 0, line, message + 1};
  std::fclose(file);
}

TruthCache::~TruthCache() {
  FILE* file = std::fopen(path_.c_str(), "wb");
  if (file == nullptr) return;
  for (const auto& [key, verdict] : verdicts_)
    fmt::print(file, "{} {:d} {} {}\n", key, verdict.is_valid, verdict.line, verdict.message);
  std::fclose(file);
}

const ShellVerdict& TruthCache::ask(const Script& script, const std::string& text) {
  const auto [entry, is_new] = verdicts_.try_emplace(key_of(script.dialect, text));
  if (is_new) entry->second = ask_shell(script.dialect, script.path);
  return entry->second;
}

std::vector<Difference> find_differences(const std::vector<Script>& scripts, TruthCache& truth) {
  std::vector<Difference> differences;
  for (const Script& script : scripts) {
    const std::string text = read_file(script.path);
    const ShellVerdict& verdict = truth.ask(script, text);
    const std::string ours = our_cause(text, script.dialect);
    if (ours.empty() != verdict.is_valid)
      differences.push_back({script, text, verdict.is_valid ? ours : cause_of(verdict)});
  }
  return differences;
}

std::string reduced(const Difference& difference) {
  const Dialect dialect = difference.script.dialect;
  const bool the_shell_rejects = difference.cause.starts_with(kShellSays);
  auto still_differs = [&](std::string_view text) {
    const std::string ours = our_cause(text, dialect);
    if (the_shell_rejects) return ours.empty() && shell_cause(text, dialect) == difference.cause;
    return ours == difference.cause && shell_cause(text, dialect).empty();
  };
  return reduce(difference.text, still_differs, 2000);
}

void write_differences(const std::vector<Difference>& differences, const std::string& path) {
  std::map<std::string, std::vector<const Difference*>> by_cause;
  for (const Difference& difference : differences)
    by_cause[difference.cause].push_back(&difference);
  FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return;
  for (const auto& [cause, group] : by_cause) {
    const Difference& smallest = **std::min_element(
        group.begin(), group.end(),
        [](const auto* a, const auto* b) { return a->text.size() < b->text.size(); });
    fmt::print(file, "#### {}: {} ({} scripts)\n{}\n---- found in\n", cause,
               name_of(smallest.script.dialect), group.size(), reduced(smallest));
    for (const Difference* difference : group) fmt::print(file, "{}\n", difference->script.path);
    fmt::print(file, "\n");
  }
  std::fclose(file);
}

}  // namespace nacre::shell
