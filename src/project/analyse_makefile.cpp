#include <fmt/format.h>

#include "base/path.h"
#include "make/check.h"
#include "project/analyses.h"

namespace nacre::project {

// make is taken to run in the directory of the Makefile: files are included from there.
make::ReadOptions reading_options(const SourceFile& file, const Settings& settings,
                                  const Files& files) {
  make::ReadOptions reading;
  const std::string directory = parent_path(absolute_path(files, file.name()));
  reading.read_include = [directory, &files, limit = settings.max_bytes](
                             const std::string& name) -> std::optional<SourceFile> {
    const std::string path = name.starts_with('/') ? name : directory + "/" + name;
    auto text = read_source(files, path, name, limit);
    return text ? std::optional(*std::move(text)) : std::nullopt;
  };
  return reading;
}

void analyse_makefile(const Job& job, FileAnalysis& result) {
  const auto cards = job.workspace.cards_for(absolute_path(job.files, job.file.name()));
  make::CheckOptions options;
  options.reading = reading_options(job.file, job.settings, job.files);
  options.stop = job.stop;
  make::CheckResult checked = make::check(job.file, *cards->library, options);
  result.findings = std::move(checked.findings);
  result.findings.insert(result.findings.end(), cards->mistakes.begin(), cards->mistakes.end());
  result.layout = std::move(checked.layout);
  result.is_finished = checked.is_accepted && !checked.is_exhausted && cards->mistakes.empty();
  if (checked.is_exhausted) {
    result.remarks.push_back(fmt::format(
        "{}: analysis limit reached; some rules or recipes were skipped", job.file.name()));
  }
}

}  // namespace nacre::project
