#include "terminal/shell_main.h"

#include <optional>

#include "machine/machine.h"
#include "machine/start_shell.h"
#include "system/system_os.h"
#include "terminal/interactive.h"

extern char** environ;

namespace nacre::terminal {

int shell_main(int argc, char** argv) {
  system::SystemOs os;
  Machine machine(os, std::make_shared<machine::Names>());
  std::optional<Terminal> terminal;
  auto open_terminal = [&terminal](Machine& of) { return terminal.emplace(of).source(); };
  int status = machine::start_shell(machine, argc, argv, environ, open_terminal);
  if (status >= 0) return status;
  run(machine, [](const Machine&, machine::Rule) {});
  if (terminal && !machine.state.is_subshell) terminal->save_history();
  // Children of fork() end here, too; no destructor of theirs may matter.
  os.exit(machine.state.status);
}

}  // namespace nacre::terminal
