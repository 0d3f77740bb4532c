#include "machine/builtins.h"
#include "machine/escapes.h"
#include "machine/machine.h"

namespace nacre::machine {

namespace {

// Any of -n, -e and -E, also together; backslashes are as they are without -e.
int run_echo_of_bash(Machine& machine, Args args) {
  bool has_end = true;
  bool interprets = machine.state.options.has(Option::kXpgEcho);
  size_t first = 1;
  for (; first < args.size(); ++first) {
    std::string_view word = args[first];
    bool is_option = word.size() > 1 && word[0] == '-' &&
                     word.find_first_not_of("neE", 1) == std::string_view::npos;
    if (!is_option) break;
    for (char c : word.substr(1)) {
      has_end &= c != 'n';
      if (c != 'n') interprets = c == 'e';
    }
  }
  for (size_t i = first; i < args.size(); ++i) {
    if (i > first) machine.out(" ");
    if (!interprets) {
      machine.out(args[i]);
    } else if (!append_escaped(args[i], machine.out_buffer, true)) {
      return 0;
    }
  }
  if (has_end) machine.out("\n");
  return 0;
}

}  // namespace

// As dash: -n is an option, backslashes are always interpreted (the standard's XSI form).
int run_echo(Machine& machine, Args args) {
  if (machine.is_bash()) return run_echo_of_bash(machine, args);
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
