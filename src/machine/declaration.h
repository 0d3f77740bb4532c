// What bash says about a variable: the letters of its attributes, the `declare` command that makes
// it again, and the ways to quote a value for that.
#pragma once

#include <string>
#include <string_view>

#include "machine/names.h"
#include "machine/variables.h"

namespace nacre::machine {

struct Machine;

// In the order of `declare -p` and ${x@a}: "aixr".
[[nodiscard]] std::string attribute_letters(const Variable& variable);
// `declare -i x="3"`, without a newline.
[[nodiscard]] std::string declaration(const Machine& machine, NameId name,
                                      const Variable& variable);
// ([0]="a" [1]="b")
[[nodiscard]] std::string compound_text(const Array& array);

}  // namespace nacre::machine
