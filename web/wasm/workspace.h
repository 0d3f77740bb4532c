// One workspace for all that a module is asked: what is known of the cards is made once.
#pragma once

#include "base/memory_files.h"
#include "project/workspace.h"

namespace nacre::web {

inline project::Workspace& workspace() {
  static MemoryFiles files;
  static project::Workspace result(files, "");
  return result;
}

}  // namespace nacre::web
