// What the operators of bash make of a value: ${x/p/r}, ${x^p}, ${x@Q}.
#pragma once

#include <string>
#include <string_view>

#include "machine/locale.h"
#include "shell/word.h"

namespace nacre::machine {

// `pattern` is one of pattern.h; empty for ${x^}: any character. `letter` is that of ${x@letter}.
[[nodiscard]] std::string transformed(shell::ParameterOp op, char letter, std::string_view value,
                                      std::string_view pattern, std::string_view replacement,
                                      const Locale& locale);

}  // namespace nacre::machine
