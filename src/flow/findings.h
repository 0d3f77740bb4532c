// What was found on the way through a script. A place is passed several times: in the rounds of a
// loop, at each call of a function. A finding about *some* run is kept the first time; one that
// must hold for *all* runs is kept as a record of what was seen, and judged when all is seen.
#pragma once

#include <map>
#include <set>
#include <string>
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

  // One pass through a place that is a mistake only if no pass differs: `if_constant` is reported
  // unless some pass was not `is_constant`.
  void pass(Span place, bool is_constant, Diagnostic if_constant);

  // All of them, in the order in which they were made; those about all runs last.
  std::vector<Diagnostic> take();

 private:
  struct Record {
    bool is_constant = true;
    Diagnostic diagnostic;
  };
  using Key = std::pair<std::string, std::pair<uint32_t, uint32_t>>;
  int muted_ = 0;
  std::vector<Diagnostic> kept_;
  std::set<Key> seen_;
  std::map<Key, Record> records_;
};

}  // namespace nacre::flow
