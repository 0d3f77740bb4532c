#include "project/analyse_shell.h"

#include <algorithm>

#include "base/expect_heap.h"
#include "base/path.h"
#include "project/analyses.h"
#include "project/bats.h"
#include "project/cards.h"
#include "project/shell_layout.h"
#include "shell/embedded.h"
#include "shell/parse.h"

namespace nacre::project {

namespace {

// Half of all scripts need at least this much memory.
constexpr size_t kHeapPerByte = 96;
constexpr size_t kMaxExpected = size_t{1} << 20;

// A file that does not say which shell it is for may be a part of a bash script, unless bash cannot
// read it.
shell::Dialect dialect_of(const SourceFile& file, const Settings& settings) {
  if (auto named = shell::dialect_named(settings.shell)) return *named;
  if (auto said = shell::detect_dialect(file)) return *said;
  if (shell::parse_file(file, shell::Dialect::kBash).is_valid()) return shell::Dialect::kBash;
  return shell::parse_file(file, shell::Dialect::kSh).is_valid() ? shell::Dialect::kSh
                                                                 : shell::Dialect::kBash;
}

flow::CheckOptions options_for(const SourceFile& file, const Settings& settings,
                               Workspace& workspace, const Files& files, Stop stop) {
  flow::CheckOptions options;
  options.files = &files;
  options.bodies = &workspace.bodies();
  options.directory = parent_path(absolute_path(files, file.name()));
  options.max_bytes = settings.max_bytes;
  options.budget.stop = stop;
  return options;
}

// A second pass, with files and variables as they are now; what it finds beyond the first says so.
void add_present_findings(const shell::Tree& tree, const commands::CardLibrary& cards,
                          flow::CheckOptions options, std::vector<Diagnostic>& findings) {
  options.concretizes = true;
  const auto is_known = [&](const Diagnostic& diagnostic) {
    return std::any_of(findings.begin(), findings.end(), [&](const Diagnostic& other) {
      return other.code == diagnostic.code && other.span == diagnostic.span;
    });
  };
  std::vector<Diagnostic> present;
  for (Diagnostic& diagnostic : flow::check(tree, cards, options).findings) {
    if (is_known(diagnostic)) continue;
    diagnostic.message += " (given the current files and environment)";
    if (diagnostic.confidence == Confidence::kCertain) diagnostic.confidence = Confidence::kLikely;
    present.push_back(std::move(diagnostic));
  }
  std::move(present.begin(), present.end(), std::back_inserter(findings));
}

// What is wrong in the strings of `sh -c`, `trap` and the like, and in those within them. The
// shell on the host of ssh is not known, and scripts use eval to hide syntax from shells that lack
// it: for these two only syntax errors are reported, not features that the dialect lacks.
void check_embedded(const shell::Tree& tree, std::vector<Diagnostic>& findings) {
  for (shell::Embedded& inner : shell::find_embedded(tree)) {
    const bool knows_dialect =
        inner.kind == shell::EmbeddedKind::kShell || inner.kind == shell::EmbeddedKind::kTrap;
    for (Diagnostic& diagnostic : inner.program.diagnostics) {
      if (knows_dialect || diagnostic.code != "P001") findings.push_back(std::move(diagnostic));
    }
    check_embedded(inner.program.tree, findings);
  }
}

// `@test "title" {` is a function for bats. It is read as one whose name has the same place and
// length, so that every finding has its place in the file.
void analyse_bats(const Job& job, FileAnalysis& result) {
  const SourceFile readable(job.file.name(), bats_as_bash(job.file.bytes()));
  analyse_shell({readable, job.settings, job.workspace, job.files, job.stop}, result);
  for (Diagnostic& each : result.findings) {
    each.file = job.file;
    for (auto* notes : {&each.notes, &each.path}) {
      for (Note& note : *notes)
        if (note.file.name() == job.file.name()) note.file = job.file;
    }
  }
}

}  // namespace

void analyse_shell(const Job& job, FileAnalysis& result) {
  if (is_bats(job.file)) return analyse_bats(job, result);
  expect_heap(std::min(kHeapPerByte * job.file.bytes().size(), kMaxExpected));
  auto parsed = shell::parse_file(job.file, dialect_of(job.file, job.settings));
  result.findings = std::move(parsed.diagnostics);
  check_embedded(parsed.tree, result.findings);
  result.layout = layout_of(parsed.tree);
  const auto cards = job.workspace.cards_for(absolute_path(job.files, job.file.name()));
  result.is_finished = parsed.is_valid() && cards->mistakes.empty();
  result.findings.insert(result.findings.end(), cards->mistakes.begin(), cards->mistakes.end());
  const flow::CheckOptions options =
      options_for(job.file, job.settings, job.workspace, job.files, job.stop);
  flow::CheckResult checked = flow::check(parsed.tree, *cards->library, options);
  std::vector<Diagnostic> findings = std::move(checked.findings);
  if (job.settings.concretizes)
    add_present_findings(parsed.tree, *cards->library, options, findings);
  std::move(findings.begin(), findings.end(), std::back_inserter(result.findings));
}

std::vector<flow::TypeAt> shell_types(const SourceFile& file, const Settings& settings,
                                      Workspace& workspace, const std::string& input, Stop stop) {
  flow::CheckOptions options = options_for(file, settings, workspace, workspace.files(), stop);
  options.wants_types = true;
  options.input = input;
  const auto parsed = shell::parse_file(file, dialect_of(file, settings));
  const auto cards = workspace.cards_for(absolute_path(workspace.files(), file.name()));
  return flow::types_of(flow::check(parsed.tree, *cards->library, options).facts);
}

}  // namespace nacre::project
