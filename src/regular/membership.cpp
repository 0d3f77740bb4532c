#include "regular/membership.h"

#include <algorithm>

namespace nacre::regular {
namespace {

bool follow(TermStore& terms, TermId id, std::span<const Symbol> word) {
  std::vector<TermId> current = {id}, next;
  for (const Symbol symbol : word) {
    next.clear();
    for (const TermId at : current) {
      for (const Arc arc : terms.arcs(at)) {
        if (terms.set(arc.set).contains(symbol)) next.push_back(arc.target);
      }
    }
    if (next.empty()) return false;
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    current.swap(next);
  }
  return std::any_of(current.begin(), current.end(), [&](TermId at) { return terms.nullable(at); });
}

}  // namespace

bool accepts(TermStore& terms, TermId id, std::span<const Symbol> word) {
  const Term t = terms.term(id);
  if (t.op == Op::kComplement) return !accepts(terms, TermId{t.a}, word);
  if (t.op != Op::kUnion && t.op != Op::kIntersection) return follow(terms, id, word);
  const auto operands = terms.operands(id);
  const std::vector<TermId> parts(operands.begin(), operands.end());  // asking makes terms
  const auto is_accepted = [&](TermId part) { return accepts(terms, part, word); };
  return t.op == Op::kUnion ? std::any_of(parts.begin(), parts.end(), is_accepted)
                            : std::all_of(parts.begin(), parts.end(), is_accepted);
}

std::optional<std::vector<Symbol>> only_word(const TermStore& terms, TermId id) {
  constexpr size_t kLongest = 4096;
  if (!terms.term(id).is_word) return std::nullopt;
  std::vector<Symbol> word;
  const auto add = [&](Term factor) {  // a letter, or a word several times
    const uint32_t count = factor.op == Op::kRepeat ? factor.least : 1;
    if (factor.op == Op::kRepeat) factor = terms.term(TermId{factor.a});
    if (factor.op != Op::kSet || count > kLongest - word.size()) return false;
    word.insert(word.end(), count, terms.set(SetId{factor.a}).min());
    return true;
  };
  Term t = terms.term(id);
  for (; t.op == Op::kConcat; t = terms.term(TermId{t.b})) {
    if (!add(terms.term(TermId{t.a}))) return std::nullopt;
  }
  if (t.op != Op::kEpsilon && !add(t)) return std::nullopt;
  return word;
}

}  // namespace nacre::regular
