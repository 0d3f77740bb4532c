// Which functions are worth a look in a file without language types: those that are declared to
// take a string and that call something named like a sink (sinks.h). Read off the tree; cheap.
#pragma once

#include "python/ast.h"

namespace nacre::python {

bool calls_sink(const Tree& tree, const Block& body);

}  // namespace nacre::python
