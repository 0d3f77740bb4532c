// The operands of tr(1), read as GNU tr reads them in the C locale: ranges, [:class:], [=c=],
// [c*n], [c*], escapes and octal numbers, with tr's own messages for what it refuses.
// parse_tr_set() reads one operand; plan_tr() puts the operands and options together into what
// happens to each byte. Multibyte characters are taken byte by byte, as GNU tr does.
//
//   Result<TrSet> from = parse_tr_set("a-z"), to = parse_tr_set("[:upper:]x");
//   Result<TrPlan> plan = plan_tr(*from, &*to, {.squeezes = true});
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace nacre::regular {

struct TrElement {
  enum class Kind : uint8_t { kRange, kUpper, kLower, kOtherClass, kEquivalence, kRepeat };
  Kind kind = Kind::kRange;
  std::string bytes;   // in the order in which tr pairs them; one byte for kRepeat
  uint64_t count = 1;  // kRepeat only; 0: [c*], as often as the first operand needs
};

struct TrSet {
  std::vector<TrElement> elements;
  std::vector<Error> warnings;  // what tr accepts with a warning on stderr
};

// Spans of errors and warnings are in `text`.
Result<TrSet> parse_tr_set(std::string_view text);

struct TrOptions {
  bool complements = false;  // -c, -C
  bool deletes = false;      // -d
  bool squeezes = false;     // -s
  bool truncates = false;    // -t
};

// First `removed` bytes vanish, then each other byte becomes map[byte], then a run of one byte of
// `squeezed` becomes one.
struct TrPlan {
  std::array<uint8_t, 256> map{};
  std::bitset<256> removed;
  std::bitset<256> squeezed;
};

// `second` is null when only one operand was given. Errors have an empty span: they are about the
// operands together.
Result<TrPlan> plan_tr(const TrSet& first, const TrSet* second, TrOptions options);

}  // namespace nacre::regular
