// What the utilities that change files leave. The expected trees are those of the GNU utilities.
#include <doctest/doctest.h>

#include "utilities/testing/run.h"

namespace nacre::utilities {

using testing::World;

TEST_CASE_FIXTURE(World, "rm removes files, and directories only when asked") {
  file("/f", "x");
  directory("/d");
  CHECK(run({"rm", "/d"}).status == 1);
  CHECK(run({"rm", "/f"}).status == 0);
  CHECK(run({"rm", "/f"}).status == 1);
  CHECK(run({"rm", "-f", "/f"}).status == 0);
  CHECK(run({"rm", "-r", "/d"}).status == 0);
  CHECK_FALSE(exists("/f"));
  CHECK_FALSE(exists("/d"));
}

TEST_CASE_FIXTURE(World, "rm refuses the root and dot directories") {
  CHECK(run({"rm", "-rf", "/"}).status == 1);
  CHECK(run({"rm", "-rf", "."}).status == 1);
  CHECK(exists("/bin/rm"));
}

TEST_CASE_FIXTURE(World, "mkdir makes parents only when asked") {
  CHECK(run({"mkdir", "/a/b"}).status == 1);
  CHECK(run({"mkdir", "-p", "/a/b"}).status == 0);
  CHECK(run({"mkdir", "-p", "/a/b"}).status == 0);
  CHECK(run({"mkdir", "/a/b"}).status == 1);
  CHECK(exists("/a/b"));
}

TEST_CASE_FIXTURE(World, "cp copies into directories and over files") {
  file("/f", "one");
  file("/g", "two");
  directory("/d");
  CHECK(run({"cp", "/f", "/g", "/d"}).status == 0);
  CHECK(text("/d/f") == "one");
  CHECK(run({"cp", "/f", "/g"}).status == 0);
  CHECK(text("/g") == "one");
  CHECK(run({"cp", "/d", "/e"}).status == 1);
  CHECK(run({"cp", "-r", "/d", "/e"}).status == 0);
  CHECK(text("/e/g") == "two");
  CHECK(run({"cp", "-r", "/d", "/d/inner"}).status == 1);
}

TEST_CASE_FIXTURE(World, "mv renames, and moves into directories") {
  file("/f", "one");
  directory("/d");
  CHECK(run({"mv", "/f", "/g"}).status == 0);
  CHECK(run({"mv", "/g", "/d"}).status == 0);
  CHECK(text("/d/g") == "one");
  CHECK(run({"mv", "/none", "/x"}).status == 1);
  CHECK(run({"mv", "/d", "/d/inside"}).status == 1);
}

TEST_CASE_FIXTURE(World, "ln makes links, and replaces one with -sfn") {
  file("/f", "one");
  directory("/d");
  CHECK(run({"ln", "-s", "/f", "/link"}).status == 0);
  CHECK(text("/link") == "one");
  CHECK(run({"ln", "-s", "/f", "/link"}).status == 1);
  CHECK(run({"ln", "-sfn", "/d", "/link"}).status == 0);
  CHECK(run({"readlink", "/link"}).output == "/d\n");
}

TEST_CASE_FIXTURE(World, "touch creates, and leaves contents alone") {
  file("/f", "one");
  CHECK(run({"touch", "/f", "/new"}).status == 0);
  CHECK(text("/f") == "one");
  CHECK(text("/new").empty());
  CHECK(run({"touch", "-c", "/other"}).status == 0);
  CHECK_FALSE(exists("/other"));
}

TEST_CASE_FIXTURE(World, "find lists what its tests select") {
  directory("/t");
  directory("/t/sub");
  file("/t/a.txt", "x");
  file("/t/sub/b.txt", "");
  CHECK(run({"find", "/t", "-name", "*.txt", "-type", "f", "-size", "+0"}).output == "/t/a.txt\n");
  CHECK(run({"find", "/t", "-maxdepth", "1", "-type", "d"}).output == "/t\n/t/sub\n");
  CHECK(run({"find", "/t", "-empty", "-delete"}).status == 0);
  CHECK_FALSE(exists("/t/sub/b.txt"));
}

TEST_CASE_FIXTURE(World, "tee writes its input everywhere") {
  CHECK(run({"tee", "/a", "/b"}, "text").output == "text");
  CHECK(text("/a") == "text");
  CHECK(run({"tee", "-a", "/a"}, "+").status == 0);
  CHECK(text("/a") == "text+");
}

}  // namespace nacre::utilities
