// From the operands of a command line to the files to check: files as they are named, directories
// by walking them. A walk takes what is written in a language that Nacre checks (by name or `#!`),
// leaves out what .gitignore and `exclude` leave out, does not follow links to directories, and is
// in the order of the names' bytes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "project/language.h"
#include "project/workspace.h"

namespace nacre::project {

struct Target {
  std::string name;   // how the user would say it: the operand, and what lies below it
  std::string error;  // why it cannot be looked into; empty: it is a file to read
};

struct DiscoverOptions {
  bool respects_ignore_files = true;
  std::function<bool(Language)> is_wanted;  // in directories; a named file is always taken
};

// Each file once, in the order of the operands. An unreadable operand or directory is a target with
// an error. The error of the result is a broken configuration.
Result<std::vector<Target>> discover(const std::vector<std::string>& operands,
                                     const DiscoverOptions& options, Workspace& workspace);

}  // namespace nacre::project
