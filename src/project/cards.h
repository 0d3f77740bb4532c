// The cards that hold for a script: those of the program, those of the user, and those of the
// script's project, which are the strongest. Users' are in $XDG_CONFIG_HOME/nacre/commands (or
// ~/.config/nacre/commands), a project's in `.nacre/commands` of the nearest directory above the
// script that has one; each file there that ends in `.card` is read.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "commands/card_library.h"

namespace nacre::project {

struct Cards {
  std::unique_ptr<commands::CardLibrary> library;
  std::vector<Diagnostic> mistakes;  // files that cannot be read (S022); what is in them is missing
};

// `path` is the absolute path of the script.
Cards cards_for(const std::string& path);

// Where a card for scripts in `directory` is written: the nearest `.nacre/commands` above it, or
// one of its own that does not exist yet.
std::string card_directory(const std::string& directory);

}  // namespace nacre::project
