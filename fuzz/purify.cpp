// Purifying scripts: a purified script parses, and purifies to itself.
#include "purify/purify.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "purify/lint.h"
#include "shell/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nacre;
  if (size > 20'000) return 0;
  static const commands::CardLibrary kCards;
  const SourceFile file("fuzz.sh", std::string(reinterpret_cast<const char*>(data), size));
  purify::Settings settings;
  settings.dialect = purify::dialect_of(file).value_or(shell::Dialect::kSh);
  const Purified once = purify::purify(file, settings, kCards);
  if (!once.refused.empty()) return 0;
  const Purified twice = purify::purify(SourceFile("fuzz.sh", once.text), settings, kCards);
  if (twice.refused.empty() && twice.text != once.text) std::abort();
  return 0;
}
