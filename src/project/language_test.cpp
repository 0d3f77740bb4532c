#include "project/language.h"

#include <doctest/doctest.h>

using namespace nacre::project;

TEST_CASE("languages are known by name") {
  for (const char* name : {"a.sh", "dir/x.bash", ".bashrc", "Dockerfile.sh", "Makefile.ksh"})
    CHECK(language_by_name(name) == Language::kShell);
  for (const char* name : {"Makefile", "GNUmakefile", "rules.mk", "Makefile.in", "x/makefile.am"})
    CHECK(language_by_name(name) == Language::kMakefile);
  for (const char* name : {"Dockerfile", "Containerfile", "Dockerfile.test", "web.dockerfile"})
    CHECK(language_by_name(name) == Language::kDockerfile);
  CHECK(language_by_name("a.py") == Language::kPython);
  for (const char* name : {"a.txt", "Makefilex", ".sh", "sh", "a.sh/", "", "my.Dockerfile~",
                           "Dockerfile.md", "Makefile.orig", "Dockerfile.dockerignore"})
    CHECK_FALSE(language_by_name(name));
}

TEST_CASE("the first line is stronger than the name") {
  CHECK(language_of("a.py", "#!/bin/sh\n") == Language::kShell);
  CHECK(language_of("tool", "#!/usr/bin/env python3.11\n") == Language::kPython);
  CHECK(language_of("tool", "#!/usr/bin/make -f\n") == Language::kMakefile);
  CHECK(!language_of("a.sh", "#!/usr/bin/perl\n"));
  CHECK(foreign_language("a.sh", "#!/usr/bin/perl\n") == "perl");
  CHECK_FALSE(language_of("tool", "#!/usr/bin/perl\n"));
}
