// The world that an exploration begins with: the directories that every system has, most of them
// open; the utilities; Debian's users and groups; what scripts source and everybody knows.
#pragma once

#include "base/result.h"
#include "explore/explorer.h"

namespace nacre::explore {

// The directories of the file system hierarchy standard are there. What is in them is undecided but
// for /dev, /proc, the programs and the files that a scene of the simulated world has anyway.
[[nodiscard]] World open_world();

// `script` is run by `user` ("root", a name of /etc/passwd or a number), in that user's home
// directory; false if there is no such user.
bool run_as(Script& script, World& world, const std::string& user);

// Every directory, and what is found in them, belongs to who runs the script.
void give_all(Script& script, World& world);

// Adds what is known of the first tree: one absolute path a line, with a slash at its end for a
// directory, ` -> TARGET` for a link, `!` before what is absent; `#` begins a comment. Parents are
// made. The span of an error is in `text`.
Result<void> add_facts(World& world, std::string_view text);

// root with an empty umask: who lays out a first tree.
[[nodiscard]] world::Actor root_actor();

// Makes `path` with all its parents; what is there already stays.
void add_directory(world::FileTree& tree, const std::string& path, bool is_open);
void add_file(world::FileTree& tree, const std::string& path, std::string_view contents,
              unsigned mode);

}  // namespace nacre::explore
