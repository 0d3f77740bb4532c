// A package to be tried: its maintainer scripts, the files that it brings and which of those are
// configuration. Read from a directory of one of two shapes: an unpacked package (DEBIAN/ and the
// files), or scripts beside a file `content` with one absolute path a line.
#pragma once

#include "base/files.h"
#include "base/result.h"
#include "base/source_file.h"
#include "explore/explorer.h"

namespace nacre::explore {

struct Package {
  std::string name;
  std::string version;
  std::map<std::string, SourceFile> scripts;  // preinst, postinst, prerm, postrm, config
  std::vector<std::string> files;             // absolute; a directory ends with a slash
  std::set<std::string> conffiles;
  struct Question {
    std::string name;
    bool is_boolean = false;
    std::string answer;  // by default
  };
  std::vector<Question> questions;  // of debconf
  std::string triggers;             // the names that it is interested in
};

[[nodiscard]] bool is_package(const Files& files, const std::string& directory);
[[nodiscard]] Result<Package> read_package(const Files& files, const std::string& directory);

// Puts the files there, as dpkg does; conffiles that are there already stay.
void unpack(world::FileTree& tree, const Package& package);
// Takes them away; conffiles stay, and directories that are not empty or were there in `base`.
void remove_files(world::FileTree& tree, const Package& package, world::FileTree& base);
void remove_conffiles(world::FileTree& tree, const Package& package, world::FileTree& base);
// Debconf knows the package's questions: see the card of confmodule.
void add_questions(world::FileTree& tree, const Package& package);
void add_conffiles(world::FileTree& tree, const Package& package);

}  // namespace nacre::explore
