// What the operators of bash make of a value: ${x/p/r}, ${x^p}.
#pragma once

#include <string>
#include <string_view>

#include "machine/pattern.h"
#include "shell/word.h"

namespace nacre::machine {

// `pattern` is one of pattern.h; empty for ${x^}: any character. In `replacement` an & is what was
// matched, and a backslash before & or another backslash makes it literal.
[[nodiscard]] std::string transformed(shell::ParameterOp op, std::string_view value,
                                      std::string_view pattern, std::string_view replacement,
                                      const PatternRules& rules);

}  // namespace nacre::machine
