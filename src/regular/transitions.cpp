// Transitions of terms: partial derivatives (arcs) and their determinisation over local minterms
// (moves). Recursion follows the nesting of a term, never the length of a concatenation.
#include <algorithm>

#include "regular/dfa.h"
#include "regular/terms.h"

namespace nacre::regular {

TermStore::Row TermStore::keep(const Arcs& arcs) {
  auto* copy = memory_.array<Arc>(arcs.size());
  std::copy(arcs.begin(), arcs.end(), copy);
  work_ += arcs.size() + 1;
  return {copy, static_cast<uint32_t>(arcs.size()), true};
}

std::span<const Arc> TermStore::arcs(TermId id) {
  Row known = transitions_of(id).arcs;
  if (!known.known) {
    Arcs found;
    collect_arcs(id, found);
    known = transitions_of(id).arcs = keep(found);
  }
  return {known.arcs, known.count};
}

void TermStore::push_arc(SetId set, TermId target, Arcs& out) const {
  if (target == kEmpty) return;
  if (terms_[index(target)].op != Op::kUnion) return out.push_back({set, target});
  for (TermId part : operands(target)) out.push_back({set, part});
}

// The arcs of body, each followed by rest.
void TermStore::collect_body_arcs(TermId body, TermId rest, Arcs& out) {
  for (Arc arc : arcs(body)) push_arc(arc.set, make_concat(arc.target, rest), out);
}

void TermStore::collect_arcs(TermId id, Arcs& out) {
  Term t = term(id);
  switch (t.op) {
    case Op::kEmpty:
    case Op::kEpsilon: break;
    case Op::kSet: out.push_back({SetId{t.a}, kEpsilon}); break;
    case Op::kConcat:
      while (t.op == Op::kConcat) {
        collect_body_arcs(TermId{t.a}, TermId{t.b}, out);
        if (!nullable(TermId{t.a})) return;
        id = TermId{t.b};
        t = term(id);
      }
      for (Arc arc : arcs(id)) out.push_back(arc);
      break;
    case Op::kStar: collect_body_arcs(TermId{t.a}, id, out); break;
    case Op::kRepeat: {
      TermId rest = make_repeat(TermId{t.a}, t.least == 0 ? 0 : t.least - 1, t.most - 1);
      collect_body_arcs(TermId{t.a}, rest, out);
      break;
    }
    case Op::kUnion: {
      Ids parts(operands(id).begin(), operands(id).end());
      for (TermId part : parts) {
        for (Arc arc : arcs(part)) out.push_back(arc);
      }
      break;
    }
    case Op::kIntersection:
    case Op::kComplement:
      for (Arc move : moves(id)) push_arc(move.set, move.target, out);
      break;
    case Op::kLeaf: {
      const std::shared_ptr<const Dfa> dfa = automata_[t.a].dfa;
      for (DfaArc arc : dfa->arcs_of(t.b)) {
        TermId target = make_leaf(t.a, arc.target);
        if (target != kEmpty) out.push_back({automata_[t.a].classes[arc.symbols], target});
      }
      break;
    }
  }
}

std::span<const Arc> TermStore::moves(TermId id) {
  Row known = transitions_of(id).moves;
  if (!known.known) {
    Term t = term(id);
    Arcs found;
    if (t.op == Op::kComplement) {
      complement_moves(TermId{t.a}, found);
    } else if (t.op == Op::kIntersection) {
      Ids parts(operands(id).begin(), operands(id).end());
      intersect(parts, false, found);
    } else {
      deterministic(arcs(id), found);
    }
    known = transitions_of(id).moves = keep(found);
  }
  return {known.arcs, known.count};
}

// Splits overlapping arcs into disjoint blocks, each leading to the union of its targets.
void TermStore::deterministic(std::span<const Arc> arcs, Arcs& out) {
  size_t count = 0;  // blocks in use; the rest keep their memory
  auto new_block = [&](SetId set) -> Block& {
    if (count == blocks_.size()) blocks_.emplace_back();
    blocks_[count].set = set;
    blocks_[count].targets.clear();
    return blocks_[count++];
  };
  for (Arc arc : arcs) {
    SetId rest = arc.set;
    for (size_t i = 0, end = count; i < end && rest != SetTable::kNone; ++i) {
      SetId block = blocks_[i].set;
      SetId common = sets_.intersect(block, rest);
      if (common == SetTable::kNone) continue;
      if (common != block) {
        Block& outside = new_block(sets_.subtract(block, common));
        outside.targets = blocks_[i].targets;
        blocks_[i].set = common;
      }
      blocks_[i].targets.push_back(arc.target);
      rest = sets_.subtract(rest, common);
    }
    if (rest != SetTable::kNone) new_block(rest).targets.push_back(arc.target);
  }
  work_ += count;
  for (size_t i = 0; i < count; ++i)
    out.push_back({blocks_[i].set, make_union(blocks_[i].targets)});
}

// The tuples of targets that some symbol leads to. Operands stay apart until the end, so that no
// intersection of only some of them is ever made.
void TermStore::intersect(std::span<const TermId> parts, bool is_loose, Arcs& out) {
  // For each set, the arcs of all parts so far that share it: `width` targets each.
  std::vector<SetId> sets = {SetTable::kAll};
  Ids targets;
  for (size_t width = 0; width < parts.size(); ++width) {
    std::vector<SetId> next_sets;
    Ids next_targets;
    const auto row = is_loose ? arcs(parts[width]) : moves(parts[width]);
    for (size_t i = 0; i < sets.size(); ++i) {
      const auto begin = targets.begin() + static_cast<std::ptrdiff_t>(i * width);
      for (Arc arc : row) {
        SetId common = sets_.intersect(sets[i], arc.set);
        if (common == SetTable::kNone) continue;
        next_sets.push_back(common);
        next_targets.insert(next_targets.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
        next_targets.push_back(arc.target);
      }
    }
    work_ += next_sets.size();
    // Where each part may go several ways, the tuples are exponentially many; where each goes one
    // way, there is one for each set.
    constexpr size_t kMaxTuples = 10'000;
    if (is_loose && next_sets.size() > kMaxTuples) return intersect(parts, false, out);
    sets = std::move(next_sets);
    targets = std::move(next_targets);
  }
  for (size_t i = 0; i < sets.size(); ++i) {
    const std::span common(targets.data() + i * parts.size(), parts.size());
    TermId target = make_intersection(common);
    if (target != kEmpty) out.push_back({sets[i], target});
  }
}

std::vector<Arc> TermStore::loose_arcs(TermId id) {
  Arcs found;
  if (terms_[index(id)].op == Op::kIntersection) {
    Ids parts(operands(id).begin(), operands(id).end());
    intersect(parts, true, found);
  } else {
    auto known = arcs(id);
    found.assign(known.begin(), known.end());
  }
  return found;
}

void TermStore::complement_moves(TermId body, Arcs& out) {
  SetId rest = SetTable::kAll;
  for (Arc move : moves(body)) {
    rest = sets_.subtract(rest, move.set);
    TermId target = make_complement(move.target);
    if (target != kEmpty) out.push_back({move.set, target});
  }
  if (rest != SetTable::kNone) out.push_back({rest, kAll});
}

TermId TermStore::step(TermId id, Symbol symbol) {
  for (Arc move : moves(id)) {
    if (sets_[move.set].contains(symbol)) return move.target;
  }
  return kEmpty;
}

}  // namespace nacre::regular
