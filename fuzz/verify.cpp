// Proofs about scripts: exploring and verifying end within their budgets, and no property is
// answered twice.
#include "prove/verify.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nacre;
  if (size > 5'000) return 0;
  static const commands::CardLibrary kCards;
  const SourceFile file("fuzz.sh", std::string(reinterpret_cast<const char*>(data), size));
  prove::VerifyOptions options;
  options.runs = 10;
  options.worlds = 2;
  std::set<std::string_view> names;
  const auto findings = prove::verify(file, kCards, options);
  for (const prove::Finding& each : findings) {
    if (!names.insert(each.property).second) std::abort();
  }
  return 0;
}
