// Paths as text.
#pragma once

#include <string_view>

namespace nacre {

// What follows the last slash: "env" of "/usr/bin/env".
[[nodiscard]] inline std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace nacre
