// Random programs from the grammar, for tests. Everything that a dialect has comes up sooner or
// later, in odd but correct layouts: continued lines, comments, keywords as arguments, several
// here-documents on a line, quotes within substitutions within quotes. The same seed gives the same
// program on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shell/dialect.h"

namespace nacre::shell {

// A program that dash (kSh, kDash) or bash (kBash) accepts. Nothing in it should ever be run.
[[nodiscard]] std::string random_program(uint64_t seed, Dialect dialect);

// The text with one to three tokens removed, doubled, swapped or put in: often, but not always, an
// error.
[[nodiscard]] std::string mutated(std::string_view program, uint64_t seed);

}  // namespace nacre::shell
