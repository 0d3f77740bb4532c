// Interning and the smart constructors. The normal form they keep:
//   - concatenations lean to the right; runs of one factor are counted: x x{2,3} is x{3,4};
//   - unions and intersections are flat, sorted by id and free of repetitions (associative,
//     commutative, idempotent), their sets merged into one, units and zeros gone;
//   - S* for a set S absorbs in a union every operand over S, and vanishes in an intersection
//   beside
//     one: `.*` makes most of the terms that derivatives of `.*x.*` produce disappear;
//   - a word decides an intersection: it is in all the others, or nothing is;
//   - x | !x and x & !x, also !(x|y), are decided.
// All of it costs at most a pass over the operands. (The Boolean half is in boolean_terms.cpp.)
#include "regular/terms.h"

#include <algorithm>
#include <cassert>

#include "regular/dfa.h"

namespace nacre::regular {
namespace {

constexpr uint64_t kLargestCounter = uint64_t{1} << 31;

uint32_t hash_of(const Term& term, std::span<const TermId> operands) {
  uint64_t h = static_cast<uint64_t>(term.op);
  auto mix = [&h](uint64_t value) { h = (h ^ value) * 0x9E3779B97F4A7C15u, h ^= h >> 32; };
  if (operands.empty()) {
    mix(uint64_t{term.a} << 32 | term.b);
    if (term.op == Op::kRepeat) mix(uint64_t{term.least} << 32 | term.most);
  }
  for (TermId id : operands) mix(static_cast<uint64_t>(id));
  return static_cast<uint32_t>(h);
}

}  // namespace

TermStore::TermStore(Alphabet alphabet) : sets_(alphabet), slots_(256), memory_(1 << 12) {
  terms_.reserve(128);
  intern({.op = Op::kEmpty}, {});
  intern({.op = Op::kEpsilon, .nullable = true, .is_word = true}, {});
  intern({.op = Op::kStar, .nullable = true, .a = 3, .symbols = SetTable::kAll}, {});
  make_set(SetTable::kAll);  // term 3: the body of kAll
}

bool TermStore::same(const Term& a, const Term& b, std::span<const TermId> operands) const {
  if (a.op != b.op) return false;
  if (a.op != Op::kUnion && a.op != Op::kIntersection) {
    return a.a == b.a && a.b == b.b && a.least == b.least && a.most == b.most;
  }
  return a.b == operands.size() &&
         std::equal(operands.begin(), operands.end(), operands_.begin() + a.a);
}

// For a union or intersection, `operands` are its operands and term.a is still unset.
TermId TermStore::intern(Term term, std::span<const TermId> operands) {
  if (terms_.size() * 2 >= slots_.size()) grow_slots();
  uint32_t hash = hash_of(term, operands);
  size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  for (; slots_[at].id != kFree; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && same(terms_[slots_[at].id], term, operands)) {
      return TermId{slots_[at].id};
    }
  }
  if (!operands.empty()) {
    term.a = static_cast<uint32_t>(operands_.size());
    term.b = static_cast<uint32_t>(operands.size());
    operands_.insert(operands_.end(), operands.begin(), operands.end());
  }
  auto id = static_cast<uint32_t>(terms_.size());
  slots_[at] = {hash, id};
  terms_.push_back(term);
  return TermId{id};
}

void TermStore::grow_slots() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  size_t mask = slots_.size() - 1;
  for (Slot slot : old) {
    if (slot.id == kFree) continue;
    size_t at = slot.hash & mask;
    while (slots_[at].id != kFree) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

TermId TermStore::make_set(SetId set) {
  if (set == SetTable::kNone) return kEmpty;
  return intern({.op = Op::kSet,
                 .is_word = sets_[set].size() == 1,
                 .a = static_cast<uint32_t>(set),
                 .symbols = set},
                {});
}

TermId TermStore::make_letter(Symbol symbol) {
  if (symbol >= letters_.size()) return make_set(sets_.intern(CharSet::of(symbol)));
  TermId& known = letters_[symbol];
  if (known == kEmpty) known = make_set(sets_.intern(CharSet::of(symbol)));
  return known;
}

TermStore::Run TermStore::run_of(TermId factor) const {
  const Term& t = terms_[index(factor)];
  if (t.op == Op::kRepeat) return {TermId{t.a}, t.least, t.most};
  if (t.op == Op::kUnion && t.b == 2 && operands_[t.a] == kEpsilon) {
    return {operands_[t.a + 1], 0, 1};
  }
  return {factor, 1, 1};
}

TermId TermStore::make_concat(TermId head, TermId tail) {
  if (head == kEmpty || tail == kEmpty) return kEmpty;
  if (tail == kEpsilon) return head;
  if (terms_[index(head)].op != Op::kConcat) return prepend(head, tail);
  Ids factors;
  for (Term t = term(head); t.op == Op::kConcat; t = term(head)) {
    factors.push_back(TermId{t.a});
    head = TermId{t.b};
  }
  for (tail = prepend(head, tail); !factors.empty(); factors.pop_back()) {
    tail = prepend(factors.back(), tail);
  }
  return tail;
}

// head is no concatenation. Joins it with the first factor of the tail if they count one base.
TermId TermStore::prepend(TermId head, TermId tail) {
  if (head == kEpsilon) return tail;
  if (tail == kEpsilon) return head;
  const Term t = term(tail);
  TermId next = t.op == Op::kConcat ? TermId{t.a} : tail;
  const bool are_letters = terms_[index(head)].op == Op::kSet && terms_[index(next)].op == Op::kSet;
  if (are_letters && head != next) return join(head, tail);  // the letters of a word
  TermId rest = t.op == Op::kConcat ? TermId{t.b} : kEpsilon;
  Term h = term(head);
  Term n = term(next);
  if (h.op == Op::kStar && head == next) return tail;
  if (h.op == Op::kStar) {
    Run run = run_of(next);
    if (run.base != TermId{h.a}) return join(head, tail);
    return make_concat(make_repeat(run.base, run.least, run.least), prepend(head, rest));
  }
  Run run = run_of(head);
  if (n.op == Op::kStar) {
    if (run.base != TermId{n.a} || run.least == run.most) return join(head, tail);
    return make_concat(make_repeat(run.base, run.least, run.least), tail);
  }
  Run other = run_of(next);
  if (run.base != other.base || run.most + other.most > kLargestCounter) return join(head, tail);
  return make_concat(make_repeat(run.base, run.least + other.least, run.most + other.most), rest);
}

TermId TermStore::join(TermId head, TermId tail) {
  const Term& h = terms_[index(head)];
  const Term& t = terms_[index(tail)];
  return intern({.op = Op::kConcat,
                 .nullable = h.nullable && t.nullable,
                 .is_word = h.is_word && t.is_word,
                 .depth = static_cast<uint16_t>(std::max<int>(h.depth + 1, t.depth)),
                 .a = raw(head),
                 .b = raw(tail),
                 .most = 1 + factors(tail)},
                {});
}

// Each end of a word would have a set of its own, if concatenations did not wait to be asked. One
// in kStride of the ends remembers its set, so that asking for all of them takes linear time.
SetId TermStore::symbols(TermId id) {
  constexpr size_t kStride = 16;
  const auto is_open = [&](TermId at) {
    return terms_[index(at)].op == Op::kConcat && terms_[index(at)].symbols == SetTable::kNone;
  };
  if (!is_open(id)) return terms_[index(id)].symbols;
  Ids open;
  TermId rest = id;
  for (; is_open(rest); rest = TermId{terms_[index(rest)].b}) open.push_back(rest);
  CharSet all = sets_[terms_[index(rest)].symbols];
  for (size_t i = open.size(); i-- > 0;) {
    Term& t = terms_[index(open[i])];
    all.add(sets_[terms_[t.a].symbols]);
    if (i % kStride == 0) t.symbols = sets_.intern(all);
  }
  return terms_[index(id)].symbols;
}

TermId TermStore::make_star(TermId body) {
  if (body == kEmpty || body == kEpsilon) return kEpsilon;
  Term t = term(body);
  if (t.op == Op::kStar) return body;
  if (t.op == Op::kRepeat && t.least <= 1) return make_star(TermId{t.a});
  if (t.op == Op::kUnion && operands(body)[0] == kEpsilon) {
    Ids rest(operands(body).begin() + 1, operands(body).end());
    return make_star(make_union(rest));
  }
  return intern({.op = Op::kStar,
                 .nullable = true,
                 .depth = static_cast<uint16_t>(t.depth + 1),
                 .a = raw(body),
                 .symbols = symbols(body)},
                {});
}

TermId TermStore::make_repeat(TermId body, uint64_t least, uint64_t most) {
  if (most < least) return kEmpty;
  if (most == 0 || body == kEpsilon) return kEpsilon;
  if (body == kEmpty) return least == 0 ? kEpsilon : kEmpty;
  Term t = term(body);
  if (t.nullable) least = 0;
  if (t.op == Op::kStar) return body;
  if (most >= kUnbounded) {
    TermId star = make_star(body);
    return least == 0 ? star : make_concat(make_repeat(body, least, least), star);
  }
  if (least == 1 && most == 1) return body;
  Run inner = run_of(body);
  // x{a,b}{c,d} is x{ac,bd} when the intervals [ka,kb] for k = c..d leave no gap.
  bool gapless = least == most || least * inner.most + 1 >= (least + 1) * inner.least;
  if (inner.base != body && gapless && most * inner.most <= kLargestCounter) {
    return make_repeat(inner.base, least * inner.least, most * inner.most);
  }
  if (least == 0 && most == 1) return make_union(kEpsilon, body);
  return intern({.op = Op::kRepeat,
                 .nullable = least == 0,
                 .is_word = t.is_word && least == most,
                 .depth = static_cast<uint16_t>(t.depth + 1),
                 .a = raw(body),
                 .least = static_cast<uint32_t>(std::min(least, kLargestCounter)),
                 .most = static_cast<uint32_t>(std::min(most, kLargestCounter)),
                 .symbols = symbols(body)},
                {});
}

TermId TermStore::make_complement(TermId body) {
  if (body == kEmpty) return kAll;
  if (body == kAll) return kEmpty;
  const Term& t = terms_[index(body)];
  if (t.op == Op::kComplement) return TermId{t.a};
  return intern({.op = Op::kComplement,
                 .nullable = !t.nullable,
                 .depth = static_cast<uint16_t>(t.depth + 1),
                 .a = raw(body),
                 .symbols = SetTable::kAll},
                {});
}

TermId TermStore::make_leaf(uint32_t automaton, uint32_t state) {
  const Automaton& from = automata_[automaton];
  bool accepting = from.dfa->accepting[state] != 0;
  if (from.dfa->arcs_of(state).empty()) return accepting ? kEpsilon : kEmpty;
  return intern(
      {.op = Op::kLeaf, .nullable = accepting, .a = automaton, .b = state, .symbols = from.symbols},
      {});
}

TermId TermStore::add_automaton(std::shared_ptr<const Dfa> dfa) {
  assert(dfa->alphabet == alphabet());
  const auto [known, is_new] =
      known_automata_.try_emplace(dfa.get(), static_cast<uint32_t>(automata_.size()));
  if (is_new) {
    Automaton added{std::move(dfa), {}, SetTable::kNone};
    for (const CharSet& set : added.dfa->classes) {
      added.classes.push_back(sets_.intern(set));
      added.symbols = sets_.unite(added.symbols, added.classes.back());
    }
    automata_.push_back(std::move(added));
  }
  return make_leaf(known->second, 0);
}

bool TermStore::ends_with(TermId id, Symbol symbol) const {
  const Term& t = terms_[index(id)];
  const auto of = [&](TermId part) { return ends_with(part, symbol); };
  switch (t.op) {
    case Op::kEmpty:
    case Op::kEpsilon: return true;
    case Op::kSet: return sets_[SetId{t.a}] == CharSet::of(symbol);
    case Op::kConcat: return of(TermId{t.b}) && (!nullable(TermId{t.b}) || of(TermId{t.a}));
    case Op::kStar:
    case Op::kRepeat: return of(TermId{t.a});
    case Op::kUnion: return std::all_of(operands(id).begin(), operands(id).end(), of);
    case Op::kIntersection: return std::any_of(operands(id).begin(), operands(id).end(), of);
    case Op::kComplement:
    case Op::kLeaf: return false;
  }
  return false;
}

TermId TermStore::make_reverse(TermId id) {
  std::unordered_map<TermId, TermId> memo;
  return reverse_with(id, memo);
}

TermId TermStore::reverse_with(TermId id, std::unordered_map<TermId, TermId>& memo) {
  if (auto known = memo.find(id); known != memo.end()) return known->second;
  Term t = term(id);
  TermId result = id;
  switch (t.op) {
    case Op::kEmpty:
    case Op::kEpsilon:
    case Op::kSet: break;
    case Op::kConcat:
      result = reverse_with(TermId{t.a}, memo);
      for (TermId rest{t.b}; rest != kEpsilon;) {
        Term r = term(rest);
        TermId factor = r.op == Op::kConcat ? TermId{r.a} : rest;
        rest = r.op == Op::kConcat ? TermId{r.b} : kEpsilon;
        result = make_concat(reverse_with(factor, memo), result);
      }
      break;
    case Op::kStar: result = make_star(reverse_with(TermId{t.a}, memo)); break;
    case Op::kRepeat: result = make_repeat(reverse_with(TermId{t.a}, memo), t.least, t.most); break;
    case Op::kComplement: result = make_complement(reverse_with(TermId{t.a}, memo)); break;
    case Op::kUnion:
    case Op::kIntersection: {
      Ids parts(operands(id).begin(), operands(id).end());
      for (TermId& part : parts) part = reverse_with(part, memo);
      result = t.op == Op::kUnion ? make_union(parts) : make_intersection(parts);
      break;
    }
    case Op::kLeaf: result = reverse_leaf(id); break;
  }
  memo.emplace(id, result);
  return result;
}

}  // namespace nacre::regular
