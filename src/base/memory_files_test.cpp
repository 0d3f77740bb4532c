#include "base/memory_files.h"

#include <doctest/doctest.h>

#include "base/path.h"

using namespace nacre;

TEST_CASE("files in memory have directories") {
  MemoryFiles files(nullptr, "/home/me");
  files.put("a/b.txt", "text");
  files.put("/etc/hosts", "");
  CHECK(files.read("/home/me/a/b.txt", 100) == "text");
  CHECK(files.read("./a/../a/b.txt", 100) == "text");
  CHECK(files.read_beginning("a/b.txt", 2) == "te");
  CHECK(files.kind("a") == FileKind::kDirectory);
  CHECK(files.kind("a/b.txt") == FileKind::kRegular);
  CHECK(files.kind("a/b") == FileKind::kMissing);
  CHECK(files.read("a", 100).error().message == "is a directory");
  CHECK(files.read("a/b.txt", 3).error().message == "larger than the limit of 3 bytes");
  CHECK(files.list("/")->size() == 2);
  CHECK(files.list("a") == std::vector<DirectoryEntry>{{"b.txt", FileKind::kRegular, false}});
  CHECK_FALSE(files.list("/nowhere"));
  files.remove("a/b.txt");
  CHECK(files.kind("a") == FileKind::kMissing);
}

TEST_CASE("what is not in memory is asked of the files below") {
  MemoryFiles disk;
  disk.put("/a", "old");
  disk.put("/b", "b");
  disk.set_variable("HOME", "/root");
  MemoryFiles open(&disk);
  open.put("/a", "new");
  open.set_variable("LANG", "C");
  CHECK(open.read("/a", 9) == "new");
  CHECK(open.read("/b", 9) == "b");
  CHECK(open.list("/")->size() == 2);
  CHECK(open.variable("HOME") == "/root");
  CHECK(open.environment().size() == 2);
}

TEST_CASE("paths are made normal and relative") {
  CHECK(normal_path("/a//b/./c/../d/") == "/a/b/d");
  CHECK(normal_path("/../..") == "/");
  CHECK(parent_path("/a/b") == "/a");
  CHECK(parent_path("/a") == "/");
  CHECK(parent_path("/") == "/");
  CHECK(relative_path("/a/b/c", "/a") == "b/c");
  CHECK(relative_path("/a", "/a") == ".");
  CHECK(relative_path("/x/y", "/a/b") == "../../x/y");
  CHECK(relative_path("/x", "/") == "x");
  CHECK(joined_path("/", "x") == "/x");
}
