// Where a user lives, without NSS: a static program that loads the modules of nsswitch.conf needs
// the very libc that it was linked with. /etc/passwd is asked first, then `getent`, which is linked
// dynamically and knows the rest.
#pragma once

#include <optional>
#include <string>

namespace nacre::system {

[[nodiscard]] std::optional<std::string> home_directory(const std::string& user);

}  // namespace nacre::system
