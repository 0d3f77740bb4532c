// The cards that hold for a script: those of the program, those of the user, and those of the
// script's project, which are the strongest. Users' are in $XDG_CONFIG_HOME/nacre/commands (or
// ~/.config/nacre/commands), a project's in `.nacre/commands` of the nearest directory above the
// script that has one; each file there that ends in `.card` is read. `Workspace::cards_for` is the
// way to ask for them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/files.h"
#include "commands/card_library.h"

namespace nacre::project {

struct Cards {
  std::unique_ptr<commands::CardLibrary> library;
  std::vector<Diagnostic> mistakes;  // files that cannot be read (S022); what is in them is missing
};

// The nearest directory of cards above `directory`, an absolute path; empty if there is none.
std::string find_project_cards(const Files& files, const std::string& directory);

// The built-in cards, the user's, and those in `project_cards` unless it is empty.
Cards read_cards(const Files& files, const std::string& project_cards);

// Where a card for scripts in `directory` is written: the nearest `.nacre/commands` above it, or
// one of its own that does not exist yet.
std::string card_directory(const Files& files, const std::string& directory);

}  // namespace nacre::project
