// Trees of the CoLiS language as text.
//
// print() is the inverse of parse(): parse(print(p)) == p for every tree, whatever bytes its names
// and literals hold. print_original() is what the original implementation prints, up to blanks: it
// leaves out quoting and closing words, so that not even that implementation can read it.
#pragma once

#include <string>

#include "colis/syntax.h"

namespace nacre::colis {

[[nodiscard]] std::string print(const Program& program);
[[nodiscard]] std::string print(const Instruction& instruction);
[[nodiscard]] std::string print(const StringExpression& expression);
[[nodiscard]] std::string print_original(const Program& program);

}  // namespace nacre::colis
