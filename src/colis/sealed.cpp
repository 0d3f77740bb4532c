#include "colis/sealed.h"

#include "simulate/scene.h"
#include "world/tree_diff.h"

namespace nacre::colis {

namespace {

// Every name that is looked up is absent, and that it was looked up is remembered.
class Watch final : public world::Oracle {
 public:
  std::optional<world::NewNode> entry(const std::string& path, world::Use) override {
    // Where the shell looks for itself and for its start-up files.
    was_looked_at = was_looked_at || !path.starts_with("/usr/bin/");
    return std::nullopt;
  }
  std::vector<std::string> names(const std::string&) override { return {}; }
  std::vector<std::pair<std::string, world::NewNode>> others(
      const std::string&, const std::vector<std::string>&) override {
    was_looked_at = true;
    return {};
  }
  std::string contents(const std::string&) override {
    was_looked_at = true;
    return "";
  }
  bool was_looked_at = false;
};

const world::FileTree& system_tree() {
  static const world::FileTree kTree = [] {
    world::FileTree tree;
    simulate::complete_system(tree);
    const world::Actor root;
    for (const char* path : {"/", "/etc", "/tmp", "/usr"}) {
      world::InodeId id = world::kNoInode;
      if (tree.find(root, path, true, id) == 0) tree.open_up(id, path);
    }
    return tree;
  }();
  return kTree;
}

// A world in which the working directory is known, and nothing in it. False: a path cannot be made.
bool add_directory(world::FileTree& tree, const std::string& cwd) {
  const world::Actor root;
  for (size_t end = cwd.find('/', 1);; end = cwd.find('/', end + 1)) {
    const std::string path = cwd.substr(0, end);
    world::InodeId id = world::kNoInode;
    if (tree.find(root, path, false, id) != 0) {
      tree.make_directory(root, path, 0755);
      if (tree.find(root, path, false, id) != 0) return false;
    }
    if (tree.at(id).kind != world::FileKind::kDirectory) return false;
    tree.open_up(id, path);
    if (end == std::string::npos) return true;
  }
}

// Without operands a command may tell something of the system (uname, id, hostname), unless its
// input is what it is about.
bool may_be_sealed(const UtilityCall& call) {
  const commands::Card* card = simulate::builtin_library().find(call.name);
  if (card == nullptr) return !call.arguments.empty();
  if (card->has_property(commands::CardKey::kAsks)) return false;
  return !call.arguments.empty() || card->has_property(commands::CardKey::kReads, "operands") ||
         card->has_property(commands::CardKey::kReads, "input");
}

}  // namespace

std::optional<SimulatedCall> call_sealed(const UtilityCall& call, const std::string& cwd,
                                         const std::vector<std::string>& environment,
                                         const std::string& input, uint64_t fuel) {
  if (!may_be_sealed(call)) return std::nullopt;
  world::FileTree tree = system_tree();
  if (!add_directory(tree, cwd)) return std::nullopt;
  Watch watch;
  tree.set_oracle(&watch);
  std::vector<std::string> plain;
  for (const std::string& one : environment) {
    if (!one.starts_with("PATH=")) plain.push_back(one);
  }
  SimulatedCall run = simulate_call(call, tree, cwd, plain, input, fuel);
  run.tree.set_oracle(nullptr);
  tree.set_oracle(nullptr);
  const bool is_pure = run.is_known && run.is_finished && !run.asked_the_time &&
                       !watch.was_looked_at && world::compare(tree, run.tree).empty();
  if (!is_pure) return std::nullopt;
  return run;
}

}  // namespace nacre::colis
