#include "purify/profiles.h"

#include <algorithm>
#include <iterator>

#include "commands/card.h"

namespace nacre::purify {

namespace {

using commands::kInBsd, commands::kInBusybox, commands::kInGnu, commands::kInMacos,
    commands::kInPosix, commands::kInPosix2024;

constexpr Profile kProfiles[] = {
    {.name = "posix-2017", .standards = kInPosix, .is_strict = true},
    {.name = "posix-2024", .standards = kInPosix | kInPosix2024, .is_strict = true},
    {.name = "gnu", .standards = kInGnu},
    {.name = "bsd", .standards = kInBsd},
    {.name = "macos", .standards = kInMacos, .bash_version = 302},
    {.name = "busybox", .standards = kInBusybox},
    {.name = "bash-3.2", .bash_version = 302},
    {.name = "bash-4", .bash_version = 400},
    {.name = "bash-5", .bash_version = 500},
};

}  // namespace

std::span<const Profile> profiles() { return kProfiles; }

const Profile* profile_named(std::string_view name) {
  const auto* found = std::find_if(std::begin(kProfiles), std::end(kProfiles),
                                   [&](const Profile& each) { return each.name == name; });
  return found == std::end(kProfiles) ? nullptr : found;
}

}  // namespace nacre::purify
