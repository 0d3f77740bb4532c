// Paths as text, and walking below one.
#pragma once

#include "utilities/utility.h"

namespace nacre::utilities {

// Without slashes at the end; "/" stays.
[[nodiscard]] std::string_view without_slashes(std::string_view path);
// The last component, without slashes after it; "/" for the root.
[[nodiscard]] std::string_view base_name(std::string_view path);
[[nodiscard]] std::string directory_name(std::string_view path);
[[nodiscard]] std::string joined(std::string_view directory, std::string_view name);
[[nodiscard]] bool is_dot_or_dot_dot(std::string_view path);  // its last component

// The names in a directory without . and .., sorted; -errno through `error`.
[[nodiscard]] std::vector<std::string> list(world::Os& os, const std::string& path, int& error);

[[nodiscard]] bool is_same_file(const world::FileStatus& a, const world::FileStatus& b);

// Users and groups by /etc/passwd and /etc/group.
[[nodiscard]] std::string user_name(world::Os& os, unsigned id);
[[nodiscard]] std::string group_name(world::Os& os, unsigned id);
// A name or a number; kSameOwner if there is none.
[[nodiscard]] unsigned user_number(world::Os& os, const std::string& name);
[[nodiscard]] unsigned group_number(world::Os& os, const std::string& name);
[[nodiscard]] unsigned login_group(world::Os& os, unsigned user);

// "-rw-r--r--"
[[nodiscard]] std::string mode_text(const world::FileStatus& status);

// On standard error; whether the answer on standard input starts with y.
[[nodiscard]] bool confirmed(Context& context, std::string_view question);

}  // namespace nacre::utilities
