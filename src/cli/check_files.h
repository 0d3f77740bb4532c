// Checks many files at once: reading, analysing, choosing, fixing. The result does not depend on
// the number of threads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/edits.h"
#include "project/discover.h"
#include "project/settings.h"
#include "project/workspace.h"
#include "report/report.h"

namespace nacre::cli {

struct FileTask {
  project::Target target;
  project::Settings settings;
  std::optional<project::Language> language = std::nullopt;  // none: what the file says
};

struct CheckPlan {
  unsigned threads = 1;
  bool fixes = false;  // write the fixes into the files
  FixKind fix_kind = FixKind::kSafe;
  std::string stdin_name = "stdin";  // what `-` is called in reports
};

struct CheckResult {
  report::Report report;
  std::vector<std::string> remarks;  // each once
  size_t fixed_files = 0;
};

CheckResult check_files(const std::vector<FileTask>& tasks, const CheckPlan& plan,
                        project::Workspace& workspace);

}  // namespace nacre::cli
