// Tree to text. print() gives back the file byte for byte by walking the tree; to_source() writes a
// node anew from its structure alone, in one canonical layout: what `type f` shows, what a stepper
// shows, and what the tests parse again to see that the tree holds everything.
#pragma once

#include <string>

#include "shell/ast.h"
#include "shell/tree.h"

namespace nacre::shell {

[[nodiscard]] std::string print(const Tree& tree);

[[nodiscard]] std::string to_source(const Sequence& sequence);
[[nodiscard]] std::string to_source(const Command& command);
[[nodiscard]] std::string to_source(const Word& word);
[[nodiscard]] std::string to_source(const ArithmeticExpression& expression);
[[nodiscard]] std::string to_source(const ConditionalExpression& expression);

}  // namespace nacre::shell
