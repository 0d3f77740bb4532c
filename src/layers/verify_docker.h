// Properties of a Dockerfile: whether two builds give the same image, whether a layer holds bytes
// that a later one hides, and whether the image runs as root. Each is proved, refuted with a
// witness in the file, or open with the reason.
#pragma once

#include <vector>

#include "base/property.h"
#include "layers/layers.h"

namespace nacre::layers {

struct DockerReport {
  std::vector<Property> properties;  // determinism, layers, user
  std::vector<std::string> layers;   // as people read them
};

[[nodiscard]] DockerReport verify_docker(const SourceFile& file,
                                         const commands::CardLibrary& cards);

}  // namespace nacre::layers
