// CoLiS programs: what is read is printed so that it is read again as the same tree, and running it
// with small bounds ends.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "colis/parser.h"
#include "colis/printer.h"
#include "colis/symbolic.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nacre::colis;
  const auto program = parse({reinterpret_cast<const char*>(data), size}, {});
  if (!program) return 0;
  const auto again = parse(print(*program), {});
  if (!again || !(*again == *program)) std::abort();
  SymbolicOptions options;
  options.unknown = UnknownBehaviour::kError;
  options.loop_limit = options.stack_size = 3;
  options.bounds.max_states = 50;
  options.bounds.max_steps = 2000;
  (void)run_symbolic(*program, "fuzz", initial_state(options, {}), options);
  return 0;
}
