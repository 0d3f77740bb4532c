// Facts about the real utilities: a command line, a small tree before, status and tree after. Each
// is run in a simulated world.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "simulate/scene.h"

namespace nacre::simulate {
namespace {

using nlohmann::json;
using world::FileKind;
using world::FileTree;
using world::InodeId;

// {"a": {}, "b": "f:contents", "c": "l:target"} below `path`.
void build(FileTree& tree, const world::Actor& actor, const std::string& path,
           const json& entries) {
  for (const auto& [name, value] : entries.items()) {
    std::string child = path + "/" + name;
    if (value.is_object()) {
      REQUIRE(tree.make_directory(actor, child, 0755) == 0);
      build(tree, actor, child, value);
      continue;
    }
    std::string text = value.get<std::string>();
    if (text.starts_with("l:")) {
      REQUIRE(tree.make_symbolic_link(actor, text.substr(2), child) == 0);
      continue;
    }
    InodeId id = world::kNoInode;
    REQUIRE(tree.open(actor, child, O_WRONLY | O_CREAT, 0644, id) == 0);
    tree.write(actor, id, 0, text.substr(2));
  }
}

json dump(FileTree& tree, InodeId directory) {
  json result = json::object();
  for (const auto& [name, id] : tree.entries(directory)) {
    switch (tree.at(id).kind) {
      case FileKind::kDirectory: result[name] = dump(tree, id); break;
      case FileKind::kLink: result[name] = "l:" + tree.bytes(id); break;
      default: result[name] = "f:" + tree.bytes(id);
    }
  }
  return result;
}

TEST_CASE("the facts about the real utilities hold") {
  std::ifstream facts(NACRE_SOURCE_DIR "/../shared/corpora/utilities-ground-truth.jsonl");
  if (!facts) {
    MESSAGE("skipped: the facts are not there");
    return;
  }
  Scene base = default_scene();
  REQUIRE(base.tree.make_directory(base.actor, "/home/user/t", 0755) == 0);
  REQUIRE(enter(base, "/home/user/t") == 0);
  int count = 0;
  int held = 0;
  for (std::string line; std::getline(facts, line);) {
    json fact = json::parse(line);
    Scene scene = base;
    build(scene.tree, scene.actor, "/home/user/t", fact["before"]);
    scene.arguments = {"sh", "-c", fact["cmd"].get<std::string>()};
    Outcome outcome = play(scene);
    json expected = fact["after"] == "same" ? fact["before"] : fact["after"];
    json after = dump(outcome.tree, scene.actor.directory);
    bool holds = outcome.status == fact["rc"].get<int>() && after == expected;
    ++count;
    held += holds ? 1 : 0;
    if (!holds && count - held < 20) {
      MESSAGE(fmt::format("{}\n  status {}, not {}; {}  tree {}\n  not  {}", line.substr(0, 90),
                          outcome.status, fact["rc"].get<int>(), outcome.errors, after.dump(),
                          expected.dump()));
    }
  }
  MESSAGE(fmt::format("{} of {} facts hold", held, count));
  CHECK(held == count);
}

}  // namespace
}  // namespace nacre::simulate
