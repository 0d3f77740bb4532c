// The properties that the report proves of its interpreters, as checks over random programs: what
// the tests run a little and the benchmark runs a lot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "colis/model.h"
#include "colis/syntax.h"

namespace nacre::colis {

struct PropertyResult {
  size_t programs = 0;
  size_t checks = 0;      // runs that were compared
  size_t incomplete = 0;  // covered only by a state that says it is not complete
  std::vector<std::string> violations;
};

// Every concrete run from a random tree is covered by a state of the symbolic run, and every
// complete state that allows the tree ends as the concrete run does.
[[nodiscard]] PropertyResult check_over_approximation(uint32_t seed, size_t programs, bool links);
// Every complete state has a first tree from which the concrete run ends so.
[[nodiscard]] PropertyResult check_under_approximation(uint32_t seed, size_t programs);
// The program and its shell script under `set -e` end alike, but for what docs/colis.md lists.
[[nodiscard]] PropertyResult check_shell_agreement(uint32_t seed, size_t programs);
// A run that no bound stops ends as the run without bounds does, and one that a bound stops goes on
// with a larger one.
[[nodiscard]] PropertyResult check_bounds(uint32_t seed, size_t programs);

// The translation of a script and the script itself under `set -e`, with these arguments, in the
// same world: what differs in their results, outputs or trees; empty: nothing. Nothing at all if
// the script is not translated, or one of them does not end or needs a utility without a model.
[[nodiscard]] std::optional<std::string> check_translation(
    const std::string& script, const std::vector<std::string>& arguments);

// The cases of one utility call in the directory /t, of which nothing else is known: how many allow
// this tree below /t, and what is wrong with them; empty: one does, with this status and tree
// after.
[[nodiscard]] std::string check_fact(const std::vector<std::string>& words, const TreeValue& before,
                                     bool is_true, const TreeValue& after);

}  // namespace nacre::colis
