#include "simulate/shell_program.h"

namespace nacre::simulate {

size_t memory_of(const machine::Machine& machine) {
  size_t result = machine.text.capacity();
  const machine::Variables& variables = machine.state.variables;
  for (machine::NameId name : variables.sorted()) {
    if (const std::string* value = variables.get(name)) result += value->size();
  }
  return result;
}

void end_out_of_memory(machine::Machine& machine, world::SimulatedOs& os) {
  machine.error("out of memory");
  os.exit(2);
}

}  // namespace nacre::simulate
