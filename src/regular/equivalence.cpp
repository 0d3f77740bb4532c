// Hopcroft and Karp's algorithm: pairs of deterministic states are merged in a union-find forest,
// and only pairs not yet known equal are followed. A pair skipped because p ~ q and q ~ r are
// merged can be told apart by a word only if one of those two, found no later, can: the first
// difference is still a shortest one.
#include <optional>

#include "base/id_map.h"
#include "regular/decide.h"
#include "regular/memo.h"
#include "regular/search.h"
#include "regular/terms.h"

namespace nacre::regular {
namespace {

class Forest {
 public:
  // False if they were together before.
  bool merge(TermId a, TermId b) {
    TermId x = root(a);
    TermId y = root(b);
    if (x == y) return false;
    parent_[static_cast<uint64_t>(x)] = static_cast<uint32_t>(y);
    return true;
  }

 private:
  TermId root(TermId id) {
    for (;;) {
      uint32_t up = parent_[static_cast<uint64_t>(id)];
      if (up == IdMap::kAbsent) return id;
      uint32_t above = parent_[up];
      if (above != IdMap::kAbsent) parent_[static_cast<uint64_t>(id)] = above;
      id = TermId{up};
    }
  }

  IdMap parent_;
};

class Equivalence {
 public:
  Equivalence(TermStore& terms, const Budget& budget) : terms_(terms), search_(terms, budget) {}

  Verdict run(TermId a, TermId b) {
    add({a, b, Search::kRoot, SetTable::kNone, 0, 0});
    for (uint32_t id = search_.next(); id != Search::kRoot && !found_; id = search_.next()) {
      if (search_.exhausted()) return {};
      expand(id);
    }
    if (!found_) return {Answer::kYes, ""};
    return {Answer::kNo, search_.word(*found_)};
  }

 private:
  void expand(uint32_t id) {
    SetTable& sets = terms_.sets();
    auto left = terms_.moves(search_[id].a);
    auto right = terms_.moves(search_[id].b);
    SetId covered = SetTable::kNone;
    for (Arc move : left) {
      covered = sets.unite(covered, move.set);
      SetId rest = move.set;
      for (Arc other : right) {
        SetId common = sets.intersect(rest, other.set);
        if (common == SetTable::kNone) continue;
        add(search_.step(id, common, move.target, other.target));
        rest = sets.subtract(rest, common);
      }
      if (rest != SetTable::kNone) add(search_.step(id, rest, move.target, TermStore::kEmpty));
    }
    for (Arc other : right) {
      SetId rest = sets.subtract(other.set, covered);
      if (rest != SetTable::kNone) add(search_.step(id, rest, TermStore::kEmpty, other.target));
    }
  }

  void add(const Search::Visit& visit) {
    if (terms_.nullable(visit.a) != terms_.nullable(visit.b)) {
      if (!found_ || visit.cost < found_->cost) found_ = visit;
      return;
    }
    if (forest_.merge(visit.a, visit.b)) search_.add(visit);
  }

  TermStore& terms_;
  Search search_;
  Forest forest_;
  std::optional<Search::Visit> found_;
};

Verdict decide_equivalence(Context& context, TermId a, TermId b, const Budget& budget) {
  if (a == b) return {Answer::kYes, ""};
  if (b < a) std::swap(a, b);
  auto& known = context.memo().equivalent;
  if (auto it = known.find(pair_key(a, b)); it != known.end()) return it->second;
  Verdict verdict = Equivalence(context.terms(), context.limited(budget)).run(a, b);
  if (verdict.answer != Answer::kUnknown) known.emplace(pair_key(a, b), verdict);
  return verdict;
}

}  // namespace

Verdict equivalent(Lang a, Lang b, const Budget& budget) {
  Verdict verdict = decide_equivalence(a.context(), a.id(), b.id(), budget);
  verdict.is_certain = a.is_exact() && b.is_exact();
  return verdict;
}

}  // namespace nacre::regular
