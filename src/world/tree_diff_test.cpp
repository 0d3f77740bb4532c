#include "world/tree_diff.h"

#include <doctest/doctest.h>
#include <fcntl.h>

namespace nacre::world {

TEST_CASE("a comparison names what was created, removed, replaced and changed") {
  FileTree before;
  Actor root;
  InodeId id = kNoInode;
  for (const char* path : {"/kept", "/written", "/gone", "/becomes"}) {
    REQUIRE(before.open(root, path, O_WRONLY | O_CREAT, 0644, id) == 0);
  }
  FileTree after = before;
  REQUIRE(after.find(root, "/written", true, id) == 0);
  after.write(root, id, 0, "text");
  after.unlink(root, "/gone");
  after.unlink(root, "/becomes");
  after.make_directory(root, "/becomes", 0755);
  after.make_directory(root, "/new", 0755);
  REQUIRE(after.open(root, "/new/file", O_WRONLY | O_CREAT, 0644, id) == 0);

  std::vector<Change> changes = compare(before, after);
  REQUIRE(changes.size() == 5);
  CHECK((changes[0].path == "/becomes" && changes[0].kind == Change::kReplaced));
  CHECK((changes[1].path == "/gone" && changes[1].kind == Change::kRemoved));
  CHECK((changes[2].path == "/new" && changes[2].kind == Change::kCreated));
  CHECK((changes[3].path == "/new/file" && changes[3].kind == Change::kCreated));
  CHECK((changes[4].path == "/written" && changes[4].kind == Change::kChanged));
  CHECK(changes[4].contents);
  CHECK_FALSE(changes[4].mode);
  CHECK(compare(before, before).empty());
}

}  // namespace nacre::world
