#include "machine/builtins.h"
#include "machine/escapes.h"
#include "machine/machine.h"

namespace nacre::machine {

// As dash: -n is an option, backslashes are always interpreted (the standard's XSI form).
int run_echo(Machine& machine, Args args) {
  size_t first = args.size() > 1 && args[1] == "-n" ? 2 : 1;
  if (first == 2) machine.unspecified("echo -n");
  for (size_t i = first; i < args.size(); ++i) {
    if (i > first) machine.out(" ");
    bool has_escapes = args[i].find('\\') != std::string_view::npos;
    if (has_escapes) machine.unspecified("echo with a backslash");
    if (!has_escapes) {
      machine.out(args[i]);
    } else if (!append_escaped(args[i], machine.out_buffer)) {
      return 0;
    }
  }
  if (first == 1) machine.out("\n");
  return 0;
}

}  // namespace nacre::machine
