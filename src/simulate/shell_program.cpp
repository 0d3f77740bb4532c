#include "simulate/shell_program.h"

namespace nacre::simulate {

namespace {

size_t memory_of(const machine::Positional& parameters) {
  size_t result = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    result += sizeof(std::string) + parameters[i].size();
  }
  return result;
}

}  // namespace

size_t memory_of(const machine::Machine& machine) {
  size_t result =
      buffers_of(machine) + machine.state.variables.bytes() + memory_of(machine.state.positional);
  for (const auto& context : machine.contexts) result += memory_of(context.positional);
  return result;
}

void end_out_of_memory(machine::Machine& machine, world::SimulatedOs& os) {
  machine.error("out of memory");
  os.exit(2);
}

}  // namespace nacre::simulate
