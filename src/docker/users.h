// Who the instructions and the image run as.
#pragma once

#include <optional>
#include <string>

#include "docker/facts.h"

namespace nacre::docker {

// What is known of the image that a stage is built on in the end.
[[nodiscard]] std::optional<KnownImage> image_below(const Facts& facts, size_t stage);

// The last USER of a stage, or of those that it is built on; null: there is none.
[[nodiscard]] const Step* last_user(const Facts& facts, size_t stage);
// Without its group; empty: not known.
[[nodiscard]] std::string name_of_user(const Facts& facts, const Step& user);
// The name under which a step runs; empty: not known.
[[nodiscard]] std::string user_at(const Facts& facts, const Step& step);

[[nodiscard]] inline bool is_root(std::string_view user) { return user == "root" || user == "0"; }

}  // namespace nacre::docker
