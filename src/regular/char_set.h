// A set of symbols: the letters of the alphabet that regular languages are made of. A symbol is a
// byte (shell: streams, file names) or a Unicode code point (Python strings); the same type serves
// both, only the complement has to be told which alphabet is meant. Symbols below 256 are a bit
// mask and the rest a sorted list of ranges, so byte sets never allocate and every operation on
// them is a few instructions. A plain value; safe to read from several threads.
//
//   CharSet word = CharSet::range('a', 'z') | CharSet::of("_0123456789");
//   word.contains('x'); word.complement(Alphabet::kBytes);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::regular {

using Symbol = uint32_t;

// kBytes: 0..255. kCodePoints: 0..0x10FFFF, surrogates included (Python strings may hold them).
enum class Alphabet : uint8_t { kBytes, kCodePoints };

constexpr Symbol last_symbol(Alphabet alphabet) {
  return alphabet == Alphabet::kBytes ? 0xFF : 0x10FFFF;
}

// Both ends belong to the range.
struct SymbolRange {
  Symbol first = 0;
  Symbol last = 0;
  friend bool operator==(SymbolRange, SymbolRange) = default;
};

class CharSet {
 public:
  CharSet() = default;
  static CharSet of(Symbol symbol) { return range(symbol, symbol); }
  static CharSet of(std::string_view bytes);  // each byte of the string is a member
  static CharSet range(Symbol first, Symbol last);
  static CharSet all(Alphabet alphabet) { return range(0, last_symbol(alphabet)); }

  void add(Symbol symbol) { add(SymbolRange{symbol, symbol}); }
  void add(SymbolRange range);
  void add(const CharSet& other) { *this = *this | other; }

  [[nodiscard]] bool empty() const;
  [[nodiscard]] bool contains(Symbol symbol) const;
  [[nodiscard]] bool contains(const CharSet& other) const;  // other is a subset
  [[nodiscard]] bool intersects(const CharSet& other) const;
  [[nodiscard]] uint32_t size() const;
  // The smallest member; the set must not be empty.
  [[nodiscard]] Symbol min() const;
  // The maximal ranges, in order.
  [[nodiscard]] std::vector<SymbolRange> ranges() const;
  // What a person would write for "some symbol of this set": see naturalness(). Not empty.
  [[nodiscard]] Symbol most_natural() const;

  [[nodiscard]] CharSet complement(Alphabet alphabet) const { return all(alphabet) - *this; }
  friend CharSet operator|(const CharSet& a, const CharSet& b);
  friend CharSet operator&(const CharSet& a, const CharSet& b);
  friend CharSet operator-(const CharSet& a, const CharSet& b);
  friend bool operator==(const CharSet&, const CharSet&) = default;

  [[nodiscard]] uint64_t hash() const;

 private:
  std::array<uint64_t, 4> low_{};  // symbols 0..255
  std::vector<SymbolRange> high_;  // symbols from 256 on: sorted, disjoint, not adjacent
};

// How readily a symbol reads in an example: 0 for letters and digits of ASCII, then blank and
// punctuation, then other letters of the world, then tab, then controls and bytes above 127.
// Witnesses have the smallest sum of it among the shortest words.
uint32_t naturalness(Symbol symbol, Alphabet alphabet);

// Words are std::string everywhere: raw bytes over kBytes, UTF-8 over kCodePoints (surrogates
// coded like other code points). Bytes that are not UTF-8 decode to U+FFFD.
std::vector<Symbol> decode(std::string_view word, Alphabet alphabet);
void append_symbol(std::string& word, Symbol symbol, Alphabet alphabet);

}  // namespace nacre::regular
