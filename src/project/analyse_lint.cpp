// `nacre lint` for shell scripts: what purify would change or cannot, as findings with fixes.
#include <algorithm>

#include "base/codes.h"
#include "project/analyses.h"
#include "purify/lint.h"

namespace nacre::project {

void analyse_shell_lint(const Job& job, FileAnalysis& result) {
  analyse_shell(job, result);
  if (!result.is_finished) return;
  const auto cards = job.workspace.cards_for(absolute_path(job.files, job.file.name()));
  std::vector<const purify::Profile*> targets;
  for (const std::string& name : job.settings.targets)
    if (const purify::Profile* profile = purify::profile_named(name)) targets.push_back(profile);
  for (Diagnostic& each : purify::lint(job.file, *cards->library, targets))
    result.findings.push_back(std::move(each));
}

}  // namespace nacre::project
