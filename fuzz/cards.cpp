// Cards of a project: no text makes the reader crash, and a card without a mistake can be used.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "commands/card.h"
#include "commands/check_card.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nacre::commands;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto cards = parse_cards(text);
  if (!cards) {
    if (cards.error().span.end > size) std::abort();
    return 0;
  }
  for (const Card& each : *cards) (void)find_mistake(each);
  return 0;
}
