// GNU make in a simulated world: reads the Makefile with the world's files and environment, decides
// what is out of date by the times of files, and runs recipes in the order that make would, or in
// one of the orders that `-j` allows. Nothing of the host is touched.
//
//   MakeOutcome once = run_make(file, scene, {.goals = {"all"}});
//   scene.tree = once.tree;
//   MakeOutcome again = run_make(file, scene, {.goals = {"all"}});   // again.ran should be empty
//
// Recipes are interleaved line by line, not within a line. A command that no one models is
// *uninterpreted*: it succeeds and writes the words that it was called with to the file after -o.
// Without that option what it does is not known, and the outcome says so. Calls of $(MAKE) are
// uninterpreted, too.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/source_file.h"
#include "commands/card_library.h"
#include "simulate/scene.h"

namespace nacre::remake {

struct MakeCall {
  std::vector<std::string> goals = {};  // none: the default goal
  std::vector<std::pair<std::string, std::string>> variables = {};
  unsigned jobs = 1;
  uint64_t schedule = 0;  // which of the orders that `jobs` allows; 0: make's own
  // Which of the running recipes goes on, at each point where there is a choice; after the last
  // one the first of them. Used where `schedule` is 0.
  std::vector<size_t> choices = {};
  size_t max_recipes = 5000;  // recipes that are run; beyond it make stops
};

struct MakeOutcome {
  int status = 0;  // 0, 2: an error, as make says it
  std::string output;
  std::string errors;
  world::FileTree tree;
  std::vector<std::string> ran;            // targets whose recipes were run, in that order
  std::vector<std::string> uninterpreted;  // names of commands that no one models
  // By target: those that were called without -o, so that what they do is not known.
  std::map<std::string, std::vector<std::string>> unknown;
  std::set<std::string> commands;    // that the recipes name
  bool calls_shell = false;          // $(shell ...)
  std::vector<size_t> alternatives;  // how many recipes could go on, at each point
  std::vector<std::string> lines;    // the target of each recipe line, in the order they were run
};

[[nodiscard]] MakeOutcome run_make(const SourceFile& makefile, const simulate::Scene& scene,
                                   const commands::CardLibrary& cards, const MakeCall& call);

}  // namespace nacre::remake
