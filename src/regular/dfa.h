// Explicit automata: plain data, immutable once made, shared between contexts and threads through
// shared_ptr<const Dfa>. They are needed for canonical forms, images of transducers, printing and
// fast matching; questions about languages do not need them (decide.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "regular/char_set.h"
#include "regular/lang.h"

namespace nacre::regular {

struct DfaArc {
  uint32_t symbols = 0;  // index into Dfa::classes
  uint32_t target = 0;
  friend bool operator==(DfaArc, DfaArc) = default;
};

// A deterministic automaton without a dead state: a symbol without an arc leads nowhere. State 0 is
// the start. Rows are sparse, for dictionaries have one or two arcs a state. The default one
// accepts nothing.
struct Dfa {
  Alphabet alphabet = Alphabet::kBytes;
  std::vector<CharSet> classes;         // disjoint, not empty
  std::vector<uint32_t> rows = {0, 0};  // the arcs of state s are rows[s] .. rows[s+1]
  std::vector<DfaArc> arcs;             // sorted by class within a row
  std::vector<uint8_t> accepting = {0};
  bool is_canonical = false;  // made by minimise(), hence minimal and unique for its language

  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(accepting.size()); }
  [[nodiscard]] std::span<const DfaArc> arcs_of(uint32_t state) const {
    return {arcs.data() + rows[state], arcs.data() + rows[state + 1]};
  }
  friend bool operator==(const Dfa&, const Dfa&) = default;
};

// A nondeterministic automaton in the making; determinise() reads it. Sets may repeat and overlap.
struct Nfa {
  struct Arc {
    uint32_t source = 0;
    uint32_t set = 0;  // index into `sets`
    uint32_t target = 0;
  };
  Alphabet alphabet = Alphabet::kBytes;
  std::vector<CharSet> sets;
  std::vector<Arc> arcs;
  std::vector<std::pair<uint32_t, uint32_t>> epsilons;  // source, target
  std::vector<uint8_t> accepting;                       // one entry per state
  std::vector<uint32_t> initial;

  uint32_t add_state(bool is_accepting);
  uint32_t add_set(CharSet set);
};

// An automaton, and whether the budget sufficed to make it exactly. If not, it accepts a superset:
// of a language, what is left when subtractions are dropped or large counters unbounded, if that is
// small enough; else states beyond the budget accept every word over the symbols that can still
// occur.
struct BoundedDfa {
  std::shared_ptr<const Dfa> dfa;
  bool is_exact = true;
};

// The minimal automaton, in a canonical form: equal languages give equal Dfas. Every state is
// reachable and live, states are numbered breadth first by smallest symbol, classes are as coarse
// as can be and sorted by their smallest symbol. O(m log n) (Valmari and Lehtinen).
Dfa minimise(const Dfa& dfa);

// The last step alone: a minimal automaton, numbered anyhow, whose start state is `start`.
Dfa canonical_numbering(const Dfa& minimal, uint32_t start);

// Subset construction, then minimise(). `budget.states` bounds the states made on the way.
BoundedDfa determinise(const Nfa& nfa, const Budget& budget = {});

// The minimal automaton of a language; remembered by its context.
BoundedDfa to_dfa(Lang a, const Budget& budget = {});

// The same language as the leaf of its minimal automaton: canonical(a) == canonical(b) if and only
// if a and b are equal, in constant time once both are known. Returns `a` itself, unchanged, if the
// budget does not suffice.
Lang canonical(Lang a, const Budget& budget = {});

// The words read backwards, not determinised.
Nfa reversed(const Dfa& dfa);

}  // namespace nacre::regular
