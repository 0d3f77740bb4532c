#include "project/analyses.h"
#include "python/check.h"

namespace nacre::project {

void analyse_python(const Job& job, FileAnalysis& result) {
  result.findings = python::diagnose_python(job.file, {.stop = job.stop}, &result.is_finished);
}

}  // namespace nacre::project
