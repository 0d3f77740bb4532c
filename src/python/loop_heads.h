// What makes loops finite: the shape of a state at a loop head, and how it grows there.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "python/domain.h"

namespace nacre::python {

struct LoopHead {
  std::vector<bool> modified;                  // by slot
  std::vector<std::vector<uint32_t>> related;  // the texts that an integer slot may index
  size_t first_pin = 0;                        // of this loop, in State::pins
  const std::set<int64_t>* numbers = nullptr;  // constants of the program
  const std::set<Words>* constants = nullptr;
  bool changes_containers = false;  // the program does, somewhere
  std::function<bool(uint32_t cls, size_t field)> is_changed_field;
  std::function<Type(const State&, const Value&)> type_of;
};

// A state at a loop head: boundaries at every index that the loop moves, each pinned to one state
// of the automaton of the word it lies in.
struct HeadState {
  State state;
  std::string key;
  std::vector<std::vector<uint32_t>> paths;  // of each pin: the automaton states at its boundaries
};

// Cuts, pins and generalises; the result covers the state and has one of finitely many keys but for
// the structure of unmodified values.
std::vector<HeadState> at_head(const Domain& domain, State state, const LoopHead& head);

// Joins `state` into `into` (same key). True if `into` grew. From `round` 3 on it grows by leaps.
bool widen(const Domain& domain, HeadState& into, const State& state, size_t first_pin, int round);

}  // namespace nacre::python
