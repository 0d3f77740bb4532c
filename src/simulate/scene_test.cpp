// Scripts in the simulated world.
#include "simulate/scene.h"

#include <doctest/doctest.h>

namespace nacre::simulate {
namespace {

Outcome sh(std::string script, Scene scene = default_scene()) {
  scene.arguments = {"sh", "-c", std::move(script)};
  return play(scene);
}

TEST_CASE("builtins, pipes, substitutions and files") {
  Outcome outcome = sh("x=$(echo a | cat); echo $x b >f; cat f | cat; (exit 3); echo $?");
  CHECK(outcome.output == "a b\n3\n");
  CHECK(outcome.errors == "");
  CHECK(outcome.status == 0);
  CHECK(outcome.ending == world::Ending::kFinished);
}

TEST_CASE("an endless writer ends when its reader does") {
  CHECK(sh("while true; do echo 5; done | true").ending == world::Ending::kFinished);
  Outcome outcome = sh("while true; do echo 5; done | { read x; echo $((x+42)); }");
  CHECK(outcome.output == "47\n");
}

TEST_CASE("fuel ends what does not end by itself") {
  Scene scene = default_scene();
  scene.limits.fuel = 100'000;
  CHECK(sh("while :; do :; done", scene).ending == world::Ending::kOutOfFuel);
  CHECK(sh("f() { f | f & }; f; wait", scene).ending == world::Ending::kOutOfFuel);
}

}  // namespace
}  // namespace nacre::simulate
