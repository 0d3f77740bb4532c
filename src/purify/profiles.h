// The systems and shells that a script is meant for: `--target`, `target` in nacre.toml. A profile
// says which utilities and options are there (bits of commands::Standard) or which bash it is.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace nacre::purify {

struct Profile {
  std::string_view name;
  uint8_t standards = 0;  // has a utility or option that any of these has; 0: a shell only
  bool is_strict =
      false;  // nothing but what the standards have; else what is not known to be missing
  unsigned bash_version = 0;  // 302 is 3.2; 0: no bash
};

[[nodiscard]] std::span<const Profile> profiles();
// Null if there is no profile of that name.
[[nodiscard]] const Profile* profile_named(std::string_view name);

}  // namespace nacre::purify
