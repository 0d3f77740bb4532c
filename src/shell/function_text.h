// A function as bash prints it (`declare -f`, `type`): its canonical layout, with an indentation of
// four, not that of to_source(). Scripts read it back, and some compare it.
#pragma once

#include <string>
#include <string_view>

#include "shell/ast.h"

namespace nacre::shell {

// "f () \n{ \n    echo\n}\n"
[[nodiscard]] std::string function_text(std::string_view name, const Command& body);

}  // namespace nacre::shell
