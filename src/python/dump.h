// A Tree as text, one S-expression per node, in the shape of CPython's `ast` module: the tests
// compare it with the same text made from `ast.parse` (tests/python/normal_form.py).
#pragma once

#include <string>

#include "python/ast.h"

namespace nacre::python {

std::string dump(const Tree& tree);

}  // namespace nacre::python
