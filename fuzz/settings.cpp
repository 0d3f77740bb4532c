// Configuration files: what is read is written so that it is read again as the same settings.
#include "project/settings.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nacre;
  const SourceFile file("nacre.toml", std::string(reinterpret_cast<const char*>(data), size));
  const auto read = project::parse_configuration(file, "/");
  if (!read) return 0;
  const std::string written = project::to_toml(read->settings);
  const auto again = project::parse_configuration(SourceFile("nacre.toml", written), "/");
  if (!again || project::to_toml(again->settings) != written) std::abort();
  return 0;
}
