// A regex with conditions, determinised for matching. The regex becomes a small program: read a
// word of a part, go on at one of two places, demand a condition. What a condition sees of the next
// symbol is known only when that symbol is read, so a state keeps its threads unresolved and knows
// only what stands before them; acceptance is a set of what may stand after. Internal to this
// module.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "base/budget.h"
#include "regular/match_conditions.h"
#include "regular/match_dfa.h"

namespace nacre::regular {

class MatchProgram {
 public:
  using Place = uint32_t;

  explicit MatchProgram(size_t kind_count) : kind_count_(kind_count) {}

  // Programs are built from their end: each instruction names where it goes on.
  Place accept() { return add({Op::kAccept, 0, 0, 0}); }
  Place read(uint32_t part, Place next) { return add({Op::kRead, part, next, 0}); }
  Place either(Place first, Place second) { return add({Op::kEither, 0, first, second}); }
  Place demand(Condition condition, Place next);
  Place forward() { return add({Op::kJump, 0, 0, 0}); }  // to be resolved, for loops
  void resolve(Place forward, Place target) { code_[forward].next = target; }
  [[nodiscard]] size_t size() const { return code_.size(); }

  // `parts` are the automata of the parts, all over the same classes; kinds as of a MatchDfa.
  // Nothing if the budget does not suffice.
  std::optional<MatchDfa> run(Place start, const std::vector<MatchDfa>& parts,
                              std::vector<Neighbour> kinds, const Budget& budget);

 private:
  enum class Op : uint8_t { kAccept, kRead, kEither, kDemand, kJump };
  struct Instruction {
    Op op;
    uint32_t operand;  // the part, or the condition
    Place next, other;
  };
  struct Thread {
    Place place;
    uint32_t state;  // of the part that is read there
    friend auto operator<=>(Thread, Thread) = default;
  };
  struct State {
    Neighbour before;
    bool is_initial;  // nothing was read: the only thread stands at the start
    std::vector<Thread> threads;
    friend bool operator<(const State& a, const State& b) {
      return std::tie(a.before, a.is_initial, a.threads) <
             std::tie(b.before, b.is_initial, b.threads);
    }
  };
  struct Closure {
    std::vector<Thread> threads;  // that can read
    bool accepts = false;
  };
  class Run;

  Place add(Instruction instruction);
  [[nodiscard]] std::vector<uint8_t> places_that_look_before() const;

  size_t kind_count_;
  std::vector<Instruction> code_;
  std::vector<Condition> conditions_;
};

}  // namespace nacre::regular
