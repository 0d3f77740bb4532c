#include "world/tree.h"

#include <cerrno>
#include <doctest/doctest.h>
#include <fcntl.h>

namespace nacre::world {
namespace {

// A tree with a root and an ordinary user, who owns /home.
struct Setting {
  Setting() {
    user.user = user.group = 1000;
    tree.make_directory(root, "/home", 0755);
    InodeId home = kNoInode;
    tree.find(root, "/home", true, home);
    tree.set_owner(root, home, 1000, 1000);
  }
  int create(const Actor& actor, std::string_view path, std::string_view text = "",
             unsigned mode = 0644) {
    InodeId id = kNoInode;
    int error = tree.open(actor, path, O_WRONLY | O_CREAT | O_EXCL, mode, id);
    return error == 0 ? tree.write(actor, id, 0, text) : error;
  }
  std::string read(std::string_view path) {
    InodeId id = kNoInode;
    return tree.find(root, path, true, id) == 0 ? tree.bytes(id) : "(missing)";
  }
  int lookup(const Actor& actor, std::string_view path) {
    InodeId id = kNoInode;
    return tree.find(actor, path, true, id);
  }

  FileTree tree;
  Actor root;
  Actor user;
};

}  // namespace

TEST_CASE_FIXTURE(Setting, "a path is walked through directories and links") {
  CHECK(tree.make_directory(root, "/home/a", 0755) == 0);
  CHECK(create(root, "/home/a/f", "text") >= 0);
  CHECK(tree.make_symbolic_link(root, "a", "/home/link") == 0);
  CHECK(read("/home/link/f") == "text");
  CHECK(read("/home/./a/../a//f") == "text");
  CHECK(lookup(root, "/home/a/f/x") == -ENOTDIR);
  CHECK(lookup(root, "/home/none/f") == -ENOENT);
  CHECK(lookup(root, "/home/a/f/") == -ENOTDIR);
}

TEST_CASE_FIXTURE(Setting, "a circle of links ends") {
  tree.make_symbolic_link(root, "b", "/a");
  tree.make_symbolic_link(root, "a", "/b");
  CHECK(lookup(root, "/a") == -ELOOP);
}

TEST_CASE_FIXTURE(Setting, "permissions are those of the kernel") {
  CHECK(create(root, "/home/secret", "x", 0600) >= 0);
  InodeId id = kNoInode;
  CHECK(tree.open(user, "/home/secret", O_RDONLY, 0, id) == -EACCES);
  CHECK(create(user, "/etc", "x") == -EACCES);
  CHECK(tree.unlink(user, "/home/secret") == 0);  // the directory is the user's
  CHECK(tree.make_directory(root, "/tmp", 0777) == 0);
  InodeId tmp = kNoInode;
  tree.find(root, "/tmp", true, tmp);
  tree.set_mode(root, tmp, 01777);
  CHECK(create(root, "/tmp/of-root") >= 0);
  CHECK(tree.unlink(user, "/tmp/of-root") == -EPERM);  // sticky
}

TEST_CASE_FIXTURE(Setting, "rename replaces what may be replaced") {
  create(root, "/home/a", "a");
  create(root, "/home/b", "b");
  tree.make_directory(root, "/home/d", 0755);
  tree.make_directory(root, "/home/d/inner", 0755);
  CHECK(tree.rename(root, "/home/a", "/home/b") == 0);
  CHECK(read("/home/b") == "a");
  CHECK(tree.rename(root, "/home/b", "/home/d") == -EISDIR);
  CHECK(tree.rename(root, "/home/d", "/home/b") == -ENOTDIR);
  CHECK(tree.rename(root, "/home/d", "/home/d/inner/x") == -EINVAL);
  tree.make_directory(root, "/home/full", 0755);
  create(root, "/home/full/f");
  CHECK(tree.rename(root, "/home/d", "/home/full") == -ENOTEMPTY);
}

TEST_CASE_FIXTURE(Setting,
                  "names of one file share its contents, and an open one outlives its names") {
  create(root, "/home/a", "one");
  CHECK(tree.link(root, "/home/a", "/home/b") == 0);
  InodeId id = kNoInode;
  tree.find(root, "/home/b", true, id);
  tree.write(root, id, 0, "two");
  CHECK(read("/home/a") == "two");
  CHECK(tree.status(id).links == 2);
  tree.hold(id);
  tree.unlink(root, "/home/a");
  tree.unlink(root, "/home/b");
  CHECK(tree.bytes(id) == "two");
  tree.release(id);
}

TEST_CASE_FIXTURE(Setting, "a copy of a tree is a value of its own") {
  create(root, "/home/f", "before");
  FileTree copy = tree;
  InodeId id = kNoInode;
  copy.find(root, "/home/f", true, id);
  copy.write(root, id, 0, "after!");
  CHECK(read("/home/f") == "before");
  CHECK(copy.bytes(id) == "after!");
}

TEST_CASE_FIXTURE(Setting, "a full disk refuses to write") {
  tree.max_bytes = 10;
  CHECK(create(root, "/home/small", "12345") >= 0);
  CHECK(create(root, "/home/large", "1234567890") == -ENOSPC);
}

}  // namespace nacre::world
