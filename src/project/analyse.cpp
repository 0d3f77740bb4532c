#include "project/analyse.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "base/encoding.h"
#include "base/heap.h"
#include "base/read_source.h"
#include "commands/card_library.h"
#include "flow/check.h"
#include "make/check.h"
#include "project/cards.h"
#include "project/concretize.h"
#include "project/discover.h"
#include "project/shell_layout.h"
#include "python/check.h"
#include "shell/embedded.h"
#include "shell/parse.h"

namespace nacre::project {

namespace {

// What half of all scripts need at least.
constexpr size_t kHeapPerByte = 96;
constexpr size_t kMostExpected = size_t{1} << 20;

shell::Dialect dialect_of(const SourceFile& file, const Settings& settings) {
  if (auto named = shell::dialect_named(settings.shell)) return *named;
  return shell::detect_dialect(file).value_or(shell::Dialect::kSh);
}

// Reads the files that a script sources, by their paths from its directory.
flow::CheckOptions options_for(const SourceFile& file, const Settings& settings) {
  flow::CheckOptions options;
  const std::string directory = std::filesystem::path(absolute_path(file.name())).parent_path();
  options.read_sourced = [directory, limit = settings.max_bytes](
                             const std::string& path) -> std::optional<SourceFile> {
    const std::string found = directory + "/" + path;
    std::error_code error;
    if (!std::filesystem::is_regular_file(found, error)) return std::nullopt;
    auto text = read_source(found, path, limit);
    return text ? std::optional(*std::move(text)) : std::nullopt;
  };
  return options;
}

// A second look, with files and variables as they are now; what it finds beyond the first says so.
void add_present_findings(const shell::Tree& tree, const commands::CardLibrary& cards,
                          const Settings& settings, std::vector<Diagnostic>& findings) {
  const flow::Outside outside = present_outside(settings.max_bytes);
  flow::CheckOptions options = options_for(tree.file(), settings);
  options.outside = &outside;
  const auto is_known = [&](const Diagnostic& diagnostic) {
    return std::any_of(findings.begin(), findings.end(), [&](const Diagnostic& other) {
      return other.code == diagnostic.code && other.span == diagnostic.span;
    });
  };
  std::vector<Diagnostic> present;
  for (Diagnostic& diagnostic : flow::check(tree, cards, options).findings) {
    if (is_known(diagnostic)) continue;
    diagnostic.message += ", as files and environment are now";
    if (diagnostic.confidence == Confidence::kCertain) diagnostic.confidence = Confidence::kLikely;
    present.push_back(std::move(diagnostic));
  }
  std::move(present.begin(), present.end(), std::back_inserter(findings));
}

// What is wrong in the strings of `sh -c`, `trap` and the like, and in those within them. Which
// shell ssh meets on its host is not known, and what is given to eval is often hidden there from
// the shells that lack it: of these only mistakes are reported, not what the dialect lacks.
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

void analyse_shell(const SourceFile& file, const Settings& settings, FileAnalysis& result) {
  expect_heap(std::min(kHeapPerByte * file.bytes().size(), kMostExpected));
  auto parsed = shell::parse_file(file, dialect_of(file, settings));
  for (Diagnostic& diagnostic : parsed.diagnostics) {
    result.analysis.findings.push_back(std::move(diagnostic));
  }
  check_embedded(parsed.tree, result.analysis.findings);
  result.analysis.layout = layout_of(parsed.tree);
  result.analysis.is_finished = parsed.is_valid();
  Cards cards = cards_for(absolute_path(file.name()));
  result.analysis.is_finished &= cards.mistakes.empty();
  for (Diagnostic& mistake : cards.mistakes) result.analysis.findings.push_back(std::move(mistake));
  flow::CheckResult checked = flow::check(parsed.tree, *cards.library, options_for(file, settings));
  if (checked.is_exhausted) {
    result.analysis.is_finished = false;
    result.remarks.push_back(fmt::format(
        "{}: a budget ran out; some calls, loops or programs of awk and sed were not looked into",
        file.name()));
  }
  std::vector<Diagnostic> findings = std::move(checked.findings);
  if (settings.concretizes) add_present_findings(parsed.tree, *cards.library, settings, findings);
  std::move(findings.begin(), findings.end(), std::back_inserter(result.analysis.findings));
}

void analyse_python(const SourceFile& file, FileAnalysis& result) {
  bool is_valid = true;
  for (Diagnostic& diagnostic : python::diagnose_python(file, {}, &is_valid)) {
    result.analysis.findings.push_back(std::move(diagnostic));
  }
  result.analysis.layout = guess_layout(file);
  result.analysis.is_finished = is_valid;
}

// Files that a Makefile includes, by their paths from its directory.
make::ReadOptions reading_of(const SourceFile& file, const Settings& settings) {
  make::ReadOptions reading;
  reading.read_include = options_for(file, settings).read_sourced;
  return reading;
}

void analyse_makefile(const SourceFile& file, const Settings& settings, FileAnalysis& result) {
  Cards cards = cards_for(absolute_path(file.name()));
  make::CheckOptions options;
  options.reading = reading_of(file, settings);
  make::CheckResult checked = make::check(file, *cards.library, options);
  for (auto* list : {&cards.mistakes, &checked.findings}) {
    std::move(list->begin(), list->end(), std::back_inserter(result.analysis.findings));
  }
  result.analysis.layout = std::move(checked.layout);
  result.analysis.is_finished = checked.is_accepted && !checked.is_exhausted;
  if (checked.is_exhausted) {
    result.remarks.push_back(fmt::format(
        "{}: a budget ran out; some rules or recipes were not looked into", file.name()));
  }
}

// Nothing looks at this language yet, and that must not look like success.
void refuse(Language language, FileAnalysis& result) {
  result.analysis.is_finished = false;
  result.remarks.push_back(fmt::format("{} files are not checked yet", name_of(language)));
}

void analyse_text(const SourceFile& file, const Settings& settings, FileAnalysis& result) {
  result.analysis.findings = check_encoding(file);
  result.analysis.examined = CodeSet({"S", "P001", "T", "X", "J"});
  // A file that was named is taken for a shell script unless it says otherwise.
  Language language = language_of(file.name(), file.bytes()).value_or(Language::kShell);
  if (language == Language::kShell) {
    analyse_shell(file, settings, result);
  } else if (language == Language::kPython) {
    result.analysis.examined = CodeSet({"S", "P001", "Y"});
    analyse_python(file, result);
  } else if (language == Language::kMakefile) {
    result.analysis.examined = CodeSet({"S", "P001", "T", "X", "J", "M"});
    analyse_makefile(file, settings, result);
  } else {
    refuse(language, result);
  }
}

}  // namespace

bool is_analysed(Language language) { return language != Language::kDockerfile; }

std::vector<flow::TypeAt> types_of(const SourceFile& file, const Settings& settings,
                                   flow::CheckOptions options) {
  options.wants_types = true;
  options.read_sourced = options_for(file, settings).read_sourced;
  const auto parsed = shell::parse_file(file, dialect_of(file, settings));
  const Cards cards = cards_for(absolute_path(file.name()));
  return flow::check(parsed.tree, *cards.library, options).types;
}

FileAnalysis analyse(const SourceFile& file, const Settings& settings) {
  FileAnalysis result;
  result.analysis.file = file;
  if (auto nul = find_nul(file)) {
    result.analysis.is_finished = false;
    result.analysis.findings = {
        finding("S002", file, {*nul, *nul + 1}, "this is not a text file", Confidence::kCertain)};
  } else {
    analyse_text(file, settings, result);
  }
  return result;
}

}  // namespace nacre::project
