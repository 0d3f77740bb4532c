#include "regular/translate_chars.h"

#include "regular/fst.h"

namespace nacre::regular {
namespace {

CharSet to_set(const std::bitset<256>& bits) {
  CharSet set;
  for (Symbol byte = 0; byte < 256; ++byte) {
    if (bits[byte]) set.add(byte);
  }
  return set;
}

}  // namespace

Transducer translate_chars(const TrPlan& plan) {
  return translate_chars({Alphabet::kBytes, SymbolMap::of_bytes(plan.map), to_set(plan.removed),
                          to_set(plan.squeezed)});
}

// State 0: the last symbol emitted, if any, is not a squeezed one. Each squeezed symbol that can
// occur has a state of its own, in which it is dropped.
Transducer translate_chars(const SymbolTranslation& tr) {
  FstBuilder fst(tr.alphabet);
  const CharSet kept = CharSet::all(tr.alphabet) - tr.removed;
  const uint32_t copy = fst.map(tr.map);
  struct Squeezed {
    CharSet sources;
    uint32_t state;
  };
  std::vector<Squeezed> squeezed;
  CharSet others = kept;
  fst.add_state();
  for (const SymbolRange range : (tr.map.image(kept) & tr.squeezed).ranges()) {
    for (Symbol symbol = range.first; symbol <= range.last; ++symbol) {
      const CharSet sources = tr.map.preimage(CharSet::of(symbol)) & kept;
      squeezed.push_back({sources, fst.add_state()});
      others = others - sources;
    }
  }
  for (uint32_t state = 0; state < fst.size(); ++state) {
    fst.accept(state);
    fst.arc(state, tr.removed, state, Fst::kDrop);
    fst.arc(state, others, 0, copy);
    for (const Squeezed& next : squeezed) {
      fst.arc(state, next.sources, next.state, next.state == state ? Fst::kDrop : copy);
    }
  }
  return Transducer(fst.finish());
}

Transducer convert_case(Alphabet alphabet, const SymbolMap& map, Extent extent) {
  if (extent == Extent::kAll) return translate_chars({alphabet, map, {}, {}});
  FstBuilder fst(alphabet);
  const uint32_t first = fst.add_state();
  const uint32_t rest = fst.add_state();
  fst.arc(first, CharSet::all(alphabet), rest, fst.map(map));
  fst.arc(rest, CharSet::all(alphabet), rest);
  fst.accept(first);
  fst.accept(rest);
  return Transducer(fst.finish());
}

}  // namespace nacre::regular
