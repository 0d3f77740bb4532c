#include "regular/char_set.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace nacre::regular {
namespace {

constexpr Symbol kLow = 256;

using Ranges = std::vector<SymbolRange>;

void push_range(Ranges& ranges, SymbolRange next) {
  if (!ranges.empty() && next.first <= ranges.back().last + 1) {
    ranges.back().last = std::max(ranges.back().last, next.last);
  } else {
    ranges.push_back(next);
  }
}

Ranges unite(const Ranges& a, const Ranges& b) {
  Ranges result;
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() || j < b.size()) {
    bool take_a = j == b.size() || (i < a.size() && a[i].first <= b[j].first);
    push_range(result, take_a ? a[i++] : b[j++]);
  }
  return result;
}

Ranges intersect(const Ranges& a, const Ranges& b) {
  Ranges result;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    Symbol first = std::max(a[i].first, b[j].first);
    Symbol last = std::min(a[i].last, b[j].last);
    if (first <= last) result.push_back({first, last});
    a[i].last < b[j].last ? ++i : ++j;
  }
  return result;
}

Ranges subtract(const Ranges& a, const Ranges& b) {
  Ranges result;
  size_t j = 0;
  for (SymbolRange rest : a) {
    while (j < b.size() && b[j].last < rest.first) ++j;
    for (size_t k = j; k < b.size() && b[k].first <= rest.last && rest.first <= rest.last; ++k) {
      if (b[k].first > rest.first) result.push_back({rest.first, b[k].first - 1});
      rest.first = b[k].last + 1;
    }
    if (rest.first <= rest.last) result.push_back(rest);
  }
  return result;
}

// Bits first..last of 256.
std::array<uint64_t, 4> mask(Symbol first, Symbol last) {
  std::array<uint64_t, 4> bits{};
  for (Symbol word = first / 64; word <= last / 64; ++word) {
    uint64_t bit = ~uint64_t{0};
    if (word == first / 64) bit &= ~uint64_t{0} << (first % 64);
    if (word == last / 64) bit &= ~uint64_t{0} >> (63 - last % 64);
    bits[word] = bit;
  }
  return bits;
}

}  // namespace

CharSet CharSet::of(std::string_view bytes) {
  CharSet set;
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    set.low_[byte / 64] |= uint64_t{1} << (byte % 64);
  }
  return set;
}

CharSet CharSet::range(Symbol first, Symbol last) {
  CharSet set;
  if (first > last) return set;
  if (first < kLow) set.low_ = mask(first, std::min(last, kLow - 1));
  if (last >= kLow) set.high_.push_back({std::max(first, kLow), last});
  return set;
}

void CharSet::add(SymbolRange added) {
  if (added.first > added.last) return;
  if (added.last >= kLow) {
    *this = *this | range(added.first, added.last);
    return;
  }
  const std::array<uint64_t, 4> bits = mask(added.first, added.last);
  for (size_t i = 0; i < low_.size(); ++i) low_[i] |= bits[i];
}

bool CharSet::empty() const {
  return (low_[0] | low_[1] | low_[2] | low_[3]) == 0 && high_.empty();
}

bool CharSet::contains(Symbol symbol) const {
  if (symbol < kLow) return (low_[symbol / 64] >> (symbol % 64) & 1) != 0;
  auto after = std::upper_bound(high_.begin(), high_.end(), symbol,
                                [](Symbol s, SymbolRange r) { return s < r.first; });
  return after != high_.begin() && symbol <= std::prev(after)->last;
}

bool CharSet::contains(const CharSet& other) const {
  uint64_t outside = 0;
  for (size_t i = 0; i < 4; ++i) outside |= other.low_[i] & ~low_[i];
  return outside == 0 && (other.high_.empty() || subtract(other.high_, high_).empty());
}

bool CharSet::intersects(const CharSet& other) const {
  uint64_t common = 0;
  for (size_t i = 0; i < 4; ++i) common |= other.low_[i] & low_[i];
  return common != 0 ||
         (!high_.empty() && !other.high_.empty() && !intersect(high_, other.high_).empty());
}

uint32_t CharSet::size() const {
  uint32_t count = 0;
  for (uint64_t word : low_) count += static_cast<uint32_t>(std::popcount(word));
  for (SymbolRange r : high_) count += r.last - r.first + 1;
  return count;
}

Symbol CharSet::min() const {
  assert(!empty());
  for (Symbol i = 0; i < 4; ++i) {
    if (low_[i] != 0) return i * 64 + static_cast<Symbol>(std::countr_zero(low_[i]));
  }
  return high_.front().first;
}

std::vector<SymbolRange> CharSet::ranges() const {
  Ranges result;
  for (Symbol i = 0; i < 4; ++i) {
    for (uint64_t rest = low_[i]; rest != 0;) {
      auto first = static_cast<Symbol>(std::countr_zero(rest));
      auto length = static_cast<Symbol>(std::countr_one(rest >> first));
      push_range(result, {i * 64 + first, i * 64 + first + length - 1});
      rest = first + length == 64 ? 0 : rest >> (first + length) << (first + length);
    }
  }
  for (SymbolRange r : high_) push_range(result, r);
  return result;
}

Symbol CharSet::most_natural() const {
  static constexpr std::string_view kBestFirst =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,:/=+@%#()[]{}<>!?*&|;'\""
      "`~^$\\\t";
  for (char c : kBestFirst) {
    if (contains(static_cast<unsigned char>(c))) return static_cast<unsigned char>(c);
  }
  return high_.empty() ? min() : high_.front().first;
}

CharSet operator|(const CharSet& a, const CharSet& b) {
  CharSet result;
  for (size_t i = 0; i < 4; ++i) result.low_[i] = a.low_[i] | b.low_[i];
  if (!a.high_.empty() || !b.high_.empty()) result.high_ = unite(a.high_, b.high_);
  return result;
}

CharSet operator&(const CharSet& a, const CharSet& b) {
  CharSet result;
  for (size_t i = 0; i < 4; ++i) result.low_[i] = a.low_[i] & b.low_[i];
  if (!a.high_.empty() && !b.high_.empty()) result.high_ = intersect(a.high_, b.high_);
  return result;
}

CharSet operator-(const CharSet& a, const CharSet& b) {
  CharSet result;
  for (size_t i = 0; i < 4; ++i) result.low_[i] = a.low_[i] & ~b.low_[i];
  if (!a.high_.empty()) result.high_ = subtract(a.high_, b.high_);
  return result;
}

uint64_t CharSet::hash() const {
  uint64_t h = 0;
  auto mix = [&h](uint64_t value) { h = (h ^ value) * 0x9E3779B97F4A7C15u, h ^= h >> 29; };
  for (uint64_t word : low_) mix(word);
  for (SymbolRange r : high_) mix(uint64_t{r.first} << 32 | r.last);
  return h;
}

uint32_t naturalness(Symbol symbol, Alphabet alphabet) {
  bool letter = (symbol >= 'a' && symbol <= 'z') || (symbol >= 'A' && symbol <= 'Z');
  if (letter || (symbol >= '0' && symbol <= '9')) return 0;
  if (symbol >= ' ' && symbol < 0x7F) return 1;
  if (symbol >= 0xA0 && alphabet == Alphabet::kCodePoints) return 8;
  return symbol == '\t' ? 16 : 64;
}

namespace {

// The code point at the front of `text`, and how many bytes it takes. Generous: surrogates decode.
std::pair<Symbol, size_t> decode_one(std::string_view text) {
  auto byte = [&](size_t i) { return Symbol{static_cast<unsigned char>(text[i])}; };
  Symbol lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {0xFFFD, 1};
  Symbol symbol = lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0xFFFD, 1};
    symbol = symbol << 6 | (byte(i) & 0x3F);
  }
  static constexpr Symbol kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (symbol < kSmallest[length] || symbol > 0x10FFFF) return {0xFFFD, 1};
  return {symbol, length};
}

}  // namespace

std::vector<Symbol> decode(std::string_view word, Alphabet alphabet) {
  std::vector<Symbol> symbols;
  symbols.reserve(word.size());
  while (!word.empty()) {
    auto [symbol, length] = alphabet == Alphabet::kBytes
                                ? std::pair{Symbol{static_cast<unsigned char>(word[0])}, size_t{1}}
                                : decode_one(word);
    symbols.push_back(symbol);
    word.remove_prefix(length);
  }
  return symbols;
}

void append_symbol(std::string& word, Symbol symbol, Alphabet alphabet) {
  auto put = [&word](Symbol byte) { word.push_back(static_cast<char>(byte)); };
  if (alphabet == Alphabet::kBytes || symbol < 0x80) return put(symbol);
  if (symbol < 0x800) {
    put(0xC0 | symbol >> 6);
  } else {
    if (symbol < 0x10000) {
      put(0xE0 | symbol >> 12);
    } else {
      put(0xF0 | symbol >> 18);
      put(0x80 | (symbol >> 12 & 0x3F));
    }
    put(0x80 | (symbol >> 6 & 0x3F));
  }
  put(0x80 | (symbol & 0x3F));
}

}  // namespace nacre::regular
