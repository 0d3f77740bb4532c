// What a machine is about to do, as text: the command that its top frame belongs to, with what has
// been expanded so far in place of what was written.
#pragma once

#include <optional>
#include <string>

#include "machine/machine.h"

namespace nacre::simulate {

struct Control {
  std::string text;
  uint32_t line = 0;
  Span span;            // of the command in its source
  bool is_new = false;  // a simple command of which nothing was done yet
  friend bool operator==(const Control&, const Control&) = default;
};

[[nodiscard]] Control control_of(const machine::Machine& machine);

}  // namespace nacre::simulate
