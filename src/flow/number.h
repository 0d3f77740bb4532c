// Numbers as `[ a -lt b ]` compares them, as languages. Internal to this module.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "regular/lang.h"
#include "shell/ast.h"

namespace nacre::flow {

std::optional<int64_t> to_number(const std::optional<std::string>& text);

// a < b is b > a.
shell::ConditionalOp mirrored_op(shell::ConditionalOp op);

// The texts of the numbers n with `n op bound`; blanks around a number do not matter.
regular::Lang numbers(regular::Context& context, shell::ConditionalOp op, int64_t bound);

}  // namespace nacre::flow
