// What the text of a script tells about the world that it expects: which of its paths are
// directories and which are files, which commands it can do without, which names and contents it
// looks for. Only the order of the answers and what stands for infinitely many depends on this,
// never whether an outcome is possible.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "shell/tree.h"

namespace nacre::explore {

struct Expectations {
  enum Kind : uint8_t { kUnknown, kFile, kDirectory };

  std::map<std::string, Kind, std::less<>> paths;                // literal words of the script
  std::set<std::string, std::less<>> optional_commands;          // it asks whether they are there
  std::map<std::string, std::string, std::less<>> program_dirs;  // /usr/sbin, by the command's name
  std::vector<std::string> names;     // for `*.conf`: names that match patterns of the script
  std::vector<std::string> contents;  // texts in which a search of the script finds something
  std::set<std::string, std::less<>> relative_names;  // components of its relative paths
  size_t max_depth = 0;                               // components of its longest path

  // By the script, by its last name otherwise.
  [[nodiscard]] Kind kind_of(std::string_view path) const;
  // Names that the script may ask for in `directory`, by its literal words.
  [[nodiscard]] std::vector<std::string> names_in(std::string_view directory) const;
  // Adds what another script of the same package says.
  void add(const Expectations& other);
};

[[nodiscard]] Expectations expectations_of(const shell::Tree& tree);

}  // namespace nacre::explore
