// Reads a Python 3.12 file into a Tree, or says where and why it is not one. Accepts what CPython's
// own parser accepts (`ast.parse`): what the compiler rejects later, such as `return` outside a
// function, is a tree here too. Time is linear in the file; nesting is limited.
#pragma once

#include <string_view>

#include "base/result.h"
#include "python/ast.h"

namespace nacre::python {

Result<Tree> parse(std::string_view text);

}  // namespace nacre::python
