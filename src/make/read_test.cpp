#include "make/read.h"

#include <doctest/doctest.h>

namespace nacre::make {

namespace {

Database read(const std::string& text, bool is_closed = true) {
  ReadOptions options;
  if (is_closed) options.environment.emplace();
  return read_makefile(SourceFile("Makefile", text), options);
}

// The value of `X := TEXT` after `before`.
std::string value(const std::string& text, const std::string& before = "") {
  return read(before + "\nX := " + text + "\n").variables.at("X").value;
}

std::string first_code(const std::string& text) {
  const Database database = read(text);
  return database.findings.empty() ? "" : database.findings[0].code;
}

}  // namespace

TEST_CASE("text functions give what make gives") {
  CHECK(value("$(subst ee,EE,feet on the street)") == "fEEt on the strEEt");
  CHECK(value("$(patsubst %.c,%.o,x.c.c bar.c y.h)") == "x.c.o bar.o y.h");
  CHECK(value("$(A:.c=.o) $(A:%.c=d/%.o)", "A = a.c b.c") == "a.o b.o d/a.o d/b.o");
  CHECK(value("[$(strip  a   b  )]") == "[a b]");
  CHECK(value("$(filter %.c x,a.c x b.h)") == "a.c x");
  CHECK(value("$(filter-out %.c x,a.c x b.h)") == "b.h");
  CHECK(value("$(sort b a c a)") == "a b c");
  CHECK(value("$(word 2,a b c)$(words a b)$(firstword q r)$(lastword q r)") == "b2qr");
  CHECK(value("$(wordlist 2,3,a b c d)") == "b c");
  CHECK(value("$(dir src/a.c b) $(notdir src/a.c b) $(suffix a.c b x/c.o) $(basename a.c x.y/b)") ==
        "src/ ./ a.c b .c .o a x.y/b");
  CHECK(value("$(addprefix p/,a b) $(addsuffix .s,a b) $(join a b,1 2 3)") ==
        "p/a p/b a.s b.s a1 b2 3");
  CHECK(value("$(findstring a,abc)$(findstring z,abc)|") == "a|");
  CHECK(value("$(if ,y,n) $(if x,y,n) $(or ,b) $(and a,,c)|") == "n y b |");
  CHECK(value("$(foreach v,a b,<$(v)>)") == "<a> <b>");
  CHECK(value("$(call rev,1,2)", "rev = $(2) $(1)") == "2 1");
  CHECK(value("$(call subst,a,b,aa)") == "bb");
  CHECK(value("$(origin A) $(flavor A) $(flavor B) $(origin C) $(value A)", "A = $(B)\nB := 1") ==
        "file recursive simple undefined $(B)");
  CHECK(value("$(abspath /a/../b/./c)") == "/b/c");
  CHECK(value("$$ $(D)", "D = $$x") == "$ $x");
  CHECK(value("$($(N)_x)", "N = v\nv_x = 5") == "5");
}

TEST_CASE("flavours: = is late, := is early, += keeps the flavour, ?= asks first") {
  CHECK(read("A = $(B)\nB = 1\nX := $(A)\n").variables.at("X").value == "1");
  CHECK(read("A := $(B)\nB = 1\nX := $(A)\n").variables.at("X").value.empty());
  CHECK(read("A = 1\nA += $(B)\nB = 2\nX := $(A)\n").variables.at("X").value == "1 2");
  CHECK(read("A = 1\nA ?= 2\nB ?= 3\nX := $(A)$(B)\n").variables.at("X").value == "13");
  CHECK(read("CC ?= gcc\nX := $(CC)\n").variables.at("X").value == "cc");
  CHECK(read("A = 1 # c\nX := [$(A)]\n").variables.at("X").value == "[1 ]");
  CHECK(read("A = a\\#b\nX := $(A)\n").variables.at("X").value == "a#b");
}

TEST_CASE("eval defines variables and rules; a line may be a rule by its value") {
  const Database database = read(
      "define rule\n$(1): $(2)\n\tcp $$< $$@\nendef\n$(eval $(call rule,a,b))\nR = c: d\n$(R)\n");
  CHECK(database.is_accepted);
  CHECK(database.targets.contains("a"));
  CHECK(database.targets.contains("c"));
  CHECK(database.rules[0].recipe[0].text == "cp $< $@");
}

TEST_CASE("conditions that are known choose one arm, unknown ones read both") {
  const std::string text = "ifeq ($(V),1)\nA = x\nt: a\nelse\nA = y\nt: b\nendif\n";
  CHECK(read(text).variables.at("A").value == "y");
  CHECK_FALSE(read(text).variables.at("A").is_assumed);
  const Database open = read(text, false);
  CHECK(open.variables.at("A").is_assumed);
  REQUIRE(open.rules.size() == 2);
  CHECK(open.excludes(open.rules[0].arm, open.rules[1].arm));
}

TEST_CASE("without an else the usual case is that nothing was taken") {
  const Database open = read("A = 1\nifdef X\nA = 2\nendif\n", false);
  CHECK(open.variables.at("A").value == "1");
  CHECK(open.variables.at("A").is_assumed);
}

TEST_CASE("rules: static patterns, order-only, double colons, target variables, suffixes") {
  const Database database = read(
      "a.o b.o: %.o: %.c | d\n\tx\nt:: 1\n\tx\nt:: 2\n\ty\nv: X = $(Y)\n.c.o:\n\tcc\n./e: ./f\n");
  CHECK(database.rules[0].target_pattern == "%.o");
  CHECK(database.rules[0].order_only == std::vector<std::string>{"d"});
  CHECK(database.rules[1].is_double_colon);
  CHECK(database.target_variables[0].name == "X");
  CHECK(database.rules[3].is_suffix);
  CHECK(database.targets.contains("e"));
  CHECK(database.default_goal == "a.o");
}

TEST_CASE("what make refuses has a code and a place") {
  CHECK(first_code("foo bar\n") == "M001");
  CHECK(first_code("\tfoo\n") == "M002");
  CHECK(first_code("ifdef A\n") == "M003");
  CHECK(first_code("endif\n") == "M003");
  CHECK(first_code("ifeq (a\nendif\n") == "M003");
  CHECK(first_code("define A\nx\n") == "M004");
  CHECK(first_code("= x\n") == "M004");
  CHECK(first_code("A := $(B\n") == "M005");
  CHECK(first_code("A := $(sort b\n") == "M005");
  CHECK(first_code("a: b\na:: c\n") == "M006");
  CHECK(first_code("a: b: c\n") == "M006");
  CHECK(first_code("A = $(A)\nB := $(A)\n") == "M007");
  CHECK(first_code("A := $(word 0,a)\n") == "M008");
  CHECK(first_code("a:\n  b\n") == "M102");
  CHECK(first_code("a: ;\n$(info x:y)\n$(warning a:b)\n").empty());
}

TEST_CASE("an unknown value silences what depends on it") {
  CHECK(read("$(shell x)\n\ty\n").findings.empty());
  CHECK(read("A := $(shell x)\n$(A): b\n\ty\n").rules[0].has_unknown_targets);
}

TEST_CASE("limits end the work and say so") {
  std::string text = "A0 = xxxxxxxx\n";
  for (int i = 0; i < 60; i++) {
    text += "A" + std::to_string(i + 1) + " = $(A" + std::to_string(i) + ")$(A" +
            std::to_string(i) + ")\n";
  }
  const Database database = read(text + "B := $(A60)\nc:\n\tx\n");
  CHECK(database.is_exhausted);
  CHECK(database.targets.contains("c"));
}

}  // namespace nacre::make
