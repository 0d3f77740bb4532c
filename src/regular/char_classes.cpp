#include "regular/char_classes.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utf8proc.h>

namespace nacre::regular {
namespace {

CharSet ascii_class(std::string_view name) {
  const CharSet digit = CharSet::range('0', '9');
  const CharSet lower = CharSet::range('a', 'z');
  const CharSet upper = CharSet::range('A', 'Z');
  const CharSet graph = CharSet::range('!', '~');
  if (name == "digit") return digit;
  if (name == "lower") return lower;
  if (name == "upper") return upper;
  if (name == "alpha") return lower | upper;
  if (name == "alnum") return lower | upper | digit;
  if (name == "blank") return CharSet::of(" \t");
  if (name == "space") return CharSet::of(" \t\n\v\f\r");
  if (name == "cntrl") return CharSet::range(0, 31) | CharSet::of(127);
  if (name == "graph") return graph;
  if (name == "print") return graph | CharSet::of(' ');
  if (name == "punct") return graph - (lower | upper | digit);
  if (name == "xdigit") return digit | CharSet::range('a', 'f') | CharSet::range('A', 'F');
  return {};
}

bool is_letter(utf8proc_category_t category) {
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}
bool is_number(utf8proc_category_t category) {
  return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}
bool is_graphic(utf8proc_category_t category) {
  return category != UTF8PROC_CATEGORY_CN && category != UTF8PROC_CATEGORY_CC &&
         category != UTF8PROC_CATEGORY_CS && category != UTF8PROC_CATEGORY_ZS &&
         category != UTF8PROC_CATEGORY_ZL && category != UTF8PROC_CATEGORY_ZP;
}

using Test = bool (*)(utf8proc_category_t category, utf8proc_int32_t code);

// What the class holds beyond ASCII.
Test unicode_test(std::string_view name) {
  using Category = utf8proc_category_t;
  using Code = utf8proc_int32_t;
  if (name == "lower") return [](Category, Code code) { return utf8proc_toupper(code) != code; };
  if (name == "upper") return [](Category, Code code) { return utf8proc_tolower(code) != code; };
  if (name == "alpha") return [](Category c, Code) { return is_letter(c); };
  if (name == "alnum") return [](Category c, Code) { return is_letter(c) || is_number(c); };
  if (name == "blank") return [](Category c, Code) { return c == UTF8PROC_CATEGORY_ZS; };
  if (name == "space") {
    return [](Category c, Code code) {
      return c == UTF8PROC_CATEGORY_ZS || c == UTF8PROC_CATEGORY_ZL || c == UTF8PROC_CATEGORY_ZP ||
             code == 0x85;
    };
  }
  if (name == "cntrl") return [](Category c, Code) { return c == UTF8PROC_CATEGORY_CC; };
  if (name == "graph") return [](Category c, Code) { return is_graphic(c); };
  if (name == "print")
    return [](Category c, Code) { return is_graphic(c) || c == UTF8PROC_CATEGORY_ZS; };
  if (name == "punct")
    return [](Category c, Code) { return is_graphic(c) && !is_letter(c) && !is_number(c); };
  if (name == "decimal") return [](Category c, Code) { return c == UTF8PROC_CATEGORY_ND; };
  return [](Category, Code) { return false; };  // digit and xdigit are ASCII's
}

CharSet unicode_class(std::string_view name) {
  const Test test = unicode_test(name);
  auto is_member = [&](Symbol symbol) {
    const auto code = static_cast<utf8proc_int32_t>(symbol);
    return test(utf8proc_category(code), code);
  };
  CharSet set;
  for (Symbol code = 0x80; code <= last_symbol(Alphabet::kCodePoints);) {
    if (code == 0x40000) code = 0xE0000;  // the planes between hold no character
    if (!is_member(code)) {
      ++code;
      continue;
    }
    const Symbol first = code;
    while (code <= last_symbol(Alphabet::kCodePoints) && is_member(code)) ++code;
    set.add(SymbolRange{first, code - 1});
  }
  return set;
}

constexpr std::array<std::string_view, 13> kClassNames = {
    "alnum", "alpha", "blank", "cntrl", "digit",  "graph",  "lower",
    "print", "punct", "space", "upper", "xdigit", "decimal"};  // the last is not POSIX's

// Walking a million code points takes milliseconds, so each class is computed once, when first
// asked for.
const CharSet& unicode_class_at(size_t index) {
  static std::array<std::once_flag, kClassNames.size()> once;
  static std::array<CharSet, kClassNames.size()> sets;
  std::call_once(once[index], [&] {
    sets[index] = ascii_class(kClassNames[index]) | unicode_class(kClassNames[index]);
  });
  return sets[index];
}

// Each code point whose case can change, with its other forms.
struct CasePair {
  Symbol code;
  Symbol other;
};

const std::vector<CasePair>& case_pairs() {
  static const std::vector<CasePair> kPairs = [] {
    std::vector<CasePair> result;
    for (utf8proc_int32_t code = 0; code <= 0x1FFFF; ++code) {
      for (utf8proc_int32_t other : {utf8proc_tolower(code), utf8proc_toupper(code)}) {
        if (other == code) continue;
        result.push_back({static_cast<Symbol>(code), static_cast<Symbol>(other)});
        result.push_back({static_cast<Symbol>(other), static_cast<Symbol>(code)});
      }
    }
    std::sort(result.begin(), result.end(), [](CasePair a, CasePair b) {
      return std::pair(a.code, a.other) < std::pair(b.code, b.other);
    });
    return result;
  }();
  return kPairs;
}

void add_other_cases(CharSet& set, SymbolRange range) {
  const auto& pairs = case_pairs();
  auto at = std::lower_bound(pairs.begin(), pairs.end(), range.first,
                             [](CasePair pair, Symbol code) { return pair.code < code; });
  for (; at != pairs.end() && at->code <= range.last; ++at) set.add(at->other);
}

CharSet fold_ascii(const CharSet& set) {
  CharSet folded = set;
  for (Symbol letter = 'a'; letter <= 'z'; ++letter) {
    const Symbol capital = letter - 'a' + 'A';
    if (set.contains(letter)) folded.add(capital);
    if (set.contains(capital)) folded.add(letter);
  }
  return folded;
}

}  // namespace

std::optional<CharSet> posix_class(std::string_view name, Alphabet alphabet) {
  const auto found = std::find(kClassNames.begin(), kClassNames.end() - 1, name);
  if (found == kClassNames.end() - 1) return std::nullopt;
  if (alphabet == Alphabet::kBytes) return ascii_class(name);
  return unicode_class_at(static_cast<size_t>(found - kClassNames.begin()));
}

CharSet decimal_digits(Alphabet alphabet) {
  const CharSet ascii = CharSet::range('0', '9');
  if (alphabet == Alphabet::kBytes) return ascii;
  return ascii | unicode_class_at(kClassNames.size() - 1);
}

CharSet word_characters(Alphabet alphabet) {
  return *posix_class("alnum", alphabet) | CharSet::of('_');
}

CharSet fold_case(const CharSet& set, Alphabet alphabet) {
  if (alphabet == Alphabet::kBytes) return fold_ascii(set);
  CharSet folded = set;
  for (SymbolRange range : set.ranges()) add_other_cases(folded, range);
  // Some letters have three forms (K, k and the Kelvin sign): one more round reaches them all.
  CharSet all = folded;
  for (SymbolRange range : folded.ranges()) add_other_cases(all, range);
  return all;
}

CharSet fold_case(Symbol symbol, Alphabet alphabet) {
  return fold_case(CharSet::of(symbol), alphabet);
}

namespace {

constexpr Symbol kLastOfLength[] = {0x7F, 0x7FF, 0xFFFF, 0x10FFFF};

uint32_t spell(Symbol code, Symbol (&bytes)[4]) {
  if (code <= 0x7F) {
    bytes[0] = code;
    return 1;
  }
  const uint32_t length = code <= 0x7FF ? 2 : code <= 0xFFFF ? 3 : 4;
  static constexpr Symbol kLead[] = {0, 0, 0xC0, 0xE0, 0xF0};
  for (uint32_t i = length; i-- > 1; code >>= 6) bytes[i] = 0x80 | (code & 0x3F);
  bytes[0] = kLead[length] | code;
  return length;
}

// Splits a range until its first and last member spell a box: all byte positions vary freely.
// The cuts are at the boundaries of the trailing 6-bit groups, as RE2 and utf8-ranges do it.
void add_sequences(SymbolRange range, std::vector<Utf8Sequence>& out) {
  for (Symbol last : kLastOfLength) {
    if (range.first <= last && last < range.last) {
      add_sequences({range.first, last}, out);
      return add_sequences({last + 1, range.last}, out);
    }
  }
  for (uint32_t group = 1; group <= 3 && range.first > 0x7F; ++group) {
    const Symbol low_bits = (Symbol{1} << (6 * group)) - 1;
    if ((range.first & ~low_bits) == (range.last & ~low_bits)) continue;
    if ((range.first & low_bits) != 0) {
      add_sequences({range.first, range.first | low_bits}, out);
      return add_sequences({(range.first | low_bits) + 1, range.last}, out);
    }
    if ((range.last & low_bits) != low_bits) {
      add_sequences({range.first, (range.last & ~low_bits) - 1}, out);
      return add_sequences({range.last & ~low_bits, range.last}, out);
    }
  }
  Symbol first[4];
  Symbol last[4];
  Utf8Sequence sequence{};
  sequence.length = spell(range.first, first);
  spell(range.last, last);
  for (uint32_t i = 0; i < sequence.length; ++i) sequence.bytes[i] = {first[i], last[i]};
  out.push_back(sequence);
}

}  // namespace

std::vector<Utf8Sequence> utf8_sequences(const CharSet& set) {
  std::vector<Utf8Sequence> sequences;
  const CharSet valid = set - CharSet::range(0xD800, 0xDFFF);
  for (SymbolRange range : valid.ranges()) add_sequences(range, sequences);
  return sequences;
}

}  // namespace nacre::regular
