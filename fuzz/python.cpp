// Python modules: no text makes the checker crash, hang or point outside of the file, and types of
// places are found in the same text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "python/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nacre;
  const SourceFile file("fuzz.py", std::string(reinterpret_cast<const char*>(data), size));
  const python::FileReport report = python::check_python(file.bytes());
  for (const Diagnostic& each : python::findings_of(report, file)) {
    if (each.span.end > size || each.span.begin > each.span.end) std::abort();
  }
  for (const python::TypedPlace& each : python::python_types(file.bytes())) {
    if (each.span.end > size || each.span.begin > each.span.end) std::abort();
  }
  return 0;
}
