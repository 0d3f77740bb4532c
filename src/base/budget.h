// Limits that are passed down instead of written into loops. An engine that reaches one returns a
// sound over-approximation and says so; it never fails silently and never goes on.
#pragma once

#include <cstdint>

namespace nacre {

struct Budget {
  uint64_t steps = 10'000'000;  // elementary work: derivatives, transitions, statements
  uint64_t states = 200'000;    // automaton states or abstract states held at once
};

}  // namespace nacre
