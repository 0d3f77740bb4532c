// The expression of find, as far as find itself checks it before it looks at any file.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "commands/invocation.h"

namespace nacre::commands {

struct RefusedWord {
  Span span;
  std::string message;
};

// What find would refuse of the words after its starting points; nothing if it takes them, or if
// some word is not a constant.
std::optional<RefusedWord> refused_expression(std::span<const Argument> words);

}  // namespace nacre::commands
