// The character classes that regex front ends share: POSIX names, words, case, and the spelling of
// characters as UTF-8. Over bytes these are the classes of the C locale; over code points the
// non-ASCII part comes from Unicode's general categories.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "regular/char_set.h"

namespace nacre::regular {

// [:alpha:] and its like, by name: alnum alpha blank cntrl digit graph lower print punct space
// upper xdigit. Nothing for other names.
std::optional<CharSet> posix_class(std::string_view name, Alphabet alphabet);

// [A-Za-z0-9_], with every letter and digit of Unicode over code points.
CharSet word_characters(Alphabet alphabet);

// Unicode's decimal digits (category Nd); over bytes 0-9.
CharSet decimal_digits(Alphabet alphabet);

// The set and everything that differs from a member only in case (simple folding).
CharSet fold_case(const CharSet& set, Alphabet alphabet);
CharSet fold_case(Symbol symbol, Alphabet alphabet);

// One way to spell some of the characters of a set: a range of bytes for each position. Sequences
// of one set are disjoint, and together they spell exactly the members (surrogates left out: no
// valid UTF-8 has them).
struct Utf8Sequence {
  SymbolRange bytes[4];
  uint32_t length;
};
std::vector<Utf8Sequence> utf8_sequences(const CharSet& set);

}  // namespace nacre::regular
