#include "regular/quotient.h"

#include <vector>

#include "base/id_map.h"
#include "regular/dfa.h"
#include "regular/memo.h"
#include "regular/terms.h"

namespace nacre::regular {

Lang left_quotient(Lang a, Lang prefixes, const Budget& budget) {
  TermStore& terms = a.context().terms();
  uint64_t work_limit = terms.work() + budget.steps;
  struct Pair {
    TermId whole;
    TermId prefix;
  };
  std::vector<Pair> queue = {{a.id(), prefixes.id()}};
  IdMap seen;
  std::vector<TermId> rests;
  Bound bound = a.bound() == prefixes.bound() ? a.bound() : Bound::kUnknown;
  for (size_t next = 0; next < queue.size(); ++next) {
    if (queue.size() > budget.states || terms.work() > work_limit) {
      TermId any = terms.make_star(terms.make_set(terms.symbols(a.id())));
      return {a.context(), any, covers(bound) ? Bound::kSuperset : Bound::kUnknown};
    }
    auto [whole, prefix] = queue[next];
    if (terms.nullable(prefix)) rests.push_back(whole);
    for (Arc arc : terms.arcs(whole)) {
      for (Arc step : terms.arcs(prefix)) {
        if (terms.sets().intersect(arc.set, step.set) == SetTable::kNone) continue;
        uint32_t& known = seen[pair_key(arc.target, step.target)];
        if (known == IdMap::kAbsent) queue.push_back({arc.target, step.target});
        known = 0;
      }
    }
  }
  return {a.context(), terms.make_union(rests), bound};
}

Lang right_quotient(Lang a, Lang suffixes, const Budget& budget) {
  return reverse(left_quotient(reverse(a), reverse(suffixes), budget));
}

Lang suffixes_of(Lang a, const Budget& budget) {
  return left_quotient(a, a.context().all(), budget);
}

Lang prefixes_of(Lang a, const Budget& budget) {
  return right_quotient(a, a.context().all(), budget);
}

Lang project(Lang a, const CharSet& kept, const Budget& budget) {
  BoundedDfa whole = to_dfa(a, budget);
  Nfa nfa;
  nfa.alphabet = a.context().alphabet();
  nfa.initial = {0};
  nfa.accepting = whole.dfa->accepting;
  for (const CharSet& set : whole.dfa->classes) nfa.add_set(set & kept);
  for (uint32_t state = 0; state < whole.dfa->size(); ++state) {
    for (DfaArc arc : whole.dfa->arcs_of(state)) {
      const CharSet& set = whole.dfa->classes[arc.symbols];
      if (kept.intersects(set)) nfa.arcs.push_back({state, arc.symbols, arc.target});
      if (!kept.contains(set)) nfa.epsilons.emplace_back(state, arc.target);
    }
  }
  BoundedDfa result = determinise(nfa, budget);
  bool is_exact = whole.is_exact && result.is_exact;
  Lang lang = a.context().automaton(result.dfa);
  Bound widened = covers(a.bound()) ? Bound::kSuperset : Bound::kUnknown;
  return {a.context(), lang.id(), is_exact ? a.bound() : widened};
}

}  // namespace nacre::regular
