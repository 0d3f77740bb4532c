// The whole way of a file through `nacre check`: analysis, suppressions, every report format,
// fixes. Fixing must reach a text that needs no fix, or stop.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/edits.h"
#include "base/emitter.h"
#include "project/analyse.h"
#include "report/report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nacre;
  project::Settings settings;
  SourceFile file("fuzz.sh", std::string(reinterpret_cast<const char*>(data), size));
  report::Report report;
  report.findings = emit(project::analyse(file, settings).analysis, settings.choice);
  report.files = {file.name()};
  for (const report::Format& format : report::formats()) format.render(report, {});
  std::string fixed = apply_edits(file, choose_edits(file, report.findings, FixKind::kAny));
  emit(project::analyse(SourceFile("fuzz.sh", fixed), settings).analysis, settings.choice);
  return 0;
}
