// What was found on the way through a script. A place is passed several times: in the rounds of a
// loop, at each call of a function. A finding about *some* run is kept the first time; one that
// must hold for *all* runs is kept as a record of what was seen, and judged when all is seen.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace nacre::flow {

class Findings {
 public:
  // While it is muted nothing is kept: the rounds of a loop before its state is stable.
  void mute() { muted_++; }
  void unmute() { muted_--; }
  [[nodiscard]] bool is_muted() const { return muted_ > 0; }

  // The first of each code and place is kept.
  void add(Diagnostic diagnostic);

  // One pass through a place that is a mistake only if every pass shows it: what is given is
  // reported unless some pass gives nothing.
  void pass(std::string_view code, Span place, std::optional<Diagnostic> if_constant = {});

  // What was found of a stage in one pass: what not every pass finds there is dropped.
  void stage(Span place, std::vector<Diagnostic> found);

  // All of them, in the order in which they were made; those about all runs last.
  std::vector<Diagnostic> take();

 private:
  using Key = std::pair<std::string, std::pair<uint32_t, uint32_t>>;
  int muted_ = 0;
  std::vector<Diagnostic> kept_;
  std::set<Key> seen_;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<Diagnostic>> stages_;
  std::map<Key, std::optional<Diagnostic>> records_;  // none: some pass did not show it
};

}  // namespace nacre::flow
