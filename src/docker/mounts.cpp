#include "docker/mounts.h"

#include <algorithm>

#include "docker/text.h"

namespace nacre::docker {

std::vector<Mount> mounts_of(const Instruction& instruction) {
  std::vector<Mount> mounts;
  for (const Flag& flag : instruction.flags) {
    if (flag.name != "mount") continue;
    Mount mount;
    mount.span = flag.span;
    for (const std::string_view field : split(unquote(flag.value), ',')) {
      const size_t equals = std::min(field.find('='), field.size());
      const std::string_view key = field.substr(0, equals);
      const std::string_view value = unquote(field.substr(std::min(equals + 1, field.size())));
      if (key == "type") mount.type = value;
      if (key == "target" || key == "dst" || key == "destination") mount.target = value;
      if (key == "from") mount.from = value;
    }
    mounts.push_back(std::move(mount));
  }
  return mounts;
}

bool is_mounted_away(const Instruction& instruction, std::string_view directory) {
  const auto mounts = mounts_of(instruction);
  return std::any_of(mounts.begin(), mounts.end(), [&](const Mount& mount) {
    const bool is_away = mount.type == "cache" || mount.type == "tmpfs";
    return is_away && !mount.target.empty() && is_within(directory, mount.target);
  });
}

}  // namespace nacre::docker
