// How much work a check may still do. Long scripts ask more questions about languages, so that each
// of them gets less: the time for a script grows with its length, and no faster. When the limit is
// reached, calls and loops are approximated, and the result says so. Internal to this module.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

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
  // Something was not looked into: `what` stands at `place`.
  void note_exhausted(Span place, std::string what) {
    is_exhausted_ = true;
    if (skipped_.empty()) {
      place_ = place;
      skipped_ = std::move(what);
    }
  }
  [[nodiscard]] bool is_exhausted() const { return is_exhausted_; }
  [[nodiscard]] bool is_spent() const { return steps_left_ == 0; }
  // The first thing that was not looked into; empty if it has no name.
  [[nodiscard]] const std::string& skipped() const { return skipped_; }
  [[nodiscard]] Span place() const { return place_; }

 private:
  void share_states();

  Context& languages_;
  const CheckOptions& options_;
  uint64_t commands_;    // of the script and what it sources
  uint64_t all_states_;  // that all questions together may make
  uint64_t steps_left_;
  bool is_exhausted_ = false;
  std::string skipped_;
  Span place_;
};

}  // namespace nacre::flow
