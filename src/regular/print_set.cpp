#include <fmt/core.h>

#include "regular/print.h"

namespace nacre::regular {
namespace {

constexpr std::string_view kOperators = R"(\.[](){}*+?|&!~^$)";
constexpr std::string_view kInBrackets = R"(\[]^-)";

// Decoded text of a code point is shown as it is from the first printable one on.
std::string show(Symbol symbol, Alphabet alphabet, std::string_view special) {
  switch (symbol) {
    case '\n': return "\\n";
    case '\t': return "\\t";
    case '\r': return "\\r";
    default: break;
  }
  std::string text;
  if (symbol >= ' ' && symbol < 0x7F) {
    if (special.find(static_cast<char>(symbol)) != special.npos) text = "\\";
    return text += static_cast<char>(symbol);
  }
  bool is_surrogate = symbol >= 0xD800 && symbol < 0xE000;
  if (alphabet == Alphabet::kCodePoints && symbol > 0xA0 && !is_surrogate && symbol < 0xE0000) {
    append_symbol(text, symbol, alphabet);
    return text;
  }
  if (symbol <= 0xFF) return fmt::format("\\x{:02x}", symbol);
  return symbol <= 0xFFFF ? fmt::format("\\u{:04x}", symbol) : fmt::format("\\U{:08x}", symbol);
}

void put_range(std::string& text, SymbolRange range, Alphabet alphabet) {
  text += show(range.first, alphabet, kInBrackets);
  if (range.first == range.last) return;
  if (range.last > range.first + 1) text += '-';
  text += show(range.last, alphabet, kInBrackets);
}

// Letters and digits first, the hyphen last: [a-zA-Z0-9_.-], as people write it. Ranges do not run
// from digits or letters into punctuation.
std::string body(CharSet set, Alphabet alphabet) {
  std::string text;
  static constexpr SymbolRange kFamilies[] = {{'a', 'z'}, {'A', 'Z'}, {'0', '9'}};
  bool few = set.size() <= 64;
  for (SymbolRange family : kFamilies) {
    if (!few) break;  // [\x00-\x7f] is not split up
    CharSet members = set & CharSet::range(family.first, family.last);
    for (SymbolRange range : members.ranges()) put_range(text, range, alphabet);
    set = set - members;
  }
  bool ends_in_hyphen = few && set.contains('-');
  if (ends_in_hyphen) set = set - CharSet::of('-');
  for (SymbolRange range : set.ranges()) put_range(text, range, alphabet);
  return ends_in_hyphen ? text + '-' : text;
}

}  // namespace

std::string to_regex(const CharSet& set, Alphabet alphabet) {
  CharSet line = CharSet::of('\n').complement(alphabet);
  if (set == line) return ".";
  if (set.empty()) return "{none}";
  if (set.size() == 1) return show(set.min(), alphabet, kOperators);
  std::string positive = "[" + body(set, alphabet) + "]";
  if (set.contains('\n')) return positive;
  std::string negative = "[^" + body(line - set, alphabet) + "]";
  return negative.size() < positive.size() ? negative : positive;
}

}  // namespace nacre::regular
