// The constructors of unions and intersections: flat, sorted operand lists with the absorptions
// that terms.cpp describes.
#include <algorithm>

#include "regular/membership.h"
#include "regular/terms.h"

namespace nacre::regular {
namespace {

bool holds(std::span<const TermId> sorted, TermId id) {
  return std::binary_search(sorted.begin(), sorted.end(), id);
}

void sort_unique(std::vector<TermId>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

void erase(std::vector<TermId>& sorted, TermId id) {
  auto at = std::lower_bound(sorted.begin(), sorted.end(), id);
  if (at != sorted.end() && *at == id) sorted.erase(at);
}

}  // namespace

void TermStore::flatten(Op op, std::span<const TermId> parts, Ids& out) const {
  for (TermId part : parts) {
    if (terms_[index(part)].op == op) {
      auto inner = operands(part);
      out.insert(out.end(), inner.begin(), inner.end());
    } else {
      out.push_back(part);
    }
  }
  if (out.size() > 1) sort_unique(out);
}

// All sets among the operands become one.
void TermStore::merge_sets(Op op, Ids& operands) {
  auto is_set = [this](TermId id) { return terms_[index(id)].op == Op::kSet; };
  if (std::count_if(operands.begin(), operands.end(), is_set) < 2) return;
  SetId merged = op == Op::kUnion ? SetTable::kNone : SetTable::kAll;
  for (TermId id : operands) {
    if (!is_set(id)) continue;
    SetId set{terms_[index(id)].a};
    merged = op == Op::kUnion ? sets_.unite(merged, set) : sets_.intersect(merged, set);
  }
  operands.erase(std::remove_if(operands.begin(), operands.end(), is_set), operands.end());
  operands.push_back(make_set(merged));
  sort_unique(operands);
}

// De Morgan: !x | !y becomes !(x & y), so that one operand at most is a complement.
void TermStore::merge_complements(Op op, Ids& operands) {
  auto is_complement = [this](TermId id) { return terms_[index(id)].op == Op::kComplement; };
  if (std::count_if(operands.begin(), operands.end(), is_complement) < 2) return;
  Ids bodies;
  for (TermId id : operands) {
    if (is_complement(id)) bodies.push_back(TermId{terms_[index(id)].a});
  }
  operands.erase(std::remove_if(operands.begin(), operands.end(), is_complement), operands.end());
  operands.push_back(
      make_complement(op == Op::kUnion ? make_intersection(bodies) : make_union(bodies)));
  sort_unique(operands);
}

// x together with !x, or with !(x op y).
bool TermStore::holds_contradiction(Op op, const Ids& sorted) const {
  for (TermId id : sorted) {
    const Term& t = terms_[index(id)];
    if (t.op != Op::kComplement) continue;
    TermId body{t.a};
    if (holds(sorted, body)) return true;
    Op dual = op == Op::kUnion ? Op::kIntersection : Op::kUnion;
    if (terms_[index(body)].op != dual) continue;
    for (TermId inner : operands(body)) {
      if (holds(sorted, inner)) return true;
    }
  }
  return false;
}

void TermStore::absorb_epsilon(Ids& sorted) {
  if (sorted[0] != kEpsilon && !holds(sorted, kEpsilon)) return;
  for (TermId& id : sorted) {
    Term t = term(id);
    if (id != kEpsilon && t.nullable) return erase(sorted, kEpsilon);
    TermId with_epsilon = id;
    if (t.op == Op::kConcat && term(TermId{t.b}).op == Op::kStar && term(TermId{t.b}).a == t.a) {
      with_epsilon = TermId{t.b};  // () | x x* is x*
    } else if (t.op == Op::kRepeat && t.least == 1) {
      with_epsilon = make_repeat(TermId{t.a}, 0, t.most);
    }
    if (with_epsilon == id) continue;
    id = with_epsilon;
    sort_unique(sorted);
    return erase(sorted, kEpsilon);
  }
}

void TermStore::absorb_in_union(Ids& sorted) {
  for (size_t i = 0; i < sorted.size(); ++i) {
    TermId keeper = sorted[i];
    Term t = term(keeper);
    if (t.op == Op::kStar && term(TermId{t.a}).op == Op::kSet) {
      auto covered = [&](TermId id) { return id != keeper && has_only(id, t.symbols); };
      sorted.erase(std::remove_if(sorted.begin(), sorted.end(), covered), sorted.end());
    } else if (t.op == Op::kConcat && terms_[t.a].nullable) {
      erase(sorted, TermId{t.b});  // x* y holds every word of y
    } else if (t.op == Op::kIntersection) {
      auto parts = operands(keeper);
      auto held = [&](TermId part) { return holds(sorted, part); };
      if (std::any_of(parts.begin(), parts.end(), held)) erase(sorted, keeper);
    }
    // Something before or after may be gone: go on from where the keeper stands now.
    i = static_cast<size_t>(std::lower_bound(sorted.begin(), sorted.end(), keeper) -
                            sorted.begin());
    if (i < sorted.size() && sorted[i] != keeper) --i;
  }
}

void TermStore::absorb_in_intersection(Ids& sorted) {
  for (size_t i = 0; i < sorted.size();) {
    TermId candidate = sorted[i];
    Term t = term(candidate);
    bool redundant = false;
    if (t.op == Op::kStar && term(TermId{t.a}).op == Op::kSet) {
      for (TermId id : sorted) {
        redundant |= id != candidate && has_only(id, t.symbols);
      }
    } else if (t.op == Op::kUnion) {
      for (TermId part : operands(candidate)) redundant |= holds(sorted, part);
    }
    if (redundant) {
      sorted.erase(sorted.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

TermId TermStore::intern_operands(Op op, const Ids& sorted) {
  Term result{.op = op, .nullable = op == Op::kIntersection};
  result.symbols = op == Op::kUnion ? SetTable::kNone : SetTable::kAll;
  for (TermId id : sorted) {
    const Term& t = terms_[index(id)];
    result.depth = static_cast<uint16_t>(std::max<int>(result.depth, t.depth + 1));
    if (op == Op::kUnion) {
      result.nullable |= t.nullable;
      result.symbols = sets_.unite(result.symbols, symbols(id));
    } else {
      result.nullable &= t.nullable;
      result.symbols = sets_.intersect(result.symbols, symbols(id));
    }
  }
  if (result.symbols == SetTable::kNone) return result.nullable ? kEpsilon : kEmpty;
  return intern(result, sorted);
}

TermId TermStore::make_union(TermId a, TermId b) {
  if (a == b || b == kEmpty) return a;
  if (a == kEmpty) return b;
  TermId both[] = {a, b};
  return make_union(both);
}

TermId TermStore::make_union(std::span<const TermId> parts) {
  if (parts.size() == 1) return parts[0];
  Ids list = std::move(scratch_);
  list.clear();
  flatten(Op::kUnion, parts, list);
  erase(list, kEmpty);
  TermId result = normal_union(list);
  scratch_ = std::move(list);
  return result;
}

TermId TermStore::normal_union(Ids& list) {
  if (list.empty()) return kEmpty;
  if (holds(list, kAll)) return kAll;
  if (list.size() == 1) return list[0];
  merge_sets(Op::kUnion, list);
  merge_complements(Op::kUnion, list);
  absorb_in_union(list);
  absorb_epsilon(list);
  if (list.size() == 1) return list[0];
  if (holds_contradiction(Op::kUnion, list)) return kAll;
  return intern_operands(Op::kUnion, list);
}

TermId TermStore::make_intersection(std::span<const TermId> parts) {
  if (parts.size() == 1) return parts[0];
  Ids list = std::move(scratch_);
  list.clear();
  flatten(Op::kIntersection, parts, list);
  erase(list, kAll);
  TermId result = normal_intersection(list);
  scratch_ = std::move(list);
  return result;
}

TermId TermStore::normal_intersection(Ids& list) {
  if (list.empty()) return kAll;
  if (list[0] == kEmpty) return kEmpty;
  if (list.size() == 1) return list[0];
  merge_sets(Op::kIntersection, list);
  merge_complements(Op::kIntersection, list);
  absorb_in_intersection(list);
  if (list.size() == 1) return list[0];
  if (holds(list, kEmpty) || holds_contradiction(Op::kIntersection, list)) return kEmpty;
  const auto is_word = [this](TermId id) { return terms_[index(id)].is_word; };
  const auto word = std::find_if(list.begin(), list.end(), is_word);
  if (word != list.end()) {
    if (const auto symbols = only_word(*this, *word)) {
      const auto holds_it = [&](TermId id) { return id == *word || accepts(*this, id, *symbols); };
      return std::all_of(list.begin(), list.end(), holds_it) ? *word : kEmpty;
    }
  }
  return intern_operands(Op::kIntersection, list);
}

}  // namespace nacre::regular
