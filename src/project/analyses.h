// Which analysis runs on a file: a table by language and verb. To add a language or a verb: write
// one function of type `Analyse`, and one row of the table in analyses.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/codes.h"
#include "base/suppression.h"
#include "project/language.h"
#include "project/settings.h"
#include "project/workspace.h"

namespace nacre::project {

// One file to look at. `files` is what the analysis may ask for other files and the environment.
struct Job {
  const SourceFile& file;
  const Settings& settings;
  Workspace& workspace;
  const Files& files;
  Stop stop;
};

struct FileAnalysis {
  std::vector<Diagnostic> findings;
  std::optional<Layout> layout;      // none: guessed from the lines and the comment syntax
  bool is_finished = true;           // false: it could not be parsed or analysed to the end
  std::vector<std::string> remarks;  // what was skipped, one sentence each, for stderr
};

using Analyse = void (*)(const Job& job, FileAnalysis& result);

struct AnalysisRow {
  Language language;
  std::string_view verb;   // of the command line, and of a code's page
  std::string_view codes;  // what is looked for, as CodeSet patterns with blanks between them
  Analyse run;
};

std::span<const AnalysisRow> analyses();

// What `verb` does with files of this language; null: nothing.
const AnalysisRow* find_analysis(Language language, std::string_view verb = "check");

// The rows' functions.
void analyse_shell(const Job& job, FileAnalysis& result);
void analyse_shell_lint(const Job& job, FileAnalysis& result);
void analyse_docker(const Job& job, FileAnalysis& result);
void analyse_makefile(const Job& job, FileAnalysis& result);
void analyse_python(const Job& job, FileAnalysis& result);

}  // namespace nacre::project
