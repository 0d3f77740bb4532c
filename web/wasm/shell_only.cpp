// Takes the place of project/analyses.cpp and project/types.cpp in nacre-check: most documents are
// shell scripts, and the page loads what knows the other languages when one is chosen.
#include "project/analyse_shell.h"
#include "project/analyses.h"
#include "project/types.h"

namespace nacre::project {

namespace {
constexpr AnalysisRow kShellRow = {Language::kShell, "check", "S P001 P002 T X J F1",
                                   analyse_shell};
}

std::span<const AnalysisRow> analyses() { return {&kShellRow, 1}; }

const AnalysisRow* find_analysis(Language language, std::string_view verb) {
  return language == kShellRow.language && verb == kShellRow.verb ? &kShellRow : nullptr;
}

std::vector<TypeAt> types_of(const SourceFile& file, const Settings& settings, Workspace& workspace,
                             const std::string& input, std::optional<Language>, Stop stop) {
  std::vector<TypeAt> result;
  for (const flow::TypeAt& type : shell_types(file, settings, workspace, input, stop))
    result.push_back({type.span, type.is_variable, type.is_read, type.name,
                      [type] { return type.input(); }, [type] { return type.output(); },
                      [type] { return type.polymorphic(); }});
  return result;
}

}  // namespace nacre::project
