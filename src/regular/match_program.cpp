#include "regular/match_program.h"

#include <algorithm>

namespace nacre::regular {

MatchProgram::Place MatchProgram::add(Instruction instruction) {
  code_.push_back(instruction);
  return static_cast<Place>(code_.size()) - 1;
}

MatchProgram::Place MatchProgram::demand(Condition condition, Place next) {
  conditions_.push_back(std::move(condition));
  return add({Op::kDemand, static_cast<uint32_t>(conditions_.size()) - 1, next, 0});
}

// By place: may a condition come that looks at what stands before this place? (A read may be of an
// empty word, so it is passed through.)
std::vector<uint8_t> MatchProgram::places_that_look_before() const {
  std::vector<uint8_t> result(code_.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t at = 0; at < code_.size(); ++at) {
      const Instruction& code = code_[at];
      if (result[at] || code.op == Op::kAccept) continue;
      const bool looks = code.op == Op::kDemand && conditions_[code.operand].looks_before();
      if (looks || result[code.next] || (code.op == Op::kEither && result[code.other])) {
        result[at] = changed = true;
      }
    }
  }
  return result;
}

class MatchProgram::Run {
 public:
  Run(const MatchProgram& program, Place start, const std::vector<MatchDfa>& parts,
      const Budget& budget)
      : program_(program),
        start_(start),
        parts_(parts),
        budget_(budget),
        looks_before_(program.places_that_look_before()) {}

  std::optional<MatchDfa> run(std::vector<Neighbour> kinds) {
    MatchDfa dfa;
    dfa.classes = parts_.front().classes;
    dfa.kinds = std::move(kinds);
    for (size_t kind = 0; kind < program_.kind_count_; ++kind) {
      dfa.starts.push_back(number({static_cast<Neighbour>(kind), true, {}}));
    }
    for (size_t next = 0; next < queue_.size(); ++next) {
      if (queue_.size() > budget_.states) return std::nullopt;
      expand(queue_[next]->first, dfa);
    }
    return dfa;
  }

 private:
  void expand(const State& state, MatchDfa& dfa) {
    std::vector<Closure> closures;
    Neighbours accepts = 0;
    for (size_t kind = 0; kind < program_.kind_count_; ++kind) {
      closures.push_back(closure(state, static_cast<Neighbour>(kind)));
      if (closures.back().accepts) accepts |= neighbour_bit(static_cast<Neighbour>(kind));
    }
    dfa.accepts.push_back(accepts);
    for (uint32_t c = 0; c < dfa.classes.size(); ++c) {
      State next{dfa.kinds[c], false, {}};
      for (const Thread thread : closures[dfa.kinds[c]].threads) {
        const uint32_t state_after = part(thread.place).step(thread.state, c);
        if (state_after != MatchDfa::kDead) next.threads.push_back({thread.place, state_after});
      }
      dfa.table.push_back(next.threads.empty() ? MatchDfa::kDead : number(std::move(next)));
    }
  }

  [[nodiscard]] const MatchDfa& part(Place place) const {
    return parts_[program_.code_[place].operand];
  }

  uint32_t number(State state) {
    std::sort(state.threads.begin(), state.threads.end());
    state.threads.erase(std::unique(state.threads.begin(), state.threads.end()),
                        state.threads.end());
    const bool looks_before =
        state.is_initial ? looks_before_[start_] != 0
                         : std::any_of(state.threads.begin(), state.threads.end(), [&](Thread t) {
                             return looks_before_[program_.code_[t.place].next] != 0;
                           });
    if (!looks_before) state.before = kEdge;
    const auto [entry, is_new] =
        numbers_.try_emplace(std::move(state), static_cast<uint32_t>(queue_.size()));
    if (is_new) queue_.push_back(entry);
    return entry->second;
  }

  // What the threads can do if a symbol of kind `after`, or the end, comes next.
  Closure closure(const State& state, Neighbour after) {
    Closure result;
    seen_.assign(program_.code_.size(), 0);
    if (state.is_initial) follow(start_, state.before, after, result);
    for (const Thread thread : state.threads) {
      result.threads.push_back(thread);
      if (part(thread.place).accepts[thread.state] != 0) {
        follow(program_.code_[thread.place].next, state.before, after, result);
      }
    }
    return result;
  }

  void follow(Place place, Neighbour before, Neighbour after, Closure& result) {
    std::vector<Place> todo = {place};
    while (!todo.empty()) {
      const Place at = todo.back();
      todo.pop_back();
      if (seen_[at]) continue;
      seen_[at] = 1;
      const Instruction& code = program_.code_[at];
      switch (code.op) {
        case Op::kAccept: result.accepts = true; break;
        case Op::kRead: {
          const uint32_t start = part(at).starts[kEdge];
          result.threads.push_back({at, start});
          if (part(at).accepts[start] != 0) todo.push_back(code.next);
          break;
        }
        case Op::kEither: todo.push_back(code.other); [[fallthrough]];
        case Op::kJump: todo.push_back(code.next); break;
        case Op::kDemand:
          if (program_.conditions_[code.operand].holds(before, after)) todo.push_back(code.next);
          break;
      }
    }
  }

  const MatchProgram& program_;
  Place start_;
  const std::vector<MatchDfa>& parts_;
  const Budget& budget_;
  std::vector<uint8_t> looks_before_;
  std::map<State, uint32_t> numbers_;
  std::vector<std::map<State, uint32_t>::const_iterator> queue_;
  std::vector<uint8_t> seen_;  // by place, in one closure
};

std::optional<MatchDfa> MatchProgram::run(Place start, const std::vector<MatchDfa>& parts,
                                          std::vector<Neighbour> kinds, const Budget& budget) {
  return Run(*this, start, parts, budget).run(std::move(kinds));
}

}  // namespace nacre::regular
