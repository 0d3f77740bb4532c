// What was found on the way through a script. A place is passed several times: in the rounds of a
// loop, at each call of a function. A finding about *some* run is kept the first time; one that
// must hold for *all* runs is kept as a record of what was seen, and judged when all is seen.
// Internal to this module.
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
  // While one of these lives nothing is kept: in the rounds of a loop before its state is stable,
  // or where words are read again that were judged before.
  class Muted {
   public:
    explicit Muted(Findings& findings, bool is_muting = true)
        : findings_(findings), is_muting_(is_muting) {
      findings_.muted_ += is_muting_ ? 1 : 0;
    }
    ~Muted() { findings_.muted_ -= is_muting_ ? 1 : 0; }
    Muted(const Muted&) = delete;
    Muted& operator=(const Muted&) = delete;

   private:
    Findings& findings_;
    bool is_muting_;
  };
  [[nodiscard]] bool is_muted() const { return muted_ > 0; }

  // What is found from `begin_round` on counts only if `end_round` keeps it. Rounds nest.
  void begin_round() { rounds_.emplace_back(); }
  void end_round(bool is_kept);

  // The first of each code and place is kept.
  void add(Diagnostic diagnostic);

  // One pass through a place that is a mistake only if every pass shows it: what is given is
  // reported unless some pass gives nothing.
  void pass(std::string_view code, Span place, std::optional<Diagnostic> if_constant = {});

  // What was found of a stage in one pass: what not every pass finds there is dropped.
  void stage(Span place, std::vector<Diagnostic> found);

  // Some pass through what stands in `where` was not looked at: nothing there is about all of them.
  void leave_open(Span where);

  // True the first time that something is to be reported about this.
  bool is_first(const std::string& what);

  // All of them, in the order in which they were made; those about all runs last.
  std::vector<Diagnostic> take();

 private:
  using Key = std::pair<std::string, std::pair<uint32_t, uint32_t>>;
  struct Round {
    std::vector<Diagnostic> kept;
    std::set<Key> seen;
    std::map<std::pair<uint32_t, uint32_t>, std::vector<Diagnostic>> stages;
    std::map<Key, std::optional<Diagnostic>> records;  // none: some pass did not show it
  };

  // Whether the key is new, which it is not from now on.
  bool see(Key key);

  int muted_ = 0;
  std::vector<Round> rounds_{1};  // the first is the whole script
};

}  // namespace nacre::flow
