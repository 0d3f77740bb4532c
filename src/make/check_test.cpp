#include "make/check.h"

#include <doctest/doctest.h>

namespace nacre::make {

namespace {

std::string codes(const std::string& text, const std::string& name = "x.mk") {
  const commands::CardLibrary cards;
  std::string result;
  for (const Diagnostic& each : check(SourceFile(name, text), cards, {}).findings) {
    if (!result.empty()) result += ' ';
    result += each.code;
  }
  return result;
}

}  // namespace

TEST_CASE("what others wrongly report of Makefiles is silent") {
  // .PHONY over several lines
  CHECK(codes(".PHONY: all \\\n  clean\nall:\n\techo\nclean:\n\trm -f x\n").empty());
  // colons in functions and definitions
  CHECK(codes("$(error_if a:b)\ndefine M\na: b\nendef\n").empty());
  // recipes after comments and within conditionals
  CHECK(codes("out: in\n# note\n\tcp in out\nifdef X\n\ttouch out\nendif\n").empty());
  // rules with nothing but prerequisites
  CHECK(codes("foo.o: foo.h\nall: foo.o\n").empty());
  // directories and files that a command makes under their name
  CHECK(codes("dep:\n\tgit clone https://example.org/dep.git dep\n").empty());
  CHECK(codes("node_modules: package.json\n\tnpm install\n").empty());
}

TEST_CASE("recipes of arms that exclude each other are no second ones") {
  CHECK(codes("ifdef X\na.o:\n\tcp x $@\nelse\na.o:\n\tcp y $@\nendif\n").empty());
  CHECK(codes("a.o:\n\tcp x $@\na.o:\n\tcp y $@\n") == "M106");
}

TEST_CASE("M110 knows make's variables from the shell's") {
  CHECK(codes("a.o:\n\tfor f in 1; do cp $f $@; done\n") == "M110");
  CHECK(codes("a.o:\n\tawk '{print $1}' in > a.o\n.DELETE_ON_ERROR:\n") == "M110");
  CHECK(codes("f = x\na.o:\n\tcp $f $@\n").empty());
  CHECK(codes("a.o: b\n\tcp $< $@; cp $^ out/$(@D)\n").empty());
}

TEST_CASE("M109 looks at lines, and not under .ONESHELL") {
  CHECK(codes("a.o:\n\tcd x\n\tcp b $@\n") == "M109");
  CHECK(codes("a.o:\n\tcd x; ls; cd ..\n\tcp b $@\n").empty());
  CHECK(codes(".ONESHELL:\na.o:\n\tcd x\n\tcp b $@\n").empty());
}

TEST_CASE("shell mistakes in recipes have their place in the Makefile") {
  const commands::CardLibrary cards;
  const SourceFile file("x.mk", "a.o:\n\t@cp b $@ && if true; then\n");
  const CheckResult result = check(file, cards, {});
  REQUIRE_FALSE(result.findings.empty());
  CHECK(result.findings[0].code.starts_with("S01"));
  CHECK(file.line_of(result.findings[0].span.begin) == 2);
}

TEST_CASE("a script with the name of an action does not make a file of that name") {
  CHECK(codes("deploy:\n\t./scripts/deploy.sh prod\n") == "M101");
  CHECK(codes("test:\n\t./run-test --all\n") == "M101");
  CHECK(codes("install:\n\t./gen --to bin/install\n").empty());
}

TEST_CASE("an assignment in the value of a variable is not looked for in the recipe") {
  CHECK(codes("E=CGO_ENABLED=0\na.o: a.go\n\t$(E) g").empty());
  CHECK(codes("E=CGO_ENABLED=0 A=B\na.o: a.go\n\t$(E)").empty());
}

TEST_CASE("a here-document in a recipe ends with its line, but under .ONESHELL") {
  const std::string rule = ".PHONY: a\na:\n\tcat <<E";
  CHECK(codes(rule + "\n\ttrue\n") == "S013");
  CHECK(codes(rule + "; \\\n\ttrue\n") == "S013");
  CHECK(codes(".ONESHELL:\n" + rule + "\n\ttrue\n\tE\n").empty());
}

TEST_CASE("M111 counts on commands that can fail half-way") {
  CHECK(codes("stamp.d: in\n\tdate -u > $@\n").empty());
  CHECK(codes("stamp.d: in\n\techo done > $@\n").empty());
  CHECK(codes("out.d: in\n\tsort in > $@\n") == "M111");
}

TEST_CASE("M116 is about what is built, not about messages and conditions") {
  const std::string now = "now := $(shell date)\n";
  CHECK(codes(now + "v.h:\n\techo '$(now)' > $@\n") == "M116");
  CHECK(codes(now + "flags = -DNOW=$(now)\na.o:\n\tcc $(flags) -c -o $@ a.c\n") == "M116");
  CHECK(codes(now + "app-$(now).tar:\n\ttar cf $@ src\n") == "M116");
  CHECK(codes("export " + now) == "M116");
  CHECK(codes(now + ".PHONY: all\nall:\n\t@echo built at $(now)\n").empty());
  CHECK(codes(now + "re = ($(now))\n.PHONY: news\nnews:\n\ttest -n '$(re)'\n").empty());
  CHECK(codes(now + "ifeq ($(now),)\n$(error no date)\nendif\n").empty());
}

TEST_CASE("M120 does not speak of what is remade on purpose") {
  const std::string prog = "prog: clean\n\tcc -o prog main.c\n.PHONY: clean fetch\n";
  CHECK(codes(prog + "clean:\n\trm -f prog *.o\n").empty());
  CHECK(codes("prog: fetch\n\tcc -o prog main.c\n.PHONY: fetch\nfetch:\n\t./fetch\n") == "M120");
}

TEST_CASE("a Makefile for another program has one finding") {
  CHECK(codes(".if x\nA=1\n.else\nA=2\n.endif\n") == "M010");
  CHECK(codes("!IF x\nA=1\n!ENDIF\n") == "M010");
  CHECK(codes("a.exe:\n\tlink @<<\n$?\n<<\n") == "M010");
  CHECK(codes("a.exe:\n\tlink @<<KEEP\nb.obj\n<<KEEP\n") == "M010");
}

TEST_CASE("a program that is made under another name is no action") {
  CHECK(codes("prog: prog.c\n\tcc -o program prog.c\n") == "M107");
  CHECK(codes("prog: src/prog.c\n\tcc -o bin/prog src/prog.c\n") == "M107");
  CHECK(codes("prog: prog.c\n\tcc -o prog prog.c\n").empty());
  CHECK(codes("doc: doc.md\n\tcp doc.md doc.html\n") == "M101");
  CHECK(codes("dist: main.c\n\tcp main.c copy.c\n") == "M101");
  CHECK(codes("install: install.sh\n\tcp install.sh run.sh\n") == "M101");
}

TEST_CASE("M114 is about a name that is set one letter away") {
  CHECK(codes("CFLAGS_EXTRA = -O2\na.o: a.c\n\tcc $(CFLAG_EXTRA) -c -o $@ a.c\n") == "M114");
  CHECK(codes("EXTRA2 = -O2\na.o: a.c\n\tcc $(EXTRA3) -c -o $@ a.c\n").empty());
  CHECK(codes("TARGETS = x\na.o: a.c\n\tcc -D$(TARGET) -c -o $@ a.c\n").empty());
}

}  // namespace nacre::make
