// What has to be made for some goals, as a graph without cycles: explicit rules first, then pattern
// and suffix rules, then a few of those that make has built in.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "make/database.h"
#include "make/read.h"

namespace nacre::remake {

struct Node {
  std::string name;
  const make::Rule* rule = nullptr;             // with the recipe; null: it has none
  std::vector<const make::Rule*> double_rules;  // of `::`: each has a recipe of its own
  std::string stem;                             // of an implicit or static pattern rule
  std::vector<size_t> needs;                    // nodes, in the order of make
  std::vector<size_t> order_only;
  bool is_phony = false;
  bool is_target = false;  // some rule names it
};

struct Graph {
  std::vector<Node> nodes;           // each after those that it needs
  std::vector<std::string> dropped;  // "a <- b": prerequisites that closed a cycle
};

using FileExists = std::function<bool(const std::string& path)>;

// The rules of `builtin` are tried after the Makefile's own.
[[nodiscard]] Graph make_graph(const make::Database& database, const make::Database& builtin,
                               make::TargetExpander& expander, const FileExists& exists,
                               const std::vector<std::string>& goals);

// The built-in rules that are modelled, as a Makefile.
[[nodiscard]] const make::Database& builtin_rules();

}  // namespace nacre::remake
