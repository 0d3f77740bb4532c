#include "cli/host_scene.h"

#include <cstdlib>
#include <fmt/format.h>

#include "system/host_tree.h"
#include "system/system_os.h"

namespace nacre::cli {

simulate::Scene host_scene(const std::string& directory) {
  system::SystemOs os;
  simulate::Scene scene;
  scene.tree.now = os.clock_ns();
  scene.tree.mount_host(world::kRootInode, directory, system::host_reader(directory));
  simulate::complete_system(scene.tree);
  scene.actor.user = os.user_id();
  scene.actor.group = os.group_of_user();
  scene.actor.groups = os.supplementary_groups();
  scene.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "SHELL=/bin/sh"};
  for (const char* name : {"HOME", "USER", "LOGNAME"}) {
    if (const char* value = std::getenv(name)) {
      scene.environment.push_back(fmt::format("{}={}", name, value));
    }
  }
  return scene;
}

}  // namespace nacre::cli
