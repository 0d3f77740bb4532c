#include "make/purify.h"

#include <doctest/doctest.h>

namespace nacre::make {

namespace {

std::string purified(const std::string& text) {
  const commands::CardLibrary cards;
  const Purified result = purify(SourceFile("x.mk", text), cards, {});
  if (!result.refused.empty()) return "refused";
  const Purified again = purify(SourceFile("x.mk", result.text), cards, {});
  CHECK(again.text == result.text);  // a fixed point
  return result.text;
}

const std::string kHead = ".PHONY: a\na:\n";

}  // namespace

TEST_CASE("commands that fail the second time get their option") {
  CHECK(purified(kHead + "\t@-mkdir d\n") == kHead + "\t@-mkdir -p d\n");
  CHECK(purified(kHead + "\trm -r d\n") == kHead + "\trm -rf d\n");
  CHECK(purified(kHead + "\tln -s x y\n") == kHead + "\tln -sfn x y\n");
  CHECK(purified(kHead + "\tmkdir d && rm x\n") == kHead + "\tmkdir -p d && rm -f x\n");
}

TEST_CASE("a status that is tested is left alone") {
  for (const char* line : {"\tif mkdir d; then echo mine; fi\n", "\tmkdir d || echo there\n",
                           "\tmkdir l\n\techo\n\trmdir l\n", "\t! rm x\n"}) {
    CHECK(purified(kHead + line) == kHead + line);
  }
}

TEST_CASE("only bytes of the file are changed: no text, no value of a variable") {
  CHECK(purified(kHead + "\techo 'please rm x'\n") == kHead + "\techo 'please rm x'\n");
  CHECK(purified("M = mkdir d\n" + kHead + "\t$(M)\n") == "M = mkdir d\n" + kHead + "\t$(M)\n");
  CHECK(purified(kHead + "\tgit rm x\n") == kHead + "\tgit rm x\n");
}

TEST_CASE("lists are sorted, each pattern alone, and where the order counts") {
  CHECK(purified("A := $(wildcard *.c)\n") == "A := $(sort $(wildcard *.c))\n");
  CHECK(purified("A := $(wildcard b*.c a*.c)\n") ==
        "A := $(sort $(wildcard b*.c)) $(sort $(wildcard a*.c))\n");
  CHECK(purified("A := ${wildcard *.c}\n") == "A := ${sort ${wildcard *.c}}\n");
  for (const char* text : {"A := $(sort $(wildcard *.c))\n", "A := $(firstword $(wildcard z a))\n",
                           "ifneq ($(wildcard x),)\nendif\n", "A := $(words $(wildcard *.c))\n"}) {
    CHECK(purified(text) == text);
  }
}

TEST_CASE("the clock and the host come from outside") {
  CHECK(purified("A := $(shell date +%s)\n") == "A := $(or $(SOURCE_DATE_EPOCH),0)\n");
  CHECK(purified(kHead + "\tdate > v\n") == kHead + "\techo \"$${SOURCE_DATE_EPOCH:-0}\" > v\n");
  CHECK(purified("A := $(shell date -r f)\n") == "A := $(shell date -r f)\n");
  CHECK(purified(kHead + "\techo $$RANDOM\n") == "refused");
}

TEST_CASE("actions become phony, files do not") {
  CHECK(purified("test:\n\t@echo x\n") == ".PHONY: test\ntest:\n\t@echo x\n");
  CHECK(purified("# about\ntest:\n\t@echo x\n") == ".PHONY: test\n# about\ntest:\n\t@echo x\n");
  CHECK(purified("prog: prog.o\n") == "prog: prog.o\n");
}

TEST_CASE("clean removes what recipes make under a known name, and comes last") {
  CHECK(purified("build:\n\tmkdir bin\n\tgcc -o bin/app src/*.c\n") ==
        ".PHONY: build\nbuild:\n\tmkdir -p bin\n\tgcc -o bin/app src/*.c\n\n.PHONY: "
        "clean\nclean:\n\trm -f "
        "bin/app\n");
}

TEST_CASE("a Makefile that make refuses is refused") { CHECK(purified("foo bar\n") == "refused"); }

}  // namespace nacre::make
