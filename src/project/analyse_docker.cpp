#include <fmt/format.h>

#include "base/path.h"
#include "docker/check.h"
#include "project/analyses.h"

namespace nacre::project {

namespace {

// `.dockerignore` of the file itself is stronger than that of its directory, as in BuildKit.
std::optional<std::string> ignore_file_for(const Job& job, const std::string& path) {
  for (const std::string& name :
       {path + ".dockerignore", joined_path(parent_path(path), ".dockerignore")}) {
    if (job.files.kind(name) != FileKind::kRegular) continue;
    if (auto text = job.files.read(name, job.settings.max_bytes)) return *std::move(text);
  }
  return std::nullopt;
}

}  // namespace

void analyse_docker(const Job& job, FileAnalysis& result) {
  const std::string path = absolute_path(job.files, job.file.name());
  const std::shared_ptr<const Cards> cards = job.workspace.cards_for(path);
  docker::CheckOptions options;
  options.ignore_file = ignore_file_for(job, path);
  options.demands = job.settings.demands;
  options.reads_pragmas = job.settings.reads_pragmas;
  options.stop = job.stop;
  docker::CheckResult checked = docker::check(job.file, *cards->library, options);
  result.layout = std::move(checked.layout);
  result.is_finished = cards->mistakes.empty() && checked.is_valid && !checked.is_exhausted;
  if (checked.is_exhausted) {
    result.remarks.push_back(fmt::format(
        "{}: analysis limit reached; some RUN instructions were skipped", job.file.name()));
  }
  result.findings = cards->mistakes;
  std::move(checked.findings.begin(), checked.findings.end(), std::back_inserter(result.findings));
}

}  // namespace nacre::project
