// What the explorer looks at while a script runs: which command began last, and whether the state
// of a shell has come back at the head of a loop, so that the loop never ends.
#pragma once

#include <map>
#include <set>

#include "explore/explorer.h"
#include "explore/known_states.h"

namespace nacre::explore {

class Watch {
 public:
  // Not null: the run ends where another one was before.
  explicit Watch(KnownStates* known) : known_(known) {}

  struct Observer {
    Watch* watch;
    const Decider* decider;
    void operator()(machine::Machine& machine, machine::Rule rule, world::SimulatedOs& os) {
      watch->step(machine, rule, os, *decider);
    }
  };

  [[nodiscard]] const Place& last() const { return last_; }
  // The last command during which a tree, whose version is now `version`, has changed.
  [[nodiscard]] const Place& changed(uint64_t version) const {
    return version == version_ ? changed_ : last_;
  }
  // Where commands began.
  [[nodiscard]] const std::set<uint32_t>& lines() const { return lines_; }
  [[nodiscard]] bool is_endless() const { return is_endless_; }
  // Another run was in the same state.
  [[nodiscard]] bool is_merged() const { return is_merged_; }

 private:
  void step(machine::Machine& machine, machine::Rule rule, world::SimulatedOs& os,
            const Decider& decider);
  // True: another command begins.
  bool note_command(const machine::Machine& machine, uint64_t version);
  void check_loop(machine::Machine& machine, world::SimulatedOs& os, const Decider& decider);

  Place last_;
  Place changed_;
  std::set<uint32_t> lines_;
  uint64_t version_ = 0;  // of the tree, when the last command began
  const machine::Node* last_node_ = nullptr;
  bool is_endless_ = false;
  bool is_merged_ = false;
  KnownStates* known_;
  // Hash of a state at the head of a loop, by the process, its loop and its depth.
  struct Head {
    size_t state = 0;
    uint64_t visits = 0;
  };
  std::map<std::tuple<world::Pid, const void*, size_t>, Head> heads_;
};

}  // namespace nacre::explore
