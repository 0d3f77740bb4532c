#include "project/analyses.h"

namespace nacre::project {

namespace {

// Not S003 and S004: the builder, make and Python skip a byte order mark and the carriage return at
// the end of a line.
#define OTHER_THAN_SHELL "S001 S002 S005 S006 S007 S008 S01 S02 P001 P002 T X J F1 "

constexpr AnalysisRow kAnalyses[] = {
    {Language::kShell, "check", "S P001 P002 T X J F1", analyse_shell},
    {Language::kDockerfile, "check", OTHER_THAN_SHELL "D", analyse_docker},
    {Language::kMakefile, "check", OTHER_THAN_SHELL "M", analyse_makefile},
    {Language::kPython, "check", OTHER_THAN_SHELL "Y", analyse_python},
    {Language::kShell, "lint", "S P T X J F1 N I R", analyse_shell_lint},
    {Language::kDockerfile, "lint", OTHER_THAN_SHELL "D", analyse_docker},
    {Language::kMakefile, "lint", OTHER_THAN_SHELL "M", analyse_makefile},
    {Language::kPython, "lint", OTHER_THAN_SHELL "Y", analyse_python},
};

#undef OTHER_THAN_SHELL

}  // namespace

std::span<const AnalysisRow> analyses() { return kAnalyses; }

const AnalysisRow* find_analysis(Language language, std::string_view verb) {
  for (const AnalysisRow& row : kAnalyses) {
    if (row.language == language && row.verb == verb) return &row;
  }
  return nullptr;
}

}  // namespace nacre::project
