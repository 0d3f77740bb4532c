// The symbolic interpreter: the semantics (interpreter.h) over sets of file systems. Strings,
// variables and streams are concrete; of the files nothing is known but what constraints say. What
// utilities do, their cards tell (`does`, `acts`); those that touch no file are run as they are.
//
//   SymbolicRun run = run_symbolic(program, "postinst", initial_state(options, ...), options);
//   for (const auto& outcome : run.outcomes) outcome.state.files.clause, outcome.behaviour
//
// A command has one case for each way its questions about files can be answered, so cases exclude
// each other and leave out nothing.
#pragma once

#include "base/result.h"
#include "colis/concrete.h"
#include "colis/symbolic_files.h"

namespace nacre::colis {

using SymbolicState = State<SymbolicFiles>;

struct SymbolicOptions {
  bool is_original = false;
  UnknownBehaviour unknown = UnknownBehaviour::kException;
  bool considers_links = false;
  bool merges = false;
  bool prunes_initial = false;  // forget the first tree: states that leave the same files are one
  uint64_t loop_limit = 10;
  uint64_t stack_size = 10;
  size_t max_cases = 2000;  // of one utility call
  uint64_t fuel = 200'000;  // of one utility that is run as it is
  Bounds bounds;
};

struct SymbolicRun {
  std::vector<Outcome<SymbolicFiles>> outcomes;
  std::optional<Abort> abort;
};

[[nodiscard]] SymbolicState initial_state(const SymbolicOptions& options, Context context);
// What is known of the first tree: an absolute path a line, `/` at the end of a directory.
[[nodiscard]] Result<void> add_known_files(SymbolicFiles& files, std::string_view text);

[[nodiscard]] Utilities<SymbolicFiles> symbolic_utilities(const SymbolicOptions& options);

[[nodiscard]] SymbolicRun run_symbolic(const Program& program, const std::string& argument0,
                                       SymbolicState state, const SymbolicOptions& options);

// The cases as the original has them, with its words (original_cases.cpp).
[[nodiscard]] UtilityAnswer<SymbolicFiles> original_utility(const UtilityCall& call,
                                                            SymbolicState state,
                                                            const SymbolicOptions& options);

}  // namespace nacre::colis
