// One workspace for all that a module is asked: what is known of the cards is made once. In its
// world is the document, and nothing else.
#pragma once

#include "base/memory_files.h"
#include "project/workspace.h"

namespace nacre::web {

inline MemoryFiles& files() {
  static MemoryFiles result;
  return result;
}

inline project::Workspace& workspace() {
  static project::Workspace result(files(), "");
  return result;
}

inline SourceFile document(const std::string& name, const std::string& text) {
  static std::string last;
  if (last != name) files().remove(last);
  files().put(name, text);
  workspace().refresh();
  last = name;
  return {name, text};
}

}  // namespace nacre::web
