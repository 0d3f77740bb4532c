// The types that a label can be asked to have.
#pragma once

#include <string_view>

#include "docker/facts.h"

namespace nacre::docker {

[[nodiscard]] bool is_valid(std::string_view value, LabelType type);
// "a URL", for messages.
[[nodiscard]] std::string_view describe(LabelType type);

}  // namespace nacre::docker
