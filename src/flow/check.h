// Type-checks a script before it runs: the values of its variables, the status of its commands and
// the lines in every pipeline, also those in functions and substitutions. A pure function of the
// tree and the cards; it runs nothing, and reads files only through `Files`. Each call uses a
// Context of its own, so several scripts may be checked at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/diagnostic.h"
#include "base/files.h"
#include "commands/card_library.h"
#include "flow/facts.h"
#include "shell/bodies.h"
#include "shell/tree.h"

namespace nacre::flow {

struct CheckOptions {
  // Commands interpreted, per command of the script: functions are interpreted at each call and
  // loops in rounds. Beyond it calls and loops are approximated, and the result says so.
  uint32_t rounds = 20;
  // Calls of one function that are followed with what is known at each; later ones leave
  // unknown what it assigns.
  uint32_t max_calls = 20;
  uint32_t max_foreign_calls = 2;  // of a function of a sourced file
  uint32_t max_nested = 32;        // calls and subshells within each other
  uint32_t max_rounds = 8;         // of a loop, to reach a state that holds in all of them
  uint32_t max_known_lines = 100;  // of a here-document; more are taken for any
  // What the script reads, as a type; empty: nothing is known of it. Must parse.
  std::string input;
  // Null: nothing is known of files and the environment. Else the files that the script sources are
  // read, by their paths from `directory`, that of the script.
  const nacre::Files* files = nullptr;
  std::string directory = ".";
  shell::BodyCache* bodies = nullptr;  // of sourced texts, shared with other checks
  uint64_t max_bytes = 16u << 20;      // of a file
  // Takes what the files that the script reads hold now, and what the environment has now, for
  // their types (concretisation).
  bool concretizes = false;
  bool is_program = false;     // its shell is known for sure, though there is no #!
  uint32_t max_sourced = 100;  // files and texts; more are taken for any code
  // CheckResult::facts is asked for. With the types alone, which are cheaper, they have commands
  // and names, but no expansions and no states.
  bool wants_types = false;
  bool wants_facts = false;
  Budget budget = {.steps = 50'000, .states = 2'000};  // of one question about languages
  // The states of one question times the commands of the script; a question may have some in any
  // case.
  uint64_t states_for_all = 30'000;
  uint64_t least_states = 100;
  // All questions together have these states, and more for each command of the script itself; when
  // these are used up, each question has the least.
  uint64_t first_states = 10'000;
  uint64_t states_per_command = 100;
};

struct CheckResult {
  std::vector<Diagnostic> findings;
  bool is_exhausted = false;           // a budget ran out: something was not looked into
  std::shared_ptr<const Facts> facts;  // if they were asked for; null otherwise
};

CheckResult check(const shell::Tree& tree, const commands::CardLibrary& cards,
                  const CheckOptions& options = {});

}  // namespace nacre::flow
