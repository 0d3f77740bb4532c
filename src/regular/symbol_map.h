// A function from symbols to symbols: the identity but for some ranges, each shifted or sent to one
// symbol. Case conversion and tr(1) are such functions. Images and pre-images of sets are exact and
// cost a few set operations per range.
//
//   SymbolMap::ascii_upper().image(CharSet::range('a', 'c')) == CharSet::range('A', 'C')
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "regular/char_set.h"

namespace nacre::regular {

class SymbolMap {
 public:
  SymbolMap() = default;  // the identity
  static SymbolMap of_bytes(const std::array<uint8_t, 256>& table);
  static SymbolMap ascii_upper();
  static SymbolMap ascii_lower();
  // Every code point to the one that Unicode's simple case mapping gives.
  static SymbolMap unicode_upper();
  static SymbolMap unicode_lower();

  // The same on `domain`, the identity elsewhere.
  [[nodiscard]] SymbolMap restricted_to(const CharSet& domain) const;

  [[nodiscard]] Symbol operator()(Symbol symbol) const;
  [[nodiscard]] CharSet image(const CharSet& set) const;
  [[nodiscard]] CharSet preimage(const CharSet& set) const;
  [[nodiscard]] bool is_identity() const { return pieces_.empty(); }

  friend bool operator==(const SymbolMap&, const SymbolMap&) = default;

 private:
  // first..last go to target..target+(last-first), or all to target.
  struct Piece {
    Symbol first, last, target;
    bool is_constant;
    friend bool operator==(const Piece&, const Piece&) = default;
  };

  void append(Symbol from, Symbol to);

  std::vector<Piece> pieces_;  // sorted and disjoint
  CharSet domain_;             // their union
};

}  // namespace nacre::regular
