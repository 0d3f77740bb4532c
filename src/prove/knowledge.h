// What verification knows of commands: whether what they print is the same on every run, and
// whether a second call leaves what the first one left. The cards say it (`varies`, `again`,
// `uses`, `standards`), and where the answer depends on a program of awk, sed or find, the program.
// Nothing is proved of a script that calls a command without a card.
#pragma once

#include <cstdint>
#include <string_view>

#include "purify/calls.h"

namespace nacre::prove {

// In the order of the choices of `varies` (card_keys.inc).
enum class Varies : uint8_t {
  kNo,
  kClock,
  kRandom,
  kPid,
  kHost,
  kUser,
  kOrder,
  kState,
  kNetwork,
  kProgram,
  kUnknown,
};
// In the order of the choices of `again`.
enum class Again : uint8_t {
  kNothing,  // changes no file
  kSame,     // a second call changes nothing
  kFails,    // a second call fails
  kGrows,    // a second call adds something
  kProgram,
  kUnknown,
};

struct Knowledge {
  Varies varies = Varies::kUnknown;
  Again again = Again::kUnknown;
  bool is_posix = false;
  bool writes_last = false;    // only the last operand is changed, the others are read
  bool reads_files = true;     // some operand is a path that it looks at
  std::string foreign_option;  // one that POSIX lacks
};

[[nodiscard]] Knowledge knowledge_of(const purify::Script& script, const purify::Call& call);
[[nodiscard]] std::string_view describe(Varies varies);

// A builtin that does nothing but print its words.
[[nodiscard]] constexpr bool is_printer(std::string_view name) {
  return name == "echo" || name == "printf";
}

}  // namespace nacre::prove
