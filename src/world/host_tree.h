// Reading directories of the host for a simulated tree. Only reads; what cannot be read is left out
// or empty, as it would be for the user who runs the simulation.
#pragma once

#include <string>
#include <vector>

#include "world/tree.h"

namespace nacre::world {

struct HostEntry {
  std::string name;
  Inode inode;  // with `host` set where there is more to read
};

[[nodiscard]] HostEntry host_entry(const std::string& path);
[[nodiscard]] std::vector<HostEntry> list_host_directory(const std::string& path);
void read_host_file(const std::string& path, std::string& bytes);

}  // namespace nacre::world
