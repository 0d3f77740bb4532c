// Dockerfiles: the tree keeps every byte and its items leave no gap; no text makes the checker
// crash, hang or report a place outside of the file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/edits.h"
#include "docker/check.h"
#include "docker/purify.h"
#include "docker/syntax.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nacre;
  const SourceFile file("Dockerfile", std::string(reinterpret_cast<const char*>(data), size));
  if (docker::print(docker::parse(file)) != file.bytes()) std::abort();
  static const commands::CardLibrary kCards;
  docker::CheckOptions options;
  options.ignore_file = file.bytes().substr(0, 200);
  const docker::CheckResult checked = docker::check(file, kCards, options);
  for (const Diagnostic& each : checked.findings) {
    if (each.span.end > size || each.span.begin > each.span.end) std::abort();
  }
  apply_edits(file, choose_edits(file, checked.findings, FixKind::kAny));
  (void)docker::purify(file, kCards);
  return 0;
}
