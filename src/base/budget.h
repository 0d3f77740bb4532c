// Limits that are passed down instead of written into loops. An engine that reaches one returns a
// sound over-approximation and says so; it never fails silently and never goes on.
#pragma once

#include <atomic>
#include <cstdint>

namespace nacre {

// Asks work in another thread to end soon: an editor has a newer text, a user pressed a key. Looked
// at wherever steps are counted. The flag must outlive the work; without one, nothing ends early.
//
//   std::atomic<bool> is_obsolete = false;
//   Budget budget = {.stop = Stop(is_obsolete)};
class Stop {
 public:
  constexpr Stop() = default;
  explicit Stop(const std::atomic<bool>& flag) : flag_(&flag) {}
  [[nodiscard]] bool is_requested() const {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

struct Budget {
  uint64_t steps = 10'000'000;  // elementary work: derivatives, transitions, statements
  uint64_t states = 200'000;    // automaton states or abstract states held at once
  Stop stop = {};               // as if the steps were used up
};

}  // namespace nacre
