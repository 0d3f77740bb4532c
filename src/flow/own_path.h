// Paths seen from the directory of the script. Internal to this module.
#pragma once

#include <filesystem>
#include <string>

namespace nacre::flow {

// What `dirname` makes of it. Above "." is "..", because the directory has a name of its own.
inline std::string directory_of(const std::string& path) {
  const std::filesystem::path normal = std::filesystem::path(path + "/..").lexically_normal();
  return normal.empty() ? "." : normal.string();
}

}  // namespace nacre::flow
