// T109, T110, T111, T120, T128 and their like: mistakes in the words of a command, as its model
// finds them.
//
//   T109: grep 'a\{2' f
//   quiet: grep 'a\{2\}' f
//   T110: sort --frobnicate f
//   quiet: sort --reverse f
#include <algorithm>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// In a program between single quotes, which the command reads as the script has it, the place
// itself; else the whole word.
Span place_of(const SourceFile& file, const commands::Problem& problem) {
  const std::string_view word = file.text(problem.span);
  const bool is_verbatim =
      word.size() > 2 && word.front() == '\'' && word.find('\'', 1) == word.size() - 1;
  if (!problem.inside || !is_verbatim) return problem.span;
  const Span text{problem.span.begin + 1, problem.span.end - 1};
  const uint32_t begin = std::min(text.begin + problem.inside->begin, text.end - 1);
  return {begin, std::clamp(text.begin + problem.inside->end, begin + 1, text.end)};
}

std::string_view code_of(commands::Flaw flaw) {
  switch (flaw) {
    case commands::Flaw::kUnsorted: return "T106";
    case commands::Flaw::kProgram: return "T109";
    case commands::Flaw::kUsage: return "T110";
    case commands::Flaw::kPattern: return "T111";
    case commands::Flaw::kArgument: return "T120";
    case commands::Flaw::kJson: return "T128";
    case commands::Flaw::kCells: return "T101";
    case commands::Flaw::kNumber: return "T121";
  }
  return "T110";
}

}  // namespace

void command_line(const StageEvent& event, RuleContext& in) {
  const auto& problems = event.stage().behaviour.problems;
  const bool is_refused = std::any_of(problems.begin(), problems.end(), [](const auto& each) {
    return each.flaw == commands::Flaw::kProgram;
  });
  for (const commands::Problem& problem : problems) {
    // The command's own message says more about the same word.
    if (problem.flaw == commands::Flaw::kArgument && is_refused) continue;
    // An author who drops the messages of the command expects that it may refuse.
    if (problem.flaw == commands::Flaw::kUsage && event.stage().drops_errors) continue;
    Diagnostic result =
        in.finding(code_of(problem.flaw), place_of(in.file(), problem), problem.message);
    if (problem.is_certain) result.confidence = Confidence::kCertain;
    if (!problem.help.empty()) result.notes.push_back(in.note(problem.span, problem.help));
    in.report_of_stage(std::move(result));
  }
}

}  // namespace nacre::flow::rules
