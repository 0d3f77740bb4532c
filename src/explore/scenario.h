// What dpkg does with a package, as data (scenarios/*.scenario): an automaton whose states are
// calls of maintainer scripts and steps of dpkg itself, and whose ends are the states of a package.
//
//   about   an installed package is removed
//   begins  installed                        its files are there; `configured`: its conffiles
//   needs   triggers                         only for packages that have some; `config`: the script
//   prerm remove    : remove-files | postinst abort-remove      on success | on failure
//   remove-files    : postrm remove
//   postrm remove   : Config-Files | Half-Installed             capitals: the end
//
// A scenario is played over open worlds: those that a script leaves are where the next one begins,
// equal ones are put together. Steps of dpkg: unpack, remove-files, remove-conffiles. The words
// OLD, NEW and TRIGGERS of a call stand for versions and trigger names; `#2` after a call tells it
// from another one alike.
#pragma once

#include "explore/findings.h"
#include "explore/package.h"

namespace nacre::explore {

struct Step {
  std::string label;               // as it is written
  std::vector<std::string> words;  // without #N
  std::string on_success, on_failure;
};

struct Scenario {
  std::string name;
  std::string about;
  enum Begin : uint8_t { kAbsent, kInstalled, kConfigured } begin = kAbsent;
  enum Need : uint8_t { kNothing, kTriggers, kConfig } need = kNothing;
  std::vector<Step> steps;  // the first is where it starts

  [[nodiscard]] const Step* find(std::string_view label) const;
  [[nodiscard]] bool applies_to(const Package& package) const;
};

[[nodiscard]] Result<Scenario> parse_scenario(std::string name, std::string_view text);
// Those that are built in, by name.
[[nodiscard]] const std::vector<Scenario>& scenarios();

struct ScenarioBudget {
  Budget call{.runs = 400, .steps = 4'000'000, .steps_of_run = 200'000, .max_rank = 1};
  size_t worlds = 24;        // that go on from one state
  size_t runs = 4'000;       // of a whole scenario
  size_t runs_of_rest = 20;  // of each call after a budget has ended
};

// What became of one state of the scenario.
struct StateResult {
  std::string label;
  size_t worlds = 0;             // that reached it
  std::optional<unsigned> rank;  // of the likeliest of them
};

struct ScenarioResult {
  std::string scenario;
  std::vector<StateResult> ends;         // Installed, Half-Configured, ...
  std::map<std::string, size_t> states;  // worlds that reached each, by label
  std::set<std::string> problems;        // why it is not complete: sentences
  std::set<std::string> unmodelled;      // commands
  std::set<std::string> representatives;
  size_t runs = 0;
  uint64_t steps = 0;
  bool has_started = false;  // the first script could be run
  std::vector<Finding> findings;

  [[nodiscard]] std::string_view coverage() const {
    return problems.empty() && unmodelled.empty() ? "complete" : has_started ? "partial" : "none";
  }
};

[[nodiscard]] ScenarioResult play_scenario(const Scenario& scenario, const Package& package,
                                           const ScenarioBudget& budget);

}  // namespace nacre::explore
