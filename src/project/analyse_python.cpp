#include <algorithm>
#include <fmt/format.h>

#include "base/path.h"
#include "flow/check.h"
#include "project/analyses.h"
#include "python/check.h"
#include "shell/embedded.h"

namespace nacre::project {

namespace {

constexpr size_t kMaxShellTexts = 200;  // of a file

bool touches(const std::vector<Span>& spans, Span span) {
  return std::any_of(spans.begin(), spans.end(),
                     [&](Span each) { return each.begin <= span.end && span.begin <= each.end; });
}

// Findings about unknown values, and about variables that the program may have set, are of no use.
// In a file without language types only what is certain is reported.
bool is_of_use(const python::ShellText& text, const Diagnostic& each, bool has_types) {
  if (each.code == "X102" || each.code == "X110" || touches(text.holes, each.span)) return false;
  if (!text.holes.empty() && each.code.starts_with("T1")) return false;
  return has_types || (each.confidence == Confidence::kCertain && text.holes.empty());
}

// The commands that the program gives to a shell, checked as the shell would read them.
class ShellTextChecker {
 public:
  ShellTextChecker(const Job& job, FileAnalysis& result)
      : job_(job),
        result_(result),
        cards_(job.workspace.cards_for(absolute_path(job.files, job.file.name()))) {}

  void check(const python::ShellText& text, bool has_types) {
    const shell::ParseResult parsed =
        shell::parse_mapped(job_.file, text.map, text.text, shell::ParseOptions{});
    // An unknown value may hold quotes and operators: what it leaves open is no mistake.
    if (!parsed.is_valid() && !text.holes.empty()) return;
    add(text, parsed.diagnostics, has_types);
    if (!parsed.is_valid()) return;
    flow::CheckOptions options;
    options.budget.stop = job_.stop;
    add(text, flow::check(parsed.tree, *cards_->library, options).findings, has_types);
  }

 private:
  void add(const python::ShellText& text, std::vector<Diagnostic> findings, bool has_types) {
    for (Diagnostic& each : findings) {
      if (!is_of_use(text, each, has_types)) continue;
      if (!text.holes.empty()) each.confidence = std::max(each.confidence, Confidence::kLikely);
      each.fixes.clear();  // an edit would have to be one of a Python literal
      result_.findings.push_back(std::move(each));
    }
  }

  const Job& job_;
  FileAnalysis& result_;
  std::shared_ptr<const Cards> cards_;
};

}  // namespace

void analyse_python(const Job& job, FileAnalysis& result) {
  const python::FileReport report = python::check_python(job.file.bytes(), {.stop = job.stop});
  result.is_finished = !report.is_syntax_error;
  result.findings = python::findings_of(report, job.file);
  if (report.shell_texts.empty()) return;
  ShellTextChecker checker(job, result);
  for (size_t i = 0; i < std::min(report.shell_texts.size(), kMaxShellTexts); ++i)
    checker.check(report.shell_texts[i], report.has_types);
  if (report.shell_texts.size() > kMaxShellTexts) {
    result.remarks.push_back(fmt::format("{}: only the first {} shell commands were checked",
                                         job.file.name(), kMaxShellTexts));
  }
}

}  // namespace nacre::project
