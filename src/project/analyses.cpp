#include "project/analyses.h"

namespace nacre::project {

namespace {

constexpr AnalysisRow kAnalyses[] = {
    {Language::kShell, "check", "S P001 P002 T X J F1", analyse_shell},
    // Not S004: the builder drops the carriage return at the end of a line.
    {Language::kDockerfile, "check",
     "S001 S002 S003 S005 S006 S007 S008 S01 S02 P001 P002 T X J F1 D", analyse_docker},
    {Language::kMakefile, "check", "S P001 P002 T X J F1 M", analyse_makefile},
    {Language::kPython, "check", "S P001 P002 T X J F1 Y", analyse_python},
    {Language::kShell, "lint", "S P T X J F1 N I R", analyse_shell_lint},
    {Language::kDockerfile, "lint",
     "S001 S002 S003 S005 S006 S007 S008 S01 S02 P001 P002 T X J F1 D", analyse_docker},
    {Language::kMakefile, "lint", "S P001 P002 T X J F1 M", analyse_makefile},
    {Language::kPython, "lint", "S P001 P002 T X J F1 Y", analyse_python},
};

}  // namespace

std::span<const AnalysisRow> analyses() { return kAnalyses; }

const AnalysisRow* find_analysis(Language language, std::string_view verb) {
  for (const AnalysisRow& row : kAnalyses) {
    if (row.language == language && row.verb == verb) return &row;
  }
  return nullptr;
}

}  // namespace nacre::project
