#include "flow/check.h"

#include "flow/interpreter.h"

namespace nacre::flow {

CheckResult check(const shell::Tree& tree, const commands::CardLibrary& cards,
                  const CheckOptions& options) {
  return Interpreter(tree, cards, options).run();
}

}  // namespace nacre::flow
