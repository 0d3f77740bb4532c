// The whole way of a file through `nacre check`: analysis, suppressions, every report format,
// fixes. Fixing must reach a text that needs no fix, or stop.
#include "project/check.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/edits.h"
#include "base/memory_files.h"
#include "report/report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nacre;
  project::Settings settings;
  SourceFile file("fuzz.sh", std::string(reinterpret_cast<const char*>(data), size));
  report::Report report;
  const MemoryFiles files;
  project::Workspace workspace(files);
  report.findings = project::check({file}, settings, workspace).findings;
  report.files = {file.name()};
  for (const report::Format& format : report::formats()) format.render(report, {});
  std::string fixed = apply_edits(file, choose_edits(file, report.findings, FixKind::kAny));
  project::check({SourceFile("fuzz.sh", fixed)}, settings, workspace);
  return 0;
}
