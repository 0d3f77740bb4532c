// Facts about the real utilities: a command line, a small tree before, status and tree after. Each
// is run in a simulated world.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "simulate/scene.h"
#include "simulate/testing/json_tree.h"

namespace nacre::simulate {
namespace {

using nlohmann::json;
using testing::build;
using testing::dump;

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
