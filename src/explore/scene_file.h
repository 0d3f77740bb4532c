// A world that an outcome begins with, as a file: `nacre run --scene FILE` and `nacre step --scene
// FILE` play the script in it again. JSON (docs/scene.schema.json): what differs from the world of
// open_scene.h, who runs the script, with which words, and how commands without a model end.
#pragma once

#include "base/result.h"
#include "explore/outcome.h"

namespace nacre::explore {

[[nodiscard]] std::string scene_json(const Script& script, const World& start,
                                     const std::vector<Decision>& decisions, const Memory& memory);

// Everything but the script itself. The span of an error is in `text`.
[[nodiscard]] Result<simulate::Scene> load_scene(std::string_view text);

}  // namespace nacre::explore
