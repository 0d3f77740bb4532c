// The states that the runs of one exploration have been in when a command of the script began. Two
// runs in equal states have the same future, so the second one can end there: whatever it could
// still do, the first one does, and the runs that are planned from it. Internal to this module.
//
//   KnownStates known(start.tree);
//   known.begin_run(choices.size());           // for each run
//   if (known.has(machine, os, decider)) ...   // at each command: another run was here before
//
// What a state is: the variables, options, functions, traps and position of the shell, what was
// decided outside of the tree, and the tree without its times. A state is only looked at where that
// is all: in the script itself (no function, subshell or sourced file), with no other process and
// no descriptor of its own. Times are left out: a script that compares the times of files it has
// made itself may be cut off wrongly.
#pragma once

#include <map>
#include <optional>

#include "explore/decisions.h"
#include "explore/digest.h"
#include "machine/machine.h"
#include "world/simulated_os.h"

namespace nacre::explore {

class KnownStates {
 public:
  // `start` must outlive this.
  explicit KnownStates(const world::FileTree& start) : start_(start) {}

  // The first `choices` of its questions were answered before by the run that planned it.
  void begin_run(size_t choices) {
    ++run_;
    choices_ = choices;
  }
  [[nodiscard]] bool has(machine::Machine& machine, world::SimulatedOs& os, const Decider& decider);

 private:
  struct Visit {
    size_t run = 0;
    unsigned rank = 0;  // of all answers until then
  };
  void add_tree(Digest& digest, const world::FileTree& tree) const;
  void add_inode(Digest& digest, const world::FileTree& tree, world::InodeId id) const;
  [[nodiscard]] bool is_of_start(const world::FileTree& tree, world::InodeId id) const;

  const world::FileTree& start_;
  size_t run_ = 0;
  size_t choices_ = 0;
  std::map<Digest, Visit> visits_;
};

}  // namespace nacre::explore
