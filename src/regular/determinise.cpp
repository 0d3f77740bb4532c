// From nondeterministic automata and from terms to minimal ones. Both explore states breadth first
// and stop making new ones at the budget; what lies beyond becomes S*, with S the symbols that can
// still occur there.
#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/id_map.h"
#include "regular/dfa.h"
#include "regular/memo.h"
#include "regular/partition.h"
#include "regular/terms.h"
#include "regular/widen.h"

namespace nacre::regular {
namespace {

using Indices = std::vector<uint32_t>;
constexpr uint32_t kNone = ~uint32_t{0};

// Arcs over overlapping sets, to be relabelled by classes.
struct LooseDfa {
  std::vector<CharSet> sets;
  std::vector<uint32_t> rows = {0};
  std::vector<DfaArc> arcs;  // symbols: index into `sets`; disjoint within a row
  std::vector<uint8_t> accepting;
};

Dfa with_classes(const LooseDfa& loose, Alphabet alphabet) {
  Partition classes = partition(loose.sets);
  Dfa dfa;
  dfa.alphabet = alphabet;
  dfa.classes = std::move(classes.classes);
  dfa.accepting = loose.accepting;
  dfa.rows = {0};
  dfa.rows.reserve(loose.rows.size());
  for (size_t state = 0; state + 1 < loose.rows.size(); ++state) {
    for (uint32_t i = loose.rows[state]; i < loose.rows[state + 1]; ++i) {
      for (uint32_t id : classes.members[loose.arcs[i].symbols]) {
        dfa.arcs.push_back({id, loose.arcs[i].target});
      }
    }
    dfa.rows.push_back(static_cast<uint32_t>(dfa.arcs.size()));
  }
  return dfa;
}

// Explores the moves of a term.
class TermExplorer {
 public:
  TermExplorer(TermStore& terms, const Budget& budget)
      : terms_(terms), budget_(budget), work_limit_(terms.work() + budget.steps) {}

  BoundedDfa run(TermId start) {
    state_of(start);
    for (size_t next = 0; next < queue_.size(); ++next) {
      loose_.accepting.push_back(terms_.nullable(queue_[next]) ? 1 : 0);
      for (Arc move : terms_.moves(queue_[next])) {
        loose_.arcs.push_back({set_index(move.set), state_of(move.target)});
      }
      loose_.rows.push_back(static_cast<uint32_t>(loose_.arcs.size()));
    }
    Dfa dfa = minimise(with_classes(loose_, terms_.alphabet()));
    return {std::make_shared<const Dfa>(std::move(dfa)), is_exact_};
  }

 private:
  uint32_t state_of(TermId id) {
    uint32_t* state = &states_[raw(id)];
    if (*state != IdMap::kAbsent) return *state;
    if (queue_.size() >= budget_.states || terms_.work() >= work_limit_ ||
        budget_.stop.is_requested()) {
      is_exact_ = false;
      id = terms_.make_star(terms_.make_set(terms_.symbols(id)));
      state = &states_[raw(id)];
      if (*state != IdMap::kAbsent) return *state;
    }
    *state = static_cast<uint32_t>(queue_.size());
    queue_.push_back(id);
    return *state;
  }

  uint32_t set_index(SetId id) {
    uint32_t& index = sets_[static_cast<uint64_t>(id)];
    if (index == IdMap::kAbsent) {
      index = static_cast<uint32_t>(loose_.sets.size());
      loose_.sets.push_back(terms_.set(id));
    }
    return index;
  }

  TermStore& terms_;
  const Budget& budget_;
  uint64_t work_limit_;
  IdMap states_;  // by term
  IdMap sets_;    // by SetId
  std::vector<TermId> queue_;
  LooseDfa loose_;
  bool is_exact_ = true;
};

// The arcs of an Nfa by source, over classes, and what a state stands for when it is reached: all
// states that epsilons lead to, of which only those matter that read something or accept. States
// from which nothing is accepted are left out. Images are full of both: what a transducer drops is
// an epsilon, and a wrong guess of it is a dead end.
struct IndexedNfa {
  std::vector<CharSet> classes;
  Indices rows;
  std::vector<DfaArc> arcs;
  std::vector<Indices> closure;  // of initial states and targets of arcs; empty: just the state
};

// Neighbours of states in one direction.
class Links {
 public:
  template <typename ForEach>  // calls a function with every (from, to), each time the same
  Links(size_t states, ForEach for_each) : rows_(states + 2, 0) {
    for_each([&](uint32_t from, uint32_t) { ++rows_[from + 2]; });
    std::partial_sum(rows_.begin(), rows_.end(), rows_.begin());
    targets_.resize(rows_.back());
    for_each([&](uint32_t from, uint32_t to) { targets_[rows_[from + 1]++] = to; });
  }
  [[nodiscard]] std::span<const uint32_t> operator[](uint32_t state) const {
    return {targets_.data() + rows_[state], targets_.data() + rows_[state + 1]};
  }

 private:
  Indices rows_, targets_;
};

// Adds to `reached` all that can be reached from it; `seen` marks its members with `mark`.
void reach(const Links& links, Indices& reached, Indices& seen, uint32_t mark) {
  for (uint32_t state : reached) seen[state] = mark;
  for (size_t i = 0; i < reached.size(); ++i) {
    for (uint32_t target : links[reached[i]]) {
      if (seen[target] == mark) continue;
      seen[target] = mark;
      reached.push_back(target);
    }
  }
}

// By state: 0 if a word can still be accepted from it, else kNone.
Indices live_states(const Nfa& nfa) {
  const Links back(nfa.accepting.size(), [&](auto link) {
    for (const Nfa::Arc& arc : nfa.arcs) link(arc.target, arc.source);
    for (auto [source, target] : nfa.epsilons) link(target, source);
  });
  Indices live;
  for (uint32_t state = 0; state < nfa.accepting.size(); ++state) {
    if (nfa.accepting[state] != 0) live.push_back(state);
  }
  Indices marks(nfa.accepting.size(), kNone);
  reach(back, live, marks, 0);
  return marks;
}

void add_closures(const Nfa& nfa, const Indices& live, IndexedNfa& result) {
  const size_t count = nfa.accepting.size();
  result.closure.resize(count);
  if (nfa.epsilons.empty()) return;
  const Links direct(count, [&](auto link) {
    for (auto [source, target] : nfa.epsilons) link(source, target);
  });
  Indices seen(count, kNone);
  Indices reached;
  auto add = [&](uint32_t state) {
    if (direct[state].empty() || !result.closure[state].empty()) return;
    reached.assign(1, state);
    reach(direct, reached, seen, state);
    for (uint32_t other : reached) {
      const bool matters = nfa.accepting[other] != 0 || result.rows[other] < result.rows[other + 1];
      if (matters && live[other] != kNone) result.closure[state].push_back(other);
    }
    std::sort(result.closure[state].begin(), result.closure[state].end());
  };
  for (uint32_t state : nfa.initial) add(state);
  for (const DfaArc& arc : result.arcs) add(arc.target);
}

IndexedNfa index_nfa(const Nfa& nfa) {
  IndexedNfa result;
  const Indices live = live_states(nfa);
  Partition classes = partition(nfa.sets);
  result.classes = std::move(classes.classes);
  Indices count(nfa.accepting.size() + 2, 0);
  for (const Nfa::Arc& arc : nfa.arcs) {
    if (live[arc.target] == kNone) continue;
    count[arc.source + 2] += static_cast<uint32_t>(classes.members[arc.set].size());
  }
  std::partial_sum(count.begin(), count.end(), count.begin());
  result.arcs.resize(count.back());
  for (const Nfa::Arc& arc : nfa.arcs) {
    if (live[arc.target] == kNone) continue;
    for (uint32_t id : classes.members[arc.set]) {
      result.arcs[count[arc.source + 1]++] = {id, arc.target};
    }
  }
  count.pop_back();
  result.rows = std::move(count);
  add_closures(nfa, live, result);
  return result;
}

// By state, the classes that occur on some path from it, as bits.
class ReachableClasses {
 public:
  ReachableClasses(const Nfa& nfa, const IndexedNfa& indexed)
      : words_((indexed.classes.size() + 63) / 64), bits_(nfa.accepting.size() * words_) {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto state = static_cast<uint32_t>(nfa.accepting.size()); state-- > 0;) {
        for (uint32_t i = indexed.rows[state]; i < indexed.rows[state + 1]; ++i) {
          const DfaArc arc = indexed.arcs[i];
          uint64_t& word = row(state)[arc.symbols / 64];
          const uint64_t bit = uint64_t{1} << arc.symbols % 64;
          changed |= (word & bit) == 0;
          word |= bit;
          changed |= join(state, arc.target);
        }
        for (uint32_t target : indexed.closure[state]) changed |= join(state, target);
      }
    }
  }

  // All that occur from some of the states, in order.
  [[nodiscard]] Indices from(const Indices& states) const {
    std::vector<uint64_t> all(words_, 0);
    for (uint32_t state : states) {
      for (size_t i = 0; i < words_; ++i) all[i] |= bits_[state * words_ + i];
    }
    Indices result;
    for (uint32_t id = 0; id < words_ * 64; ++id) {
      if ((all[id / 64] >> id % 64 & 1) != 0) result.push_back(id);
    }
    return result;
  }

 private:
  uint64_t* row(uint32_t state) { return bits_.data() + state * words_; }

  bool join(uint32_t into, uint32_t from) {
    uint64_t added = 0;
    for (size_t i = 0; i < words_; ++i) {
      added |= row(from)[i] & ~row(into)[i];
      row(into)[i] |= row(from)[i];
    }
    return added != 0;
  }

  size_t words_;
  std::vector<uint64_t> bits_;
};

// Whether subsets would all have one state: pre-images of machines that need not guess.
bool is_deterministic(const Nfa& nfa, const IndexedNfa& indexed) {
  if (!nfa.epsilons.empty()) return false;
  Indices last_source(indexed.classes.size(), kNone);
  for (uint32_t state = 0; state + 1 < indexed.rows.size(); ++state) {
    for (uint32_t i = indexed.rows[state]; i < indexed.rows[state + 1]; ++i) {
      if (std::exchange(last_source[indexed.arcs[i].symbols], state) == state) return false;
    }
  }
  return true;
}

// Its start must be state 0, as it is in a Dfa.
Dfa as_dfa(const Nfa& nfa, IndexedNfa indexed) {
  Dfa dfa;
  dfa.alphabet = nfa.alphabet;
  dfa.classes = std::move(indexed.classes);
  dfa.rows = std::move(indexed.rows);
  dfa.arcs = std::move(indexed.arcs);
  dfa.accepting = nfa.accepting;
  return dfa;
}

class SubsetConstruction {
 public:
  SubsetConstruction(const Nfa& nfa, IndexedNfa indexed, const Budget& budget)
      : nfa_(nfa),
        indexed_(std::move(indexed)),
        budget_(budget),
        targets_(indexed_.classes.size()) {}

  BoundedDfa run() {
    Dfa dfa;
    dfa.alphabet = nfa_.alphabet;
    dfa.classes = indexed_.classes;
    dfa.rows = {0};
    dfa.accepting.clear();
    Indices start;
    for (uint32_t state : nfa_.initial) add_closed(start, state);
    state_of(start);
    for (uint32_t next = 0; next < subsets_.size(); ++next) {
      expand(next, dfa);
      dfa.rows.push_back(static_cast<uint32_t>(dfa.arcs.size()));
    }
    return {std::make_shared<const Dfa>(minimise(dfa)), is_exact_};
  }

 private:
  // A set of states, in members_; or, past the budget, "every word over these classes".
  struct Subset {
    size_t begin = 0, end = 0;
    uint64_t hash = 0;
    bool is_widened = false;
  };

  [[nodiscard]] std::span<const uint32_t> members(const Subset& subset) const {
    return {members_.data() + subset.begin, members_.data() + subset.end};
  }

  void add_closed(Indices& set, uint32_t state) const {
    const Indices& closure = indexed_.closure[state];
    if (closure.empty()) {
      set.push_back(state);
    } else {
      set.insert(set.end(), closure.begin(), closure.end());
    }
  }

  void expand(uint32_t id, Dfa& dfa) {
    if (subsets_[id].is_widened) {
      dfa.accepting.push_back(1);
      for (uint32_t symbols : members(subsets_[id])) dfa.arcs.push_back({symbols, id});
      return;
    }
    bool accepting = false;
    touched_.clear();
    for (uint32_t state : members(subsets_[id])) {
      accepting |= nfa_.accepting[state] != 0;
      for (uint32_t i = indexed_.rows[state]; i < indexed_.rows[state + 1]; ++i) {
        DfaArc arc = indexed_.arcs[i];
        if (targets_[arc.symbols].empty()) touched_.push_back(arc.symbols);
        add_closed(targets_[arc.symbols], arc.target);
      }
    }
    dfa.accepting.push_back(accepting ? 1 : 0);
    std::sort(touched_.begin(), touched_.end());
    for (uint32_t symbols : touched_) {
      steps_ += targets_[symbols].size();
      dfa.arcs.push_back({symbols, state_of(targets_[symbols])});
      targets_[symbols].clear();
    }
  }

  uint32_t state_of(Indices& set) {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    const bool may_grow = subsets_.size() < budget_.states && steps_ < budget_.steps;
    if (const auto known = find_or_insert(set, false, may_grow)) return *known;
    is_exact_ = false;
    if (!reachable_) reachable_.emplace(nfa_, indexed_);
    return *find_or_insert(reachable_->from(set), true, true);
  }

  static uint64_t hash(std::span<const uint32_t> states, bool is_widened) {
    uint64_t h = is_widened ? 1 : 0;
    for (uint32_t state : states) {
      h = (h ^ state) * 0x9E3779B97F4A7C15u;
      h ^= h >> 32;
    }
    return h;
  }

  // Nothing if there is no such subset and none may be added.
  std::optional<uint32_t> find_or_insert(const Indices& states, bool is_widened, bool may_insert) {
    if (subsets_.size() * 2 >= slots_.size()) grow();
    const uint64_t wanted = hash(states, is_widened);
    const size_t mask = slots_.size() - 1;
    size_t at = wanted & mask;
    for (; slots_[at] != kNone; at = (at + 1) & mask) {
      const Subset& other = subsets_[slots_[at]];
      if (other.hash != wanted || other.is_widened != is_widened) continue;
      const auto known = members(other);
      if (std::equal(known.begin(), known.end(), states.begin(), states.end())) return slots_[at];
    }
    if (!may_insert) return std::nullopt;
    slots_[at] = static_cast<uint32_t>(subsets_.size());
    const size_t begin = members_.size();
    members_.insert(members_.end(), states.begin(), states.end());
    subsets_.push_back({begin, members_.size(), wanted, is_widened});
    return slots_[at];
  }

  void grow() {
    slots_.assign(std::max<size_t>(slots_.size() * 2, 16), kNone);
    for (uint32_t id = 0; id < subsets_.size(); ++id) {
      size_t at = subsets_[id].hash & (slots_.size() - 1);
      while (slots_[at] != kNone) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = id;
    }
  }

  const Nfa& nfa_;
  IndexedNfa indexed_;
  const Budget& budget_;
  std::vector<Subset> subsets_;
  Indices members_;               // of all subsets, one after the other
  Indices slots_;                 // open addressing into subsets_
  std::vector<Indices> targets_;  // by class, while a subset is expanded
  Indices touched_;
  std::optional<ReachableClasses> reachable_;  // made when the budget runs out
  uint64_t steps_ = 0;
  bool is_exact_ = true;
};

uint64_t hash_of(const Dfa& dfa) {
  uint64_t h = dfa.size();
  auto mix = [&h](uint64_t value) { h = (h ^ value) * 0x9E3779B97F4A7C15u, h ^= h >> 32; };
  for (const CharSet& set : dfa.classes) mix(set.hash());
  for (DfaArc arc : dfa.arcs) mix(uint64_t{arc.symbols} << 32 | arc.target);
  return h;
}

}  // namespace

uint32_t Nfa::add_state(bool is_accepting) {
  accepting.push_back(is_accepting ? 1 : 0);
  return static_cast<uint32_t>(accepting.size() - 1);
}

uint32_t Nfa::add_set(CharSet set) {
  sets.push_back(std::move(set));
  return static_cast<uint32_t>(sets.size() - 1);
}

BoundedDfa determinise(const Nfa& nfa, const Budget& budget) {
  IndexedNfa indexed = index_nfa(nfa);
  const bool starts_at_zero = nfa.initial.size() == 1 && nfa.initial[0] == 0;
  if (starts_at_zero && nfa.accepting.size() <= budget.states && is_deterministic(nfa, indexed)) {
    return {std::make_shared<const Dfa>(minimise(as_dfa(nfa, std::move(indexed)))), true};
  }
  return SubsetConstruction(nfa, std::move(indexed), budget).run();
}

BoundedDfa to_dfa(Lang a, const Budget& wanted) {
  const Budget budget = a.context().limited(wanted);
  TermStore& terms = a.context().terms();
  if (Term t = terms.term(a.id()); t.op == Op::kLeaf && t.b == 0) {
    if (terms.automaton(t.a)->is_canonical) return {terms.automaton(t.a), true};
  }
  auto& known = a.context().memo().dfas;
  if (auto it = known.find(a.id()); it != known.end()) return it->second;
  BoundedDfa result = TermExplorer(terms, budget).run(a.id());
  a.context().spend(result.dfa->size());
  if (result.is_exact) {
    known.emplace(a.id(), result);
    return result;
  }
  for (TermId wider : widenings(terms, a.id())) {
    BoundedDfa widened = TermExplorer(terms, budget).run(wider);
    if (widened.is_exact) return {widened.dfa, false};
  }
  return result;
}

Lang canonical(Lang a, const Budget& budget) {
  TermStore& terms = a.context().terms();
  BoundedDfa found = to_dfa(a, budget);
  if (!found.is_exact) return a;
  uint64_t hash = hash_of(*found.dfa);
  auto& known = a.context().memo().canonical;
  auto [begin, end] = known.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (*to_dfa({a.context(), it->second}).dfa == *found.dfa) {
      return {a.context(), it->second, a.bound()};
    }
  }
  TermId leaf = terms.add_automaton(found.dfa);
  known.emplace(hash, leaf);
  return {a.context(), leaf, a.bound()};
}

Nfa reversed(const Dfa& dfa) {
  Nfa nfa;
  nfa.alphabet = dfa.alphabet;
  nfa.sets = dfa.classes;
  for (uint32_t state = 0; state < dfa.size(); ++state) {
    nfa.add_state(state == 0);
    if (dfa.accepting[state] != 0) nfa.initial.push_back(state);
    for (DfaArc arc : dfa.arcs_of(state)) nfa.arcs.push_back({arc.target, arc.symbols, state});
  }
  return nfa;
}

TermId TermStore::reverse_leaf(TermId id) {
  Term t = term(id);
  Dfa from_here = *automata_[t.a].dfa;
  Nfa nfa = reversed(from_here);
  std::fill(nfa.accepting.begin(), nfa.accepting.end(), 0);
  nfa.accepting[t.b] = 1;
  return add_automaton(determinise(nfa).dfa);
}

}  // namespace nacre::regular
