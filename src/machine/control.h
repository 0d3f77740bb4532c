// What a machine still has to do, as text: the command that its top frame belongs to, with what has
// been expanded in place of what was written, and around it what remains of the commands that it is
// part of (`inner || b`, `inner; while ...`).
//
// The text is meant to be read back by a shell, with these exceptions: fields that are split but
// not finished are in ‹›, quotes that are not removed yet are shown as double quotes, and a text
// beyond the limit ends in `...`. Here-documents follow the line that they belong to.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.h"

namespace nacre::machine {

struct ControlLimits {
  size_t bytes = 1000;
  size_t frames = 50;  // of what is around the innermost command
};

struct Control {
  std::string text;
  std::vector<std::string> fields;  // of the innermost command, as far as they are finished
  uint32_t line = 0;
  Span span;            // of the innermost command in its source
  bool is_new = false;  // a simple command of which nothing was done yet
  friend bool operator==(const Control&, const Control&) = default;
};

[[nodiscard]] Control control_of(const Machine& machine, const ControlLimits& limits = {});

}  // namespace nacre::machine
