// What verification knows of commands: whether what they print is the same on every run, and
// whether a second call leaves what the first one left. Rows of one table (knowledge.cpp); a
// command that has none is unknown, and nothing is proved of a script that calls it.
#pragma once

#include <cstdint>
#include <string_view>

#include "purify/calls.h"

namespace nacre::prove {

enum class Varies : uint8_t { kNo, kClock, kRandom, kHost, kOrder, kState, kNetwork, kUnknown };
enum class Again : uint8_t {
  kNothing,  // changes no file
  kSame,     // a second call changes nothing
  kFails,    // a second call fails
  kUnknown,
};

struct Knowledge {
  Varies varies = Varies::kUnknown;
  Again again = Again::kUnknown;
  bool is_posix = false;
  bool writes_last = false;  // only the last operand is changed, the others are read
};

[[nodiscard]] Knowledge knowledge_of(const purify::Call& call);
[[nodiscard]] std::string_view describe(Varies varies);

}  // namespace nacre::prove
