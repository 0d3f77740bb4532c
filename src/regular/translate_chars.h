// Symbol by symbol: tr(1), and the case conversions of shells.
#pragma once

#include "regular/char_set.h"
#include "regular/symbol_map.h"
#include "regular/tr_set.h"
#include "regular/transducer.h"

namespace nacre::regular {

// What tr does with a plan (tr_set.h). Exact.
Transducer translate_chars(const TrPlan& plan);

// The same over either alphabet: `removed` symbols vanish, the others are mapped, then runs of one
// symbol of `squeezed` become one. Squeezing needs a state per symbol of that set.
struct SymbolTranslation {
  Alphabet alphabet = Alphabet::kBytes;
  SymbolMap map = {};
  CharSet removed = {};
  CharSet squeezed = {};
};
Transducer translate_chars(const SymbolTranslation& translation);

// Bash's ${x^pattern} and its like, for a pattern that is a set: the first symbol only, or all.
enum class Extent : uint8_t { kFirst, kAll };
Transducer convert_case(Alphabet alphabet, const SymbolMap& map, Extent extent);

}  // namespace nacre::regular
