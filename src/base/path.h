// Paths as text. Nothing here looks at a file system.
#pragma once

#include <string>
#include <string_view>

namespace nacre {

// What follows the last slash: "env" of "/usr/bin/env".
[[nodiscard]] inline std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// The directory that an absolute path without a slash at its end lies in; "/" is its own parent.
[[nodiscard]] std::string parent_path(std::string_view path);

// An absolute path without "." and "..", repeated slashes or a slash at its end; links are not
// known here, so "/a/.." is "/".
[[nodiscard]] std::string normal_path(std::string_view path);

// How a path below `directory`, both absolute and normal, is written from there: "b/c" for "/a/b/c"
// and "/a"; "." for itself; with ".." where it is not below.
[[nodiscard]] std::string relative_path(std::string_view path, std::string_view directory);

[[nodiscard]] std::string joined_path(std::string_view directory, std::string_view name);

}  // namespace nacre
