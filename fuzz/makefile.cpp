// Makefiles: the statements keep every byte; no text makes the reader, the checker or the purifier
// crash, hang or point outside of the file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/edits.h"
#include "make/check.h"
#include "make/purify.h"
#include "make/syntax.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nacre;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (make::print(text, make::parse(text)) != text) std::abort();
  static const commands::CardLibrary kCards;
  const SourceFile file("Makefile", text);
  const make::CheckResult checked = make::check(file, kCards, {});
  for (const Diagnostic& each : checked.findings) {
    if (each.file.name() != file.name()) continue;
    if (each.span.end > size || each.span.begin > each.span.end) std::abort();
  }
  apply_edits(file, choose_edits(file, checked.findings, FixKind::kAny));
  (void)make::purify(file, kCards, {});
  return 0;
}
