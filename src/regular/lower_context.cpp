#include "regular/lower_context.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "regular/dfa.h"
#include "regular/terms.h"

namespace nacre::regular {

Place ContextProgram::add(Instruction instruction) {
  code_.push_back(instruction);
  return static_cast<Place>(code_.size() - 1);
}

Place ContextProgram::accept() { return add(Accept{}); }
Place ContextProgram::consume(Lang language, Place next) {
  return add(Consume{language.id(), next});
}
Place ContextProgram::either(Place first, Place second) { return add(Either{first, second}); }
Place ContextProgram::demand(Lang suffix, Place next) { return add(Demand{suffix.id(), next}); }
Place ContextProgram::demand_before(TrackId track, bool holds, Place next) {
  return add(DemandBefore{track, holds, next});
}
Place ContextProgram::demand_branch(Place body, bool is_negative, Place next) {
  return add(DemandBranch{body, is_negative, next});
}
Place ContextProgram::forward() { return add(Jump{}); }
void ContextProgram::resolve(Place forward, Place target) {
  code_[static_cast<size_t>(forward)] = Jump{target};
}

TrackId ContextProgram::track(Lang prefix) {
  const auto found = std::find(tracks_.begin(), tracks_.end(), prefix.id());
  const auto index = static_cast<TrackId>(found - tracks_.begin());
  if (found == tracks_.end()) tracks_.push_back(prefix.id());
  return index;
}

class ContextProgram::Run {
 public:
  Run(ContextProgram& program, const Budget& budget)
      : program_(program),
        terms_(program.context_->terms()),
        budget_(budget),
        first_work_(terms_.work()) {}

  Outcome run(Place start, const Tracks& tracks, bool open_end) {
    Machine machine;
    machine.nfa.alphabet = terms_.alphabet();
    machine.open_end = open_end;
    Closure seed;
    visit(seed, tracks, start, TermStore::kAll);
    machine.nfa.initial.push_back(intern(machine, tracks, seed));
    for (size_t next = 0; next < machine.queue.size(); ++next) {
      if (spent()) return {program_.context_->all(), false, false};
      expand(machine, static_cast<uint32_t>(next));
    }
    const BoundedDfa made = determinise(machine.nfa, budget_);
    return {program_.context_->automaton(made.dfa), made.is_exact, machine.looks_beyond_end};
  }

 private:
  // What can be reached at one position of the subject without reading.
  struct Closure {
    std::map<Place, TermId> visited;                     // the obligations seen there so far
    std::map<std::pair<Place, TermId>, TermId> threads;  // (place, rest) -> obligation
    TermId accepts = TermStore::kEmpty;                  // suffixes under which we accept
    std::vector<std::pair<Place, TermId>> todo;
  };
  struct State {
    Tracks tracks;
    std::vector<Thread> threads;
    friend bool operator<(const State& a, const State& b) {
      return std::tie(a.tracks, a.threads) < std::tie(b.tracks, b.threads);
    }
  };
  struct Machine {
    Nfa nfa;
    std::map<State, uint32_t> states;
    std::vector<std::map<State, uint32_t>::const_iterator> queue;
    bool open_end = false;
    bool looks_beyond_end = false;
  };

  [[nodiscard]] bool spent() const {
    return states_ > budget_.states || terms_.work() - first_work_ > budget_.steps;
  }

  TermId both(TermId a, TermId b) {
    const TermId parts[] = {a, b};
    return terms_.make_intersection(parts);
  }

  void add_thread(Closure& closure, Place place, TermId rest, TermId obligation) {
    if (rest == TermStore::kEmpty || obligation == TermStore::kEmpty) return;
    const auto [at, is_new] = closure.threads.try_emplace({place, rest}, obligation);
    if (!is_new) at->second = terms_.make_union(at->second, obligation);
  }

  void visit(Closure& closure, const Tracks& tracks, Place place, TermId obligation) {
    closure.todo.emplace_back(place, obligation);
    while (!closure.todo.empty()) {
      auto [at, under] = closure.todo.back();
      closure.todo.pop_back();
      if (under == TermStore::kEmpty) continue;
      const auto [seen, is_new] = closure.visited.try_emplace(at, under);
      if (!is_new) {
        const TermId joined = terms_.make_union(seen->second, under);
        if (joined == seen->second) continue;
        seen->second = joined;
      }
      follow(closure, tracks, at, under);
    }
  }

  void follow(Closure& closure, const Tracks& tracks, Place at, TermId under) {
    auto go = [&](Place next, TermId obligation) { closure.todo.emplace_back(next, obligation); };
    const Instruction& instruction = program_.code_[static_cast<size_t>(at)];
    if (std::holds_alternative<Accept>(instruction)) {
      closure.accepts = terms_.make_union(closure.accepts, under);
    } else if (const auto* consume = std::get_if<Consume>(&instruction)) {
      add_thread(closure, at, consume->language, under);
      if (terms_.nullable(consume->language)) go(consume->next, under);
    } else if (const auto* either = std::get_if<Either>(&instruction)) {
      go(either->second, under);
      go(either->first, under);
    } else if (const auto* demand = std::get_if<Demand>(&instruction)) {
      go(demand->next, both(under, demand->suffix));
    } else if (const auto* before = std::get_if<DemandBefore>(&instruction)) {
      const TermId track = tracks[static_cast<size_t>(before->track)];
      if (terms_.nullable(track) == before->holds) go(before->next, under);
    } else if (const auto* branch = std::get_if<DemandBranch>(&instruction)) {
      const TermId body = branch_language(branch->body, tracks);
      go(branch->next, both(under, branch->is_negative ? terms_.make_complement(body) : body));
    } else {
      go(std::get<Jump>(instruction).target, under);
    }
  }

  TermId branch_language(Place body, const Tracks& tracks) {
    const auto key = std::pair(body, tracks);
    if (const auto known = branches_.find(key); known != branches_.end()) return known->second;
    const Outcome outcome = run(body, tracks, false);
    if (!outcome.is_complete) states_ = budget_.states + 1;
    return branches_[key] = outcome.language.id();
  }

  uint32_t intern(Machine& machine, const Tracks& tracks, const Closure& closure) {
    State state{tracks, {}};
    for (const auto& [key, obligation] : closure.threads) {
      state.threads.push_back({key.first, key.second, obligation});
    }
    const bool accepts =
        machine.open_end ? closure.accepts != TermStore::kEmpty : terms_.nullable(closure.accepts);
    if (machine.open_end && accepts && closure.accepts != TermStore::kAll) {
      machine.looks_beyond_end = true;
    }
    // Acceptance is not a function of the threads alone (nothing may be left to consume), so it is
    // part of what tells states apart.
    state.threads.push_back({Place{accepts}, TermStore::kEmpty, TermStore::kEmpty});
    const auto [at, is_new] =
        machine.states.try_emplace(std::move(state), static_cast<uint32_t>(machine.queue.size()));
    if (is_new) {
      ++states_;
      machine.nfa.add_state(accepts);
      machine.queue.push_back(at);
    }
    return at->second;
  }

  void expand(Machine& machine, uint32_t source) {
    const State state = machine.queue[source]->first;
    for (SetId block : blocks(state)) {
      const Symbol symbol = terms_.set(block).min();
      Tracks tracks;
      for (TermId track : state.tracks) tracks.push_back(terms_.step(track, symbol));
      Closure closure;
      for (const Thread& thread : state.threads) {
        if (thread.rest != TermStore::kEmpty) advance(closure, tracks, thread, symbol);
      }
      if (closure.threads.empty() && closure.accepts == TermStore::kEmpty) continue;
      const uint32_t target = intern(machine, tracks, closure);
      machine.nfa.arcs.push_back({source, machine.nfa.add_set(terms_.set(block)), target});
    }
  }

  void advance(Closure& closure, const Tracks& tracks, const Thread& thread, Symbol symbol) {
    const TermId rest = terms_.step(thread.rest, symbol);
    const TermId obligation = terms_.step(thread.obligation, symbol);
    if (rest == TermStore::kEmpty || obligation == TermStore::kEmpty) return;
    add_thread(closure, thread.place, rest, obligation);
    if (!terms_.nullable(rest)) return;
    const auto& consume = std::get<Consume>(program_.code_[static_cast<size_t>(thread.place)]);
    visit(closure, tracks, consume.next, obligation);
  }

  // The symbols that some thread can read, split so that no term of the state tells two symbols of
  // a block apart.
  std::vector<SetId> blocks(const State& state) {
    SetId readable = SetTable::kNone;
    std::vector<SetId> cuts;
    auto cut = [&](TermId term) {
      for (const Arc& arc : terms_.moves(term)) cuts.push_back(arc.set);
    };
    for (const Thread& thread : state.threads) {
      for (const Arc& arc : terms_.moves(thread.rest)) {
        readable = terms_.sets().unite(readable, arc.set);
      }
      cut(thread.rest);
      cut(thread.obligation);
    }
    for (TermId track : state.tracks) cut(track);
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::vector<SetId> result;
    if (readable != SetTable::kNone) result.push_back(readable);
    for (SetId by : cuts) {
      for (size_t i = 0, count = result.size(); i < count; ++i) {
        const SetId inside = terms_.sets().intersect(result[i], by);
        if (inside == SetTable::kNone || inside == result[i]) continue;
        result.push_back(terms_.sets().subtract(result[i], by));
        result[i] = inside;
      }
    }
    return result;
  }

  ContextProgram& program_;
  TermStore& terms_;
  const Budget& budget_;
  std::map<std::pair<Place, Tracks>, TermId> branches_;
  uint64_t first_work_;
  uint64_t states_ = 0;
};

ContextProgram::Outcome ContextProgram::run(Place start, bool open_end, const Budget& budget) {
  return Run(*this, budget).run(start, tracks_, open_end);
}

}  // namespace nacre::regular
