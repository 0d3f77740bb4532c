#include "machine/signal_list.h"

#include <csignal>
#include <fmt/format.h>

#include "machine/machine.h"
#include "machine/signals.h"

namespace nacre::machine {

int list_signal_names(Machine& machine) {
  int column = 0;
  for (int signal = 1; signal < NSIG; ++signal) {
    std::string name = signal_name(signal);
    if (name.empty()) continue;
    machine.out(fmt::format("{:>2}) SIG{}{}", signal, name, ++column % 5 == 0 ? "\n" : "\t"));
  }
  if (column % 5 != 0) machine.out("\n");
  return 0;
}

}  // namespace nacre::machine
