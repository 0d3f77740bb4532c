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

TEST_CASE("twenty stages pass everything on") {
  std::string script = "seq 20000";
  for (int i = 0; i < 18; ++i) script += " | cat";
  Outcome outcome = sh(script + " | tail -n 1");
  CHECK(outcome.output == "20000\n");
}

TEST_CASE("memory is bounded") {
  Scene scene = default_scene();
  scene.limits.memory = size_t{4} << 20;
  for (const std::string script :
       {"yes | sort", "cat /dev/zero | sed p", "yes | awk '{ a[NR] = $0 }'",
        "yes | tail -n 9999999", "sed ':a;G;h;ba' /etc/passwd",
        "x=aaaaaaaa; while :; do x=$x$x; done", "x=$(cat /dev/zero | tr '\\0' a)",
        "x=$(while :; do echo aaaaaaaaaaaaaaaa; done)", "tr '\\0' a </dev/zero | read x",
        "set -- aaaaaaaa; while :; do set -- \"$@\" \"$@\"; done",
        "f() { f \"$@\" \"$@\"; }; f aaaaaaaa"}) {
    CAPTURE(script);
    Outcome outcome = sh(script, scene);
    CHECK(outcome.memory_ran_out);
    CHECK(outcome.ending == world::Ending::kFinished);
    CHECK(describe(outcome, scene).find("more memory than the 4 MB") != std::string::npos);
  }
}

TEST_CASE("a shell without memory for a child says that it cannot fork") {
  Scene scene = default_scene();
  scene.limits.memory = size_t{4} << 20;
  Outcome outcome =
      sh("x=0123456789abcdef; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do x=$x$x; done; "
         "for i in 1 2 3 4; do { sleep 1; : $x; } & done; wait",
         scene);
  CHECK(outcome.errors.find("cannot fork") != std::string::npos);
}

TEST_CASE("a world that is full refuses to write") {
  Scene scene = default_scene();
  scene.tree.max_bytes = size_t{1} << 20;
  Outcome outcome = sh("cat /dev/zero >f; echo $?; rm f; echo x >g; cat g", scene);
  CHECK(outcome.output == "1\nx\n");
  CHECK(outcome.errors.find("No space left on device") != std::string::npos);
}

TEST_CASE("a label of sed ends where GNU sed ends it") {
  CHECK(sh("echo foo | sed ':a;s/o/0/;ta'").output == "f00\n");
  CHECK(sh("echo foo | sed '{:a;s/o/0/;ta}'").output == "f00\n");
  CHECK(sh("echo foo | sed ':a b;s/o/0/'").output == "foo\n");
}

TEST_CASE("fuel ends what does not end by itself") {
  Scene scene = default_scene();
  scene.limits.fuel = 100'000;
  CHECK(sh("while :; do :; done", scene).ending == world::Ending::kOutOfFuel);
  CHECK(sh("f() { f | f & }; f; wait", scene).ending == world::Ending::kOutOfFuel);
}

}  // namespace
}  // namespace nacre::simulate
