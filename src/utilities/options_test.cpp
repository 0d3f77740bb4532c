// Options are read as the cards say: what is not modelled says so, what is wrong is refused.
#include <doctest/doctest.h>

#include "utilities/testing/run.h"
#include "utilities/utility.h"

namespace nacre::utilities::testing {
namespace {

TEST_CASE("an option of the card without code is not modelled") {
  CHECK(run({"head", "-z"}, "a").status == kNotModelled);
  CHECK(run({"head", "--zero-terminated"}, "a").status == kNotModelled);
  CHECK(run({"rm", "-I", "a"}).status == kNotModelled);
  CHECK(run({"sort", "--check=quiet"}, "a\n").status == kNotModelled);
  CHECK(run({"grep", "--color=always", "a"}, "a\n").status == kNotModelled);
}

TEST_CASE("an option that the command does not have is refused as the command does") {
  CHECK(run({"head", "--no-such"}, "a").status == 1);
  CHECK(run({"sort", "--no-such"}, "a").status == 2);
  CHECK(run({"grep", "--no-such", "a"}, "a").status == 2);
  CHECK(run({"head", "-n"}, "a").status == 1);
  CHECK(run({"cat", "--number=3"}, "a").status == 1);
}

TEST_CASE("long options may be shortened, values attached or separate") {
  CHECK(run({"head", "--lin=1"}, "a\nb\n").output == "a\n");
  CHECK(run({"head", "--lines", "1"}, "a\nb\n").output == "a\n");
  CHECK(run({"head", "-n1"}, "a\nb\n").output == "a\n");
  CHECK(run({"head", "-qn", "1"}, "a\nb\n").output == "a\n");
}

TEST_CASE("a letter is no value of the one before it") {
  CHECK(run({"sort", "-cu"}, "a\na\n").status == 1);
  CHECK(run({"sort", "-c"}, "a\na\n").status == 0);
}

TEST_CASE("the first operand ends the options where the card says so") {
  CHECK(run({"basename", "x/a.c", "-c"}).output == "a.c\n");
  CHECK(run({"seq", "-w", "9", "10"}).output == "09\n10\n");
  CHECK(run({"seq", "-2", "0"}).output == "-2\n-1\n0\n");
}

TEST_CASE("numbers as options, and optional values") {
  CHECK(run({"grep", "-1", "c"}, "a\nb\nc\nd\ne\n").output == "b\nc\nd\n");
  CHECK(run({"fold", "-2"}, "abc\n").output == "ab\nc\n");
  CHECK(run({"date", "-u", "-d", "@0", "-Iseconds"}).output == "1970-01-01T00:00:00+00:00\n");
  CHECK(run({"date", "-u", "-d", "@0", "-I"}).output == "1970-01-01\n");
  World world;
  world.directory("/t");
  CHECK(world.run({"mktemp", "--tmpdir=/t", "-u"}).output.starts_with("/t/tmp."));
}

TEST_CASE("every utility names only options that are on its card") {
  for (const Entry& entry : utilities()) {
    // parse_options() asserts it.
    CHECK_NOTHROW(run({std::string(entry.name), "--help"}));
  }
}

}  // namespace
}  // namespace nacre::utilities::testing
