// How much work a check may still do. Long scripts ask more questions about languages, so that each
// of them gets less: the time for a script grows with its length, and no faster. When the limit is
// reached, calls and loops are approximated, and the result says so. Internal to this module.
#pragma once

#include <cstdint>

#include "flow/check.h"
#include "flow/environment.h"

namespace nacre::flow {

class Limits {
 public:
  // `commands` is how many the script has.
  Limits(Context& languages, const CheckOptions& options, uint64_t commands);

  // A text with this number of commands is interpreted, too.
  void add_commands(uint64_t commands);
  // One step in this state; false when there are none left.
  bool spend(const Environment& environment);
  // Something was not looked into.
  void note_exhausted() { is_exhausted_ = true; }
  [[nodiscard]] bool is_exhausted() const { return is_exhausted_; }

 private:
  void share_states();

  Context& languages_;
  const CheckOptions& options_;
  uint64_t commands_;    // of the script and what it sources
  uint64_t all_states_;  // that all questions together may make
  uint64_t steps_left_;
  bool is_exhausted_ = false;
};

}  // namespace nacre::flow
