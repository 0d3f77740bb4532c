// What happened between two trees, by path: what a script has changed.
#pragma once

#include "world/tree.h"

namespace nacre::world {

struct Change {
  enum Kind : uint8_t { kCreated, kRemoved, kReplaced, kChanged };
  Kind kind = kChanged;
  std::string path;
  InodeId before = kNoInode;
  InodeId after = kNoInode;
  // kChanged: what of it. kReplaced is a file of another kind at the same path.
  bool contents = false;
  bool mode = false;
  bool owner = false;
  bool times = false;
};

// Sorted by path; directories before what is in them. Times alone are a change only `with_times`.
[[nodiscard]] std::vector<Change> compare(FileTree& before, FileTree& after,
                                          bool with_times = false);

}  // namespace nacre::world
