#include "remake/run_make.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include "remake/verify_make.h"

namespace nacre::remake {

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

simulate::Scene scene_with(const Files& files) {
  simulate::Scene scene = simulate::default_scene();
  for (const auto& [name, text] : files) {
    world::InodeId id = world::kNoInode;
    REQUIRE(scene.tree.open(scene.actor, name, O_WRONLY | O_CREAT, 0644, id) == 0);
    scene.tree.write(scene.actor, id, 0, text);
  }
  return scene;
}

MakeOutcome run(const std::string& text, const Files& files, const MakeCall& call = {}) {
  const commands::CardLibrary cards;
  return run_make(SourceFile("Makefile", text), scene_with(files), cards, call);
}

Verdict verdict(const std::string& text, const Files& files, std::string_view property) {
  const commands::CardLibrary cards;
  const MakeReport report = verify_make(SourceFile("Makefile", text), scene_with(files), cards, {});
  for (const Property& each : report.properties) {
    if (each.property == property) return each.verdict;
  }
  return Verdict::kOpen;
}

const std::string kChain = "c: b\n\tcp b c\nb: a\n\tcp a b\n";

}  // namespace

TEST_CASE("what is needed is made first, and only what is old") {
  const MakeOutcome first = run(kChain, {{"a", "1"}});
  CHECK(first.status == 0);
  CHECK(first.ran == std::vector<std::string>{"b", "c"});
  CHECK(first.output == "cp a b\ncp b c\n");
  const commands::CardLibrary cards;
  simulate::Scene scene = scene_with({});
  scene.tree = first.tree;
  CHECK(run_make(SourceFile("Makefile", kChain), scene, cards, {}).ran.empty());
}

TEST_CASE("variables, functions and automatic variables have their values") {
  CHECK(run("N := $(shell echo 3)\nS := $(wildcard *.t)\nall: x.t\n\t@echo $(N) $(S) $@ $< $(V)\n",
            {{"x.t", ""}, {"y.t", ""}}, {.variables = {{"V", "7"}}})
            .output == "3 x.t y.t all x.t 7\n");
}

TEST_CASE("pattern rules, suffix rules and the built-in ones are found") {
  CHECK(run("all: x.o\n%.o: %.t\n\tcp $< $@\n", {{"x.t", ""}}).ran ==
        std::vector<std::string>{"x.o"});
  CHECK(run("x.o:\n.SUFFIXES: .t .o\n.t.o:\n\tcp $< $@\n", {{"x.t", ""}}).ran ==
        std::vector<std::string>{"x.o"});
  const MakeOutcome built = run("prog: main.o\n\tgcc -o prog main.o\n", {{"main.c", ""}});
  CHECK(built.ran == std::vector<std::string>{"main.o", "prog"});
  CHECK(built.uninterpreted == std::vector<std::string>{"cc", "gcc"});
}

TEST_CASE("errors stop make, a dash does not") {
  CHECK(run("a:\n\tfalse\n\techo x\n", {}).status == 2);
  CHECK(run("a:\n\t-false\n\t@echo x\n", {}).output == "false\nx\n");
  CHECK(run("a: missing\n", {}).status == 2);
  CHECK(run("a::\n\t@echo 1\na::\n\t@echo 2\n", {}).output == "1\n2\n");
}

TEST_CASE("a second make that works again is refuted with its target") {
  CHECK(verdict(kChain, {{"a", "1"}}, "second-make") == Verdict::kProved);
  CHECK(verdict("x: a\n\tcp a y\n", {{"a", "1"}}, "second-make") == Verdict::kRefuted);
}

TEST_CASE("idempotence: the second run succeeds and changes nothing") {
  CHECK(verdict("a:\n\tmkdir -p d\n", {}, "idempotence") == Verdict::kProved);
  CHECK(verdict("a:\n\tmkdir d\n", {}, "idempotence") == Verdict::kRefuted);
  CHECK(verdict("a:\n\techo x >> log\n", {}, "idempotence") == Verdict::kRefuted);
}

TEST_CASE("what a command without a model does is not guessed") {
  CHECK(verdict("x:\n\tnpm run build\n", {}, "second-make") == Verdict::kOpen);
  CHECK(verdict("x:\n\tnpm run build\n\tmkdir d\n", {}, "idempotence") == Verdict::kOpen);
  CHECK(verdict("x: a\n\tgcc -o x a\n", {{"a", ""}}, "second-make") == Verdict::kProved);
  CHECK(verdict("x: a\n\tgcc -o x a\n", {{"a", ""}}, "determinism") == Verdict::kOpen);
}

TEST_CASE("the clock and the process id are looked for") {
  CHECK(verdict("x:\n\tdate > x\n", {}, "determinism") == Verdict::kRefuted);
  CHECK(verdict("D := $(shell date)\nx:\n\techo $(D) > x\n", {}, "determinism") ==
        Verdict::kRefuted);
  CHECK(verdict("x:\n\techo $$$$ > x\n", {}, "determinism") == Verdict::kOpen);
  CHECK(verdict(kChain, {{"a", "1"}}, "determinism") == Verdict::kProved);
}

// The second case study of the specification.
TEST_CASE("a Makefile that makes its directory again") {
  const Files files = {{"main.c", ""}};
  const std::string tail = "\tgcc -o bin/app *.c\n";
  CHECK(verdict("build:\n\tmkdir bin\n" + tail, files, "idempotence") == Verdict::kRefuted);
  CHECK(verdict(
            ".PHONY: build clean\nbuild:\n\tmkdir -p bin\n" + tail + "\nclean:\n\trm -f bin/app\n",
            files, "idempotence") == Verdict::kProved);
}

TEST_CASE("orders of -j: writers of one file disagree, ordered ones do not") {
  const std::string writers = "all: a b\na:\n\techo a >> log\nb:";
  CHECK(verdict(writers + "\n\techo b >> log\n", {}, "parallel") == Verdict::kRefuted);
  CHECK(verdict(writers + " a\n\techo b >> log\n", {}, "parallel") == Verdict::kProved);
  CHECK(verdict(writers + "\n\techo b >> log\n.NOTPARALLEL:\n", {}, "parallel") ==
        Verdict::kProved);
  // A file that another recipe happens to have made before.
  CHECK(verdict("all: a b\na:\n\techo 1 > x\n\tcp x a\nb:\n\tcp x b\n", {}, "parallel") ==
        Verdict::kRefuted);
  CHECK(verdict("all: a b\na:\n\techo 1 > a\nb:\n\techo 2 > b\n", {}, "parallel") ==
        Verdict::kProved);
}

}  // namespace nacre::remake
