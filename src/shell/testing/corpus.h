// Scripts that are on this machine: the files under some directories whose first line names sh,
// dash or bash as their interpreter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shell/dialect.h"

namespace nacre::shell {

struct Script {
  std::string path;
  Dialect dialect = Dialect::kSh;
};

// In the order of their paths; of files with the same content only the first. Links are not
// followed.
[[nodiscard]] std::vector<Script> find_scripts(const std::vector<std::string>& directories);

// One `dialect TAB path` line for each.
void write_scripts(const std::vector<Script>& scripts, const std::string& list_path);
[[nodiscard]] std::vector<Script> read_scripts(const std::string& list_path);

// The bytes of a file; empty if it cannot be read.
[[nodiscard]] std::string read_file(const std::string& path);
void write_file(const std::string& path, std::string_view text);

}  // namespace nacre::shell
