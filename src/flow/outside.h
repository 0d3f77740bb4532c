// What a script would find outside of itself if it ran now: files and the environment. A check that
// is given one takes their present content for their type (concretisation); it never writes and
// never runs anything.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nacre::flow {

struct Outside {
  // The content of a regular file, by its path as the script writes it.
  std::function<std::optional<std::string>(const std::string& path)> read_file;
  std::vector<std::pair<std::string, std::string>> environment;
};

}  // namespace nacre::flow
