// Every run in a known world is one of the runs over the open world: the facts about the real
// utilities, and random scripts in random trees. A leaf (a run over the open world) covers a known
// world if its decisions hold there, and if it does, it must end alike.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "explore/open_scene.h"
#include "shell/parse.h"
#include "simulate/testing/json_tree.h"

namespace nacre::explore {
namespace {

using nlohmann::json;
using simulate::testing::build;
using simulate::testing::dump;
using world::FileKind;
using world::FileTree;
using world::InodeId;

const std::string kBase = "/home/user/t";

// A small tree: {"a": {}, "b": "f:contents", "c": "l:target"}.
const json* find(const json& tree, const std::string& path) {
  const json* at = &tree;
  for (size_t begin = kBase.size() + 1; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    if (!at->is_object() || !at->contains(name)) return nullptr;
    at = &(*at)[name];
    begin = end + 1;
  }
  return at;
}

std::string kind_of(const json* node) {
  if (node == nullptr) return "absent";
  if (node->is_object()) return "a directory";
  return node->get<std::string>().starts_with("l:") ? "a link" : "a file";
}

struct Leaf {
  int status = 0;
  std::string output;
  std::vector<Decision> decisions;
  FileTree after;
};

// Does the leaf cover `tree`, and does it then end as `status` and `after` say?
class Match {
 public:
  Match(const Leaf& leaf, const json& tree) : leaf_(leaf), tree_(tree) {}

  // Tries all names for what is called "other" in the leaf.
  bool covers(size_t from = 0) {
    for (size_t i = from; i < leaf_.decisions.size(); ++i) {
      const Decision& decision = leaf_.decisions[i];
      if (!decision.subject.starts_with(kBase)) {
        if (decision.chosen != 0) return false;  // what the run in the known world takes
        continue;
      }
      const std::string path = translated(decision.subject);
      const Answer& answer = decision.answer();
      if (decision.kind == Decision::kEntry) {
        if (kind_of(find(tree_, path)) != answer.text) return false;
        decided_.insert(path);
      } else if (decision.kind == Decision::kContents) {
        const bool is_empty = *find(tree_, path) == "f:";
        if (is_empty != answer.contents.empty()) return false;
      } else if (decision.kind == Decision::kListing) {
        return covers_listing(i, path, answer);
      }
    }
    return true;
  }

  std::string problem(int status, const json& after) {
    if (leaf_.status != status) return fmt::format("status {}, not {}", leaf_.status, status);
    FileTree tree = leaf_.after;
    InodeId id = world::kNoInode;
    if (tree.find(world::Actor(), kBase, true, id) < 0) return "the directory is gone";
    return compare(tree, id, kBase, after);
  }

 private:
  bool covers_listing(size_t i, const std::string& path, const Answer& answer) {
    const json* directory = path == kBase ? &tree_ : find(tree_, path);
    std::vector<std::string> undecided;
    for (const auto& [name, child] : directory->items()) {
      if (!decided_.contains(path + "/" + name)) undecided.push_back(name);
    }
    if (answer.others.empty()) return undecided.empty() && covers(i + 1);
    const std::string wanted =
        answer.others[0].second.kind == FileKind::kDirectory ? "a directory" : "a file";
    const std::string other = leaf_.decisions[i].subject + "/" + answer.others[0].first;
    for (const std::string& name : undecided) {
      if (kind_of(find(tree_, path + "/" + name)) != wanted) continue;
      auto decided = decided_;
      names_[other] = path + "/" + name;
      decided_.insert(path + "/" + name);
      if (covers(i + 1)) return true;
      decided_ = std::move(decided);
      names_.erase(other);
    }
    return false;
  }

  // With the names of the known tree for those that are made up.
  [[nodiscard]] std::string translated(const std::string& path) const {
    if (path == kBase) return path;
    if (auto known = names_.find(path); known != names_.end()) return known->second;
    const size_t slash = path.rfind('/');
    return translated(path.substr(0, slash)) + path.substr(slash);
  }

  // What the leaf knows of the last tree.
  std::string compare(FileTree& tree, InodeId id, const std::string& path, const json& after) {
    const world::Inode& inode = tree.at(id);
    for (const std::string& name : inode.absent) {
      if (after.contains(name) && !inode.entries.contains(name))
        return fmt::format("{}/{} is there", path, name);
    }
    for (const auto& [name, child] : inode.entries) {
      std::string difference = fmt::format("{}/{} is missing", path, name);
      if (after.contains(name)) {
        difference = compare_node(tree, child, path + "/" + name, after[name]);
      } else if (name == "other") {
        // It may have been copied or moved: any name that is not known will do.
        for (const auto& [real, node] : after.items()) {
          if (difference.empty() || inode.entries.contains(real)) continue;
          difference = compare_node(tree, child, path + "/" + real, node);
        }
      }
      if (!difference.empty()) return difference;
    }
    return "";
  }

  std::string compare_node(FileTree& tree, InodeId id, const std::string& path, const json& node) {
    const world::Inode& inode = tree.at(id);
    if (inode.kind == FileKind::kDirectory)
      return node.is_object() ? compare(tree, id, path, node) : path + " is no directory";
    if (node.is_object()) return path + " is a directory";
    const std::string text = node.get<std::string>();
    if (inode.kind == FileKind::kLink)
      return text == "l:" + inode.bytes ? "" : path + " is another link";
    if (inode.open == nullptr) return "";
    const json* origin = find(tree_, translated(*inode.open));
    return origin != nullptr && *origin == text ? "" : path + " has other contents";
  }

  const Leaf& leaf_;
  const json& tree_;
  std::map<std::string, std::string> names_;
  std::set<std::string> decided_;
};

Script make_script(const std::string& text, World& world) {
  Script script;
  script.name = "script";
  script.text = text;
  REQUIRE(run_as(script, world, "user"));
  InodeId id = world::kNoInode;
  REQUIRE(world.tree.make_directory(script.actor, kBase, 0755) == 0);
  REQUIRE(world.tree.find(script.actor, kBase, true, id) == 0);
  script.actor.directory = id;
  const SourceFile file("script", text);
  script.expected = expectations_of(shell::parse_file(file, shell::Dialect::kSh).tree);
  script.expected.max_depth = 5;
  return script;
}

struct Leaves {
  std::vector<Leaf> all;
  Exploration exploration;
};

Leaves leaves_of(const std::string& text, size_t runs, Merge merge = Merge::kNo) {
  Leaves result;
  World world = open_world();
  Script script = make_script(text, world);
  world.tree.open_up(script.actor.directory, kBase);
  Budget budget;
  budget.runs = runs;
  budget.max_rank = 1000;
  result.exploration = explore(script, world, budget, merge, [&](Run&& run) {
    if (run.end == Run::kMerged) return;
    result.all.push_back(
        {run.status, std::move(run.output), std::move(run.decisions), std::move(run.after.tree)});
  });
  return result;
}

TEST_CASE("each fact about the real utilities is covered by one leaf") {
  std::ifstream file(NACRE_SOURCE_DIR "/../shared/corpora/utilities-ground-truth.jsonl");
  if (!file) {
    MESSAGE("skipped: the facts are not there");
    return;
  }
  std::map<std::string, std::vector<json>> by_command;
  for (std::string line; std::getline(file, line);) {
    json fact = json::parse(line);
    by_command[fact["cmd"]].push_back(std::move(fact));
  }
  size_t facts = 0;
  size_t covered = 0;
  size_t leaves = 0;
  size_t shown = 0;
  for (const auto& [command, list] : by_command) {
    Leaves all = leaves_of(command, 5'000);
    leaves += all.all.size();
    for (const json& fact : list) {
      const json expected = fact["after"] == "same" ? fact["before"] : fact["after"];
      size_t matches = 0;
      std::string problem = "no leaf";
      for (const Leaf& leaf : all.all) {
        Match match(leaf, fact["before"]);
        if (!match.covers()) continue;
        problem = match.problem(fact["rc"], expected);
        matches += problem.empty() ? 1 : 0;
        if (!problem.empty()) break;
      }
      ++facts;
      const bool is_fine = problem.empty() && matches >= 1;
      covered += is_fine ? 1 : 0;
      if (!is_fine && ++shown < 20)
        MESSAGE(fmt::format("{} in {}: {}", command, fact["before"].dump(), problem));
    }
  }
  MESSAGE(fmt::format("{} of {} facts are covered by {} leaves", covered, facts, leaves));
  CHECK(covered == facts);
}

// A random script of a few commands over the names a, b, c.
class ScriptMaker {
 public:
  explicit ScriptMaker(unsigned seed) : random_(seed) {}

  std::string script() {
    std::string text = below(3) == 0 ? "set -e\n" : "";
    for (size_t i = 1 + below(3); i > 0; --i) text += statement(1) + "\n";
    return text;
  }
  json tree(int depth) {
    json result = json::object();
    for (const char* name : {"a", "b", "c"}) {
      switch (below(4)) {
        case 0: result[name] = below(3) == 0 ? "f:" : std::string("f:") + name; break;
        case 1: result[name] = depth > 0 ? tree(depth - 1) : json::object(); break;
        default: break;
      }
    }
    return result;
  }

 private:
  size_t below(size_t count) { return random_() % count; }
  std::string pick(std::initializer_list<const char*> list) {
    return *(list.begin() + below(list.size()));
  }
  std::string path() { return pick({"a", "b", "c", "a/b", "b/a", "a/c", "./b", "a/"}); }
  std::string command() {
    switch (below(16)) {
      case 0: return "mkdir " + path();
      case 1: return "mkdir -p " + path();
      case 2: return "rm " + path();
      case 3: return "rm -r " + path();
      case 4: return "rm -f " + path();
      case 5: return "rmdir " + path();
      case 6: return "touch " + path();
      case 7: return "mv " + path() + " " + path();
      case 8: return "cp " + path() + " " + path();
      case 9: return "ln -s " + path() + " " + path();
      case 10: return "echo x > " + path();
      case 11: return "cd " + pick({"a", "b", "..", "a/b"});
      case 12: return "[ -s " + path() + " ]";
      case 13: return "cat " + path() + " > /dev/null";
      case 14: return "x=$(ls " + path() + ") && [ \"$x\" ]";
      default: return "test " + pick({"-e ", "-d ", "-f ", "! -e ", "-L "}) + path();
    }
  }
  std::string statement(int depth) {
    switch (depth > 0 ? below(7) : 0) {
      case 1: return command() + " && " + command();
      case 2: return command() + " || " + command();
      case 3:
        return "if " + command() + "; then " + statement(0) + "; else " + statement(0) + "; fi";
      case 4: return "for i in a b; do " + command() + "; done";
      case 5: return "(" + command() + "; " + command() + ")";
      default: return command();
    }
  }
  std::mt19937 random_;
};

#ifdef NACRE_SANITIZED  // which look for other mistakes, ten times as slowly
constexpr unsigned kScripts = 50;
constexpr unsigned kMergedScripts = 15;
#else
constexpr unsigned kScripts = 500;
constexpr unsigned kMergedScripts = 150;
#endif
constexpr int kTrees = 13;

TEST_CASE("random scripts in random trees are covered by a leaf") {
  size_t pairs = 0;
  size_t uncovered = 0;
  size_t wrong = 0;
  size_t unfinished = 0;
  for (unsigned seed = 0; seed < kScripts; ++seed) {
    ScriptMaker maker(seed);
    const std::string text = maker.script();
    Leaves leaves = leaves_of(text, 1'500);
    if (!leaves.exploration.is_exhaustive) {
      ++unfinished;
      continue;
    }
    for (int i = 0; i < kTrees; ++i) {
      const json before = maker.tree(1);
      World world = open_world();
      Script script = make_script(text, world);
      build(world.tree, script.actor, kBase, before);
      Budget budget;
      Run run = run_once(script, world, budget, {});
      const json after = dump(run.after.tree, script.actor.directory);
      std::string problem = "no leaf";
      for (const Leaf& leaf : leaves.all) {
        Match match(leaf, before);
        if (!match.covers()) continue;
        problem = match.problem(run.status, after);
        if (!problem.empty()) break;
      }
      ++pairs;
      if (problem.empty()) continue;
      uncovered += problem == "no leaf" ? 1 : 0;
      wrong += problem == "no leaf" ? 0 : 1;
      if (uncovered + wrong < 10)
        MESSAGE(fmt::format("{}: {}in {}: {}", seed, text, before.dump(), problem));
    }
  }
  MESSAGE(fmt::format("{} pairs: {} uncovered, {} wrong; {} scripts with too many leaves", pairs,
                      uncovered, wrong, unfinished));
  CHECK(uncovered + wrong == 0);
  CHECK(pairs >= kTrees * kScripts / 2);  // most scripts have few leaves
}

// How the script can end, and what it can leave.
std::set<std::pair<int, std::string>> ends_of(Leaves& leaves) {
  std::set<std::pair<int, std::string>> result;
  for (Leaf& leaf : leaves.all) {
    InodeId id = world::kNoInode;
    if (leaf.after.find(world::Actor(), kBase, true, id) != 0) continue;
    result.emplace(leaf.status, dump(leaf.after, id).dump());
  }
  return result;
}

TEST_CASE("merged runs reach the same ends as all runs") {
  size_t leaves = 0;
  size_t merged_leaves = 0;
  for (unsigned seed = 1000; seed < 1000 + kMergedScripts; ++seed) {
    const std::string text = ScriptMaker(seed).script() + ScriptMaker(seed + 1).script();
    Leaves all = leaves_of(text, 1'000);
    if (!all.exploration.is_exhaustive) continue;
    Leaves merged = leaves_of(text, 1'000, Merge::kYes);
    leaves += all.all.size();
    merged_leaves += merged.all.size();
    CHECK_MESSAGE(ends_of(all) == ends_of(merged), seed, ": ", text);
  }
  MESSAGE(fmt::format("{} runs, {} after merging", leaves, merged_leaves));
  CHECK(merged_leaves < leaves);
}

}  // namespace
}  // namespace nacre::explore
