#include "regular/symbol_map.h"

#include <algorithm>
#include <utf8proc.h>

namespace nacre::regular {

// Symbols come in ascending order; a run with one shift or one target stays one piece.
void SymbolMap::append(Symbol from, Symbol to) {
  if (from == to) return;
  domain_.add(from);
  if (!pieces_.empty() && pieces_.back().last + 1 == from) {
    Piece& piece = pieces_.back();
    const bool is_single = piece.first == piece.last;
    if ((is_single || !piece.is_constant) && to == piece.target + (from - piece.first)) {
      piece.is_constant = false;
      piece.last = from;
      return;
    }
    if ((is_single || piece.is_constant) && to == piece.target) {
      piece.is_constant = true;
      piece.last = from;
      return;
    }
  }
  pieces_.push_back({from, from, to, true});
}

SymbolMap SymbolMap::of_bytes(const std::array<uint8_t, 256>& table) {
  SymbolMap map;
  for (Symbol byte = 0; byte < 256; ++byte) map.append(byte, table[byte]);
  return map;
}

SymbolMap SymbolMap::ascii_upper() {
  SymbolMap map;
  for (Symbol letter = 'a'; letter <= 'z'; ++letter) map.append(letter, letter - 'a' + 'A');
  return map;
}

SymbolMap SymbolMap::ascii_lower() {
  SymbolMap map;
  for (Symbol letter = 'A'; letter <= 'Z'; ++letter) map.append(letter, letter - 'A' + 'a');
  return map;
}

SymbolMap SymbolMap::unicode_upper() {
  SymbolMap map;
  for (Symbol point = 0; point <= last_symbol(Alphabet::kCodePoints); ++point) {
    map.append(point, static_cast<Symbol>(utf8proc_toupper(static_cast<utf8proc_int32_t>(point))));
  }
  return map;
}

SymbolMap SymbolMap::unicode_lower() {
  SymbolMap map;
  for (Symbol point = 0; point <= last_symbol(Alphabet::kCodePoints); ++point) {
    map.append(point, static_cast<Symbol>(utf8proc_tolower(static_cast<utf8proc_int32_t>(point))));
  }
  return map;
}

SymbolMap SymbolMap::restricted_to(const CharSet& domain) const {
  SymbolMap map;
  for (const SymbolRange range : (domain & domain_).ranges()) {
    for (Symbol symbol = range.first; symbol <= range.last; ++symbol) {
      map.append(symbol, (*this)(symbol));
    }
  }
  return map;
}

Symbol SymbolMap::operator()(Symbol symbol) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), symbol,
                                      [](Symbol s, const Piece& piece) { return s < piece.first; });
  if (after == pieces_.begin() || std::prev(after)->last < symbol) return symbol;
  const Piece& piece = *std::prev(after);
  return piece.is_constant ? piece.target : piece.target + (symbol - piece.first);
}

CharSet SymbolMap::image(const CharSet& set) const {
  if (!set.intersects(domain_)) return set;
  CharSet result = set - domain_;
  for (const Piece& piece : pieces_) {
    const CharSet moved = set & CharSet::range(piece.first, piece.last);
    if (moved.empty()) continue;
    if (piece.is_constant) {
      result.add(piece.target);
      continue;
    }
    for (const SymbolRange range : moved.ranges()) {
      result.add(SymbolRange{range.first - piece.first + piece.target,
                             range.last - piece.first + piece.target});
    }
  }
  return result;
}

CharSet SymbolMap::preimage(const CharSet& set) const {
  CharSet result = set - domain_;
  for (const Piece& piece : pieces_) {
    if (piece.is_constant) {
      if (set.contains(piece.target)) result.add(SymbolRange{piece.first, piece.last});
      continue;
    }
    const CharSet targets =
        set & CharSet::range(piece.target, piece.target + (piece.last - piece.first));
    for (const SymbolRange range : targets.ranges()) {
      result.add(SymbolRange{range.first - piece.target + piece.first,
                             range.last - piece.target + piece.first});
    }
  }
  return result;
}

}  // namespace nacre::regular
