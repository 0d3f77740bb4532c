// `RUN --mount=type=cache,target=/var/cache/apt`: its fields.
#pragma once

#include <string>
#include <vector>

#include "docker/syntax.h"

namespace nacre::docker {

struct Mount {
  std::string type = "bind";
  std::string target;
  std::string from;
  Span span;
};

std::vector<Mount> mounts_of(const Instruction& instruction);

// Whether what is written below `directory` does not become a part of the layer.
bool is_mounted_away(const Instruction& instruction, std::string_view directory);

}  // namespace nacre::docker
