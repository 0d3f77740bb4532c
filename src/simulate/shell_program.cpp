#include "simulate/shell_program.h"

namespace nacre::simulate {

void end_out_of_memory(machine::Machine& machine, world::SimulatedOs& os) {
  machine.error("a word is larger than the simulated world allows");
  os.exit(2);
}

}  // namespace nacre::simulate
