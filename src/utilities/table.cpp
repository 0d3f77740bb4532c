#include "utilities/table.h"

namespace nacre::utilities {

std::span<const Entry> utilities() {
  static constexpr Entry kEntries[] = {
#define X(name) {#name, name},
      NACRE_UTILITIES(X)
#undef X
  };
  return kEntries;
}

}  // namespace nacre::utilities
