// Every run of a script over an open world, in the order of their plausibility: first the run that
// takes all expected answers, then those that answer one question differently, and so on, until all
// answers of all questions have been taken or the budget ends.
//
//   Script script = ...;                        // text, arguments, who runs it
//   Exploration all = explore(script, start, budget, [&](Run&& run) { ... });
//   all.is_exhaustive
//
// Each run is an ordinary run of the machine and the utilities in a simulated world: nothing of the
// host is touched, and what it does is what the script does in the world that run.decisions
// describes. Deterministic. Not thread-safe as one call; two calls are independent.
#pragma once

#include "explore/decisions.h"

namespace nacre::explore {

struct Budget {
  size_t runs = 2000;
  uint64_t steps = 20'000'000;      // of all runs
  uint64_t steps_of_run = 200'000;  // then it is stopped: perhaps it never ends
  unsigned max_rank = 4;            // of all answers of a run together
};

// The value of an unknown word that stands for "not given".
constexpr std::string_view kUnset = "\x01unset";

struct Script {
  std::string name;
  std::string text;
  std::vector<std::string> options;      // of the shell: -e
  std::vector<std::string> arguments;    // $1 ...
  std::vector<std::string> environment;  // NAME=value
  world::Actor actor;
  std::string home;  // what is below belongs to the actor
  Expectations expected;
  bool is_deep = false;
  unsigned file_mode = 0644;    // of files that are there
  bool has_open_lines = false;  // files may end without a newline
  // Unknown words: `arguments` and `environment` get these as decisions; name 1, 2, ... or a
  // variable's.
  std::vector<std::pair<std::string, std::vector<Answer>>> unknown;
};

// Where a run begins: a tree with open parts, and what else must not change any more.
struct World {
  world::FileTree tree;
  Memory memory;
};

// The command that was the last one to begin.
struct Place {
  uint32_t line = 0;
  Span span;
  std::string text;
};

struct Run {
  enum End : uint8_t {
    kExited,
    kEndless,     // its whole state has come back: certain
    kTooLong,     // stopped after Budget::steps_of_run
    kStuck,       // waits for what can never happen
    kTooBig,      // needed more memory than the simulated world has
    kUnmodelled,  // a command or option has no model, so that the rest may differ
    kMerged       // another run was in the same state, and does what would follow
  };
  End end = kExited;
  int status = 0;
  std::string output;  // the beginning
  std::string errors;  // the beginning
  Place last;
  Place changed;             // the last command that changed a file
  std::set<uint32_t> lines;  // where commands began
  std::vector<std::string> not_modelled;
  std::vector<Decision> decisions;
  std::set<std::string> bounds;
  unsigned rank = 0;        // of all answers together
  unsigned deviations = 0;  // answers that are not the first
  uint64_t steps = 0;
  World after;

  [[nodiscard]] bool succeeded() const { return end == kExited && status == 0; }
};

struct Exploration {
  size_t runs = 0;
  uint64_t steps = 0;
  bool is_exhaustive = true;     // all answers of all questions were taken
  std::set<std::string> bounds;  // what was cut off: sentences
};

// Whether a run ends where another one was in the same state. Then the ends that are reached are
// the same, each with fewer of the ways that lead to it.
enum class Merge : uint8_t { kNo, kYes };

// `use` gets each run; the explorer keeps none.
Exploration explore(const Script& script, const World& start, const Budget& budget, Merge merge,
                    const std::function<void(Run&&)>& use);
// One run, with these choices.
[[nodiscard]] Run run_once(const Script& script, const World& start, const Budget& budget,
                           std::vector<size_t> choices);

}  // namespace nacre::explore
