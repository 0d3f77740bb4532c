// Small Makefiles with a mistake, beside others that look like it and have none: which findings
// they must have (`+CODE`, `+CODE@LINE`) and must not have (`-CODE`).
#include <algorithm>
#include <doctest/doctest.h>
#include <sstream>

#include "make/check.h"

namespace nacre::make {

namespace {

struct Twin {
  const char* expected;
  const char* text;
};

const Twin kTwins[] = {
    {"+M110@3",
     ".PHONY: all\n"
     "all:\n"
     "\tfor x in a b; do echo $x; done\n"},
    {"-M110",
     ".PHONY: all\n"
     "x := 1\n"
     "all:\n"
     "\tfor f in a b; do echo $$f; done; echo $x\n"},
    {"+M110@3",
     ".PHONY: all\n"
     "all:\n"
     "\tname=bob; echo $name\n"},
    {"-M110",
     "out: in\n"
     "\tcp $< $@ && echo $^ $? $* $+ $| $(@D) $%\n"},
    {"+M105",
     "a: b\n"
     "\ttouch a\n"
     "b: c\n"
     "\ttouch b\n"
     "c: a\n"
     "\ttouch c\n"},
    {"+M105",
     "x.o: x.o x.c\n"
     "\tcc -c x.c\n"},
    {"-M105",
     "a: b | c\n"
     "\ttouch a\n"
     "b: c\n"
     "\ttouch b\n"
     "c:\n"
     "\ttouch c\n"},
    {"+M106@3",
     "out: a\n"
     "\tcp a out\n"
     "out: b\n"
     "\tcp b out\n"},
    {"-M106",
     "out:: a\n"
     "\tcp a out\n"
     "out:: b\n"
     "\tcat b >> out\n"
     "dir: x\n"
     "dir: y\n"
     "\tmkdir -p $@\n"},
    {"-M106",
     "ifeq ($(V),1)\n"
     "out: a\n"
     "\tcp a out\n"
     "else\n"
     "out: a\n"
     "\tcp -v a out\n"
     "endif\n"},
    {"+M101@1 +M101@3",
     "clean:\n"
     "\trm -f *.o\n"
     "test:\n"
     "\t./run-tests\n"},
    {"-M101",
     ".PHONY: clean\n"
     "clean:\n"
     "\trm -f *.o\n"
     "prog: prog.c\n"
     "\t$(CC) -o $@ prog.c\n"},
    {"-M101",
     "PHONY += clean\n"
     ".PHONY: $(PHONY)\n"
     "clean:\n"
     "\trm -f *.o\n"},
    {"-M101",
     "build:\n"
     "\tmkdir -p build\n"},
    {"+M112@3",
     ".PHONY: sub\n"
     "sub:\n"
     "\tcd lib && make all\n"},
    {"+M112@3",
     ".PHONY: sub\n"
     "sub:\n"
     "\tmake -C lib all\n"},
    {"-M112",
     ".PHONY: sub\n"
     "sub:\n"
     "\t+$(MAKE) -C lib all\n"
     "\t@echo \"run make all\"\n"},
    {"+M107@1",
     "prog: prog.c\n"
     "\tcc -o program prog.c\n"},
    {"-M107",
     "prog: prog.c\n"
     "\tcc -o $@ prog.c\n"
     "\tstrip prog\n"},
    {"+M111",
     "data.txt: gen\n"
     "\t./gen > data.txt\n"},
    {"-M111",
     ".DELETE_ON_ERROR:\n"
     "data.txt: gen\n"
     "\t./gen > data.txt\n"},
    {"-M111",
     "data.txt: gen\n"
     "\t./gen > $@.tmp\n"
     "\tmv $@.tmp $@\n"},
    {"+M108",
     "all: a b\n"
     "a:\n"
     "\techo a > shared.txt\n"
     "\ttouch a\n"
     "b:\n"
     "\techo b > shared.txt\n"
     "\ttouch b\n"
     ".PHONY: all\n"},
    {"-M108",
     "all: a b\n"
     "a:\n"
     "\techo a > shared.txt\n"
     "\ttouch a\n"
     "b: a\n"
     "\techo b >> shared.txt\n"
     "\ttouch b\n"
     ".PHONY: all\n"},
    {"-M108",
     ".NOTPARALLEL:\n"
     "all: a b\n"
     "a:\n"
     "\techo a > shared.txt\n"
     "\ttouch a\n"
     "b:\n"
     "\techo b > shared.txt\n"
     "\ttouch b\n"
     ".PHONY: all\n"},
    {"+M109@3",
     ".PHONY: doc\n"
     "doc:\n"
     "\tcd doc\n"
     "\tpdflatex manual.tex\n"},
    {"-M109",
     ".PHONY: doc\n"
     ".ONESHELL:\n"
     "doc:\n"
     "\tcd doc\n"
     "\tpdflatex manual.tex\n"},
    {"-M109",
     ".PHONY: doc\n"
     "doc:\n"
     "\tcd doc && pdflatex manual.tex\n"},
    {"+M102@3",
     ".PHONY: all\n"
     "all:\n"
     "        echo hi\n"},
    {"-M102 -M001",
     ".RECIPEPREFIX = >\n"
     ".PHONY: all\n"
     "all:\n"
     "> echo hi\n"},
    {"-M103",
     "NOW := $(shell date +%s)\n"
     "out:\n"
     "\techo $(NOW) > $@\n"},
    {"+M114",
     "CFLAGS_EXTRA = -O2\n"
     "prog: prog.c\n"
     "\tcc $(CFLAG_EXTRA) -o $@ prog.c\n"},
    {"-M114",
     "prog: prog.c\n"
     "\tcc $(EXTRA) -o $@ prog.c\n"},
    {"+M115@1",
     "DIR = build   # where it goes\n"
     "$(DIR)/x:\n"
     "\ttouch $(DIR)/x\n"},
    {"+M001@2",
     "A = 1\n"
     "this is no rule\n"
     "clean: ; rm -f x\n"},
    {"+M003@1",
     "ifdef X\n"
     "A = 1\n"},
    {"+M003@2",
     "A = 1\n"
     "endif\n"},
    {"+M004@1",
     "define X\n"
     "foo\n"},
    {"+M007",
     "A = $(A) x\n"
     ".PHONY: all\n"
     "all:\n"
     "\techo $(A)\n"},
    {"-M007",
     "A = 1\n"
     "A += $(B)\n"
     "B := $(A) 2\n"
     ".PHONY: all\n"
     "all:\n"
     "\techo $(A)\n"},
    {"+M121@1",
     "a.h a.c: a.y\n"
     "\tbison -o a.c --defines=a.h a.y\n"},
    {"-M121",
     "a.h a.c &: a.y\n"
     "\tbison -o a.c --defines=a.h a.y\n"},
    {"-M121",
     "%.tab.h %.tab.c: %.y\n"
     "\tbison -d $<\n"},
    {"+M120",
     ".PHONY: gen\n"
     "gen:\n"
     "\t./gen\n"
     "out.txt: gen\n"
     "\tsort in.txt > out.txt\n"},
    {"-M120",
     ".PHONY: gen\n"
     "gen:\n"
     "\t./gen\n"
     "out.txt: in.txt | gen\n"
     "\tsort in.txt > out.txt\n"},
    {"+M119@1",
     "CC ?= clang\n"
     "prog: prog.c\n"
     "\t$(CC) -o $@ prog.c\n"},
    {"-M002 -M102",
     "ifeq ($(OS),Windows_NT)\n"
     "\tEXE = .exe\n"
     "endif\n"
     "prog$(EXE): prog.c\n"
     "\tcc -o $@ $<\n"},
    {"+M002@1",
     "\techo hi\n"
     "all: ; @true\n"},
    {"-M110 -M101 -M007",
     "define rule\n"
     "$(1).o: $(1).c\n"
     "\t$$(CC) -c -o $$@ $$<\n"
     "endef\n"
     "$(foreach f,a b,$(eval $(call rule,$(f))))\n"},
};

bool is_reported(const std::vector<Diagnostic>& findings, std::string_view code, uint32_t line) {
  return std::any_of(findings.begin(), findings.end(), [&](const Diagnostic& each) {
    const bool has_name = each.code == code || std::find(each.aliases.begin(), each.aliases.end(),
                                                         code) != each.aliases.end();
    return has_name && (line == 0 || each.file.line_of(each.span.begin) == line);
  });
}

}  // namespace

TEST_CASE("mistakes are told from what looks like them") {
  const commands::CardLibrary cards;
  for (const Twin& twin : kTwins) {
    const SourceFile file("Makefile", twin.text);
    const auto findings = check(file, cards, {}).findings;
    std::istringstream expected(twin.expected);
    for (std::string word; expected >> word;) {
      const size_t at = word.find('@');
      const uint32_t line =
          at == std::string::npos ? 0 : static_cast<uint32_t>(std::stoul(word.substr(at + 1)));
      INFO(word << "\n" << twin.text);
      CHECK(is_reported(findings, word.substr(1, at == std::string::npos ? at : at - 1), line) ==
            (word[0] == '+'));
    }
  }
}

}  // namespace nacre::make
