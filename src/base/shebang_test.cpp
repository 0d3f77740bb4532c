#include "base/shebang.h"

#include <doctest/doctest.h>

using nacre::interpreter_of;

TEST_CASE("the interpreter is seen through env and busybox") {
  CHECK(interpreter_of("#!/bin/sh\nx") == "sh");
  CHECK(interpreter_of("#! /bin/bash -eu\r\n") == "bash");
  CHECK(interpreter_of("#!/usr/bin/env bash") == "bash");
  CHECK(interpreter_of("#!/usr/bin/env -S bash -e") == "bash");
  CHECK(interpreter_of("#!/usr/bin/env -Sdash -e") == "dash");
  CHECK(interpreter_of("#!/usr/bin/env -i -u X A=b /opt/ksh -e") == "ksh");
  CHECK(interpreter_of("#!/bin/busybox sh") == "sh");
  CHECK(interpreter_of("#!/usr/bin/env busybox ash") == "ash");
  CHECK(interpreter_of("\xEF\xBB\xBF#!/bin/sh") == "sh");
}

TEST_CASE("nix-shell has a line of its own") {
  CHECK(interpreter_of("#!/usr/bin/env nix-shell\n#! nix-shell -i bash -p jq\n") == "bash");
  CHECK(interpreter_of("#!/usr/bin/env nix-shell\necho a\n") == "nix-shell");
  CHECK(interpreter_of("#!/usr/bin/env nix-shell") == "nix-shell");
}

TEST_CASE("no interpreter, no name") {
  CHECK(interpreter_of("").empty());
  CHECK(interpreter_of("# !/bin/sh").empty());
  CHECK(interpreter_of("#!").empty());
  CHECK(interpreter_of("#!/usr/bin/env").empty());
  CHECK(interpreter_of("#!/usr/bin/env -i A=b").empty());
}
