// Inclusion is a breadth-first search over pairs (a, B): a term of the left side, nondeterministic
// (TermStore::arcs), against the deterministic union B of all terms the right side can be in
// (TermStore::moves). A pair with a accepting and B not is a counterexample. Pairs are pruned if
//   - a is an operand of B, or one of them is S* and a has only symbols of S;
//   - there is an earlier pair (a, B') with B' part of B: a word that refutes (a, B) refutes it
//   too.
// (Antichains: De Wulf, Doyen, Henzinger, Raskin 2006.) A pair of the same depth prunes only what
// is not more natural, so that the counterexample is a shortest and, among those, a most natural
// one; it also replaces what it makes superfluous. Emptiness is inclusion in the empty language.
// Conjuncts !c on the left are moved to the right, where the antichain works for them: a & !c is in
// b if and only if a is in b | c.
#include <algorithm>
#include <optional>

#include "base/id_map.h"
#include "regular/decide.h"
#include "regular/membership.h"
#include "regular/memo.h"
#include "regular/search.h"
#include "regular/terms.h"

namespace nacre::regular {
namespace {

class Inclusion {
 public:
  // Intersections on the left are determinised, which is smaller nearly always and exponential
  // sometimes; or they are not (is_loose).
  Inclusion(TermStore& terms, const Budget& budget, bool is_loose)
      : terms_(terms), search_(terms, budget), is_loose_(is_loose) {}

  [[nodiscard]] uint64_t visits() const { return search_.size(); }

  Verdict run(TermId a, TermId b) {
    move_complements(a, b);
    add_left({a, b, Search::kRoot, SetTable::kNone, 0, 0});
    if (found_) return {Answer::kNo, ""};
    for (uint32_t id = search_.next(); id != Search::kRoot; id = search_.next()) {
      if (found_ && is_settled(search_[id])) break;
      if (search_.exhausted()) return {};
      expand(id);
    }
    if (!found_) return {Answer::kYes, ""};
    return {Answer::kNo, search_.word(*found_)};
  }

 private:
  // No visit from `next` on can lead to a better counterexample.
  [[nodiscard]] bool is_settled(const Search::Visit& next) const {
    return next.depth >= found_->depth || next.cost >= found_->cost;
  }

  void move_complements(TermId& a, TermId& b) {
    std::vector<TermId> left = parts_of(a, Op::kIntersection);
    std::vector<TermId> right = {b};
    auto kept = std::remove_if(left.begin(), left.end(), [&](TermId part) {
      Term t = terms_.term(part);
      if (t.op == Op::kComplement) right.push_back(TermId{t.a});
      return t.op == Op::kComplement;
    });
    left.erase(kept, left.end());
    a = terms_.make_intersection(left);
    b = terms_.make_union(right);
  }

  [[nodiscard]] std::vector<TermId> parts_of(TermId id, Op op) const {
    if (terms_.term(id).op != op) return {id};
    auto parts = terms_.operands(id);
    return {parts.begin(), parts.end()};
  }

  // One visit per term of a union on the left.
  void add_left(Search::Visit visit) {
    for (TermId part : parts_of(visit.a, Op::kUnion)) {
      visit.a = part;
      add(visit);
    }
  }

  void expand(uint32_t id) {
    TermId a = search_[id].a;
    auto moves = terms_.moves(search_[id].b);
    std::vector<Arc> loose;
    if (is_loose_) loose = terms_.loose_arcs(a);
    for (Arc arc : is_loose_ ? std::span<const Arc>(loose) : terms_.arcs(a)) {
      SetId rest = arc.set;
      for (Arc move : moves) {
        SetId common = terms_.sets().intersect(rest, move.set);
        if (common == SetTable::kNone) continue;
        add(search_.step(id, common, arc.target, move.target));
        rest = terms_.sets().subtract(rest, common);
        if (rest == SetTable::kNone) break;
      }
      if (rest != SetTable::kNone) add(search_.step(id, rest, arc.target, TermStore::kEmpty));
    }
  }

  void add(const Search::Visit& visit) {
    if (visit.a == TermStore::kEmpty || is_operand(visit)) return;
    if (terms_.nullable(visit.a) && !terms_.nullable(visit.b)) {
      if (!found_ || visit.cost < found_->cost) found_ = visit;
      return;
    }
    if (found_ && visit.depth >= found_->depth) return;
    if (is_pruned(visit)) return;
    uint32_t& newest = newest_[static_cast<uint64_t>(visit.a)];
    previous_.push_back(newest);
    newest = search_.add(visit);
  }

  // Compares the visit with those of the same left term: does one of them make it superfluous?
  // If not, it may make some of them superfluous that wait in the same level.
  bool is_pruned(const Search::Visit& visit) {
    uint32_t compared = 0;
    uint32_t* link = &newest_[static_cast<uint64_t>(visit.a)];
    while (*link != IdMap::kAbsent) {
      search_.spend(1);
      const Search::Visit& other = search_[*link];
      bool is_early = other.depth < visit.depth || other.cost <= visit.cost;
      if (is_early && is_part(other.b, visit.b)) return true;
      // Beyond a few visits a small antichain is worth more than a natural witness.
      bool is_worse = other.cost >= visit.cost || ++compared > kPatience;
      if (other.depth == visit.depth && is_worse && is_part(visit.b, other.b)) {
        search_.drop(*link);
        *link = previous_[*link];
      } else {
        link = &previous_[*link];
      }
    }
    return false;
  }

  [[nodiscard]] bool is_operand(const Search::Visit& visit) {
    if (covers(visit.b, visit.a)) return true;
    if (terms_.term(visit.b).op != Op::kUnion) return false;
    auto parts = terms_.operands(visit.b);
    return std::any_of(parts.begin(), parts.end(),
                       [&](TermId part) { return covers(part, visit.a); });
  }

  // Surely: they are the same, or the outer one is S* and the inner one has only symbols of S.
  [[nodiscard]] bool covers(TermId outer, TermId inner) {
    if (outer == inner) return true;
    Term t = terms_.term(outer);
    return t.op == Op::kStar && terms_.term(TermId{t.a}).op == Op::kSet &&
           terms_.has_only(inner, t.symbols);
  }

  // Whether the operands of union `small` are among those of `large`.
  [[nodiscard]] bool is_part(TermId small, TermId large) const {
    if (small == large || small == TermStore::kEmpty) return true;
    if (terms_.term(large).op != Op::kUnion) return false;
    auto outer = terms_.operands(large);
    if (terms_.term(small).op != Op::kUnion) {
      return std::binary_search(outer.begin(), outer.end(), small);
    }
    auto inner = terms_.operands(small);
    return inner.size() < outer.size() &&
           std::includes(outer.begin(), outer.end(), inner.begin(), inner.end());
  }

  static constexpr uint32_t kPatience = 16;

  TermStore& terms_;
  Search search_;
  bool is_loose_;
  IdMap newest_;                    // by left term: its newest visit
  std::vector<uint32_t> previous_;  // by visit: the one before it with the same left term
  std::optional<Search::Visit> found_;
};

// Visits after which an intersection is taken loosely.
constexpr uint64_t kFirstTry = 20'000;

Verdict decide_inclusion(Context& context, TermId a, TermId b, const Budget& wanted) {
  const Budget budget = context.limited(wanted);
  if (a == b || a == TermStore::kEmpty) return {Answer::kYes, ""};
  const Term left = context.terms().term(a);
  const Term right = context.terms().term(b);
  if (left.op == Op::kComplement && right.op == Op::kComplement) {  // the witness is the same
    return decide_inclusion(context, TermId{right.a}, TermId{left.a}, wanted);
  }
  Memo& memo = context.memo();
  const uint64_t key = pair_key(a, b);
  if (auto it = memo.included.find(key); it != memo.included.end()) return it->second;
  if (auto it = memo.undecided.find(key); it != memo.undecided.end() && it->second >= budget.states)
    return {};
  if (const auto word = only_word(context.terms(), a)) {
    Verdict verdict{Answer::kYes, ""};
    if (!accepts(context.terms(), b, *word)) {
      verdict.answer = Answer::kNo;
      for (const Symbol symbol : *word) append_symbol(verdict.witness, symbol, context.alphabet());
    }
    memo.included.emplace(key, verdict);
    return verdict;
  }
  const auto attempt = [&](const Budget& allowed, bool is_loose) {
    Inclusion inclusion(context.terms(), allowed, is_loose);
    Verdict verdict = inclusion.run(a, b);
    context.spend(inclusion.visits());
    return verdict;
  };
  Verdict verdict = attempt({budget.steps, std::min(budget.states, kFirstTry), budget.stop}, false);
  if (verdict.answer == Answer::kUnknown && budget.states > kFirstTry)
    verdict = attempt(budget, context.terms().term(a).op == Op::kIntersection);
  if (verdict.answer == Answer::kUnknown)
    memo.undecided.insert_or_assign(key, budget.states);
  else
    memo.included.emplace(key, verdict);
  return verdict;
}

}  // namespace

Verdict included(Lang a, Lang b, const Budget& budget) {
  Verdict verdict = decide_inclusion(a.context(), a.id(), b.id(), budget);
  verdict.is_certain = verdict.yes() ? covers(a.bound()) && is_covered(b.bound())
                                     : is_covered(a.bound()) && covers(b.bound());
  return verdict;
}

Verdict is_empty(Lang a, const Budget& budget) { return included(a, a.context().empty(), budget); }

Verdict disjoint(Lang a, Lang b, const Budget& budget) { return is_empty(a & b, budget); }

std::optional<std::string> shortest(Lang a, const Budget& budget) {
  Verdict verdict = is_empty(a, budget);
  if (!verdict.no()) return std::nullopt;
  return verdict.witness;
}

}  // namespace nacre::regular
