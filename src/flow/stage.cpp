#include "flow/stage.h"

#include "regular/decide.h"

namespace nacre::flow {

std::optional<Lang> skeleton_printed(std::span<const Stage> stages) {
  if (stages.empty() || !stages[0].skeleton) return std::nullopt;
  Lang lines = *stages[0].skeleton;
  for (const Stage& stage : stages.subspan(1)) {
    if (!stage.behaviour.trace) return std::nullopt;
    lines = regular::image(stage.behaviour.trace->map, lines & stage.behaviour.trace->keeps);
  }
  // An unknown name may hold what a filter looks for.
  return regular::is_empty(lines).no() ? std::optional(lines) : std::nullopt;
}

}  // namespace nacre::flow
