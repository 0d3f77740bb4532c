// What a clause says about trees, for people and for tests: a tree that satisfies it, whether a
// given tree does and what became of it, and the facts in words.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "colis/symbolic_files.h"
#include "world/tree.h"

namespace nacre::colis {

// A file tree as a plain value.
struct TreeValue {
  world::FileKind kind = world::FileKind::kDirectory;
  std::map<std::string, TreeValue> entries;
  std::string bytes;  // contents, or the target of a link
  bool is_executable = false;
  friend bool operator==(const TreeValue&, const TreeValue&) = default;
};

[[nodiscard]] TreeValue read_tree(world::FileTree& tree, const std::string& path);
// Puts it below the directory `path`, beside what is there.
void write_tree(world::FileTree& tree, const std::string& path, const TreeValue& value);
// One path a line: `/a/`, `/b`, `/c -> d`.
[[nodiscard]] std::vector<std::string> lines_of(const TreeValue& value);

// A first tree that the clause allows, as small as it can be.
[[nodiscard]] TreeValue model_of(const SymbolicFiles& files);
// If the clause allows `before` as the first tree: what the program has made of it. Contents that
// it has written are "?".
[[nodiscard]] std::optional<TreeValue> after(const SymbolicFiles& files, const TreeValue& before);

// "/a is a directory", "no /b".
[[nodiscard]] std::vector<std::string> facts_of(const Clause& clause, NodeId root);
// The same text for states that mean the same files.
[[nodiscard]] std::string key_of(const SymbolicFiles& files, bool with_initial);

[[nodiscard]] std::string kinds_in_words(Kinds kinds);

}  // namespace nacre::colis
