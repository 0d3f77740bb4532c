// The concrete interpreter: the semantics (interpreter.h) over one known file tree, with the
// utilities of the simulated world. Nothing of the host is touched.
//
//   ConcreteState state = initial_state(tree, {"configure"}, {"A=b"});
//   ConcreteRun run = run_concrete(program, "postinst", std::move(state), options);
//   run.outcome->state.stdout_text, run.outcome->state.context.result, run.outcome->behaviour
#pragma once

#include "colis/interpreter.h"
#include "world/tree.h"

namespace nacre::colis {

using ConcreteState = State<world::FileTree>;

enum class UnknownBehaviour : uint8_t { kException, kIncomplete, kError };

struct ConcreteOptions {
  bool is_original = false;  // only the few utilities that the original knows, and no files
  UnknownBehaviour unknown = UnknownBehaviour::kException;
  uint64_t loop_limit = 100'000;
  uint64_t stack_size = 1000;
  Bounds bounds;
  uint64_t fuel = 2'000'000;  // steps of one utility
};

struct ConcreteRun {
  std::optional<Outcome<world::FileTree>> outcome;  // one, if nothing was aborted
  std::optional<Abort> abort;
};

// Each of `variables` is NAME=value, and exported.
[[nodiscard]] Context initial_context(const std::vector<std::string>& arguments,
                                      const std::vector<std::string>& variables);

[[nodiscard]] Utilities<world::FileTree> concrete_utilities(const ConcreteOptions& options);

[[nodiscard]] ConcreteRun run_concrete(const Program& program, const std::string& argument0,
                                       ConcreteState state, const ConcreteOptions& options);

// What the language itself needs (`if` without else, `&&`) and loops run most: they do nothing and
// need no world.
[[nodiscard]] std::optional<bool> constant_result(const UtilityCall& call);

// One utility in the simulated world.
struct SimulatedCall {
  int status = 0;
  std::string output, errors;
  std::string rest_of_input;
  world::FileTree tree;
  bool is_known = true;     // false: there is no model of it, or of what it runs
  std::string unknown;      // then, what is not known
  bool is_finished = true;  // false: it was stopped
  bool asked_the_time = false;
  uint64_t fuel_used = 0;
};
[[nodiscard]] SimulatedCall simulate_call(const UtilityCall& call, const world::FileTree& tree,
                                          const std::string& cwd,
                                          const std::vector<std::string>& environment,
                                          const std::string& input, uint64_t fuel);

}  // namespace nacre::colis
