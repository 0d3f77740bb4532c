// The tree of an arithmetic text, from the parts that the lexer made of it.
#pragma once

#include <span>

#include "shell/arena.h"
#include "shell/ast.h"
#include "shell/parse.h"

namespace nacre::shell {

// Null if the text as it stands is no expression: empty, wrong, or put together only when it is
// expanded (`1 $op 2`). That is no error to any shell before it evaluates the text.
[[nodiscard]] const ArithmeticExpression* parse_arithmetic(std::span<const Part> parts,
                                                           const ParseOptions& options,
                                                           Arena& arena);

}  // namespace nacre::shell
