// Which variables a piece of a script may change, by its text alone: for what is not interpreted.
// Internal to this module.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "shell/ast.h"

namespace nacre::flow {

struct Assigned {
  std::string_view name;  // in the text of the tree
  Span span;              // of the name
};

// The words of a command without `command` and `builtin` before them.
std::span<const shell::Word> called_words(const shell::SimpleCommand& simple);

std::vector<Assigned> assigned_in(const shell::Sequence& body);
std::vector<Assigned> assigned_in(const shell::Command& command);

}  // namespace nacre::flow
