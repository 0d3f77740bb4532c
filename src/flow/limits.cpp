#include "flow/limits.h"

#include <algorithm>

namespace nacre::flow {

namespace {

constexpr uint64_t kStepsOfAnyScript = 1000;  // times the rounds
constexpr uint64_t kVariablesPerStep = 256;   // copied and joined in the time of one step

}  // namespace

Limits::Limits(Context& languages, const CheckOptions& options, uint64_t commands)
    : languages_(languages),
      options_(options),
      commands_(commands),
      all_states_(options.first_states + options.states_per_command * commands),
      steps_left_((commands + kStepsOfAnyScript) * options.rounds) {
  share_states();
}

void Limits::share_states() {
  Budget each = options_.budget;
  const uint64_t share = options_.states_for_all / std::max<uint64_t>(commands_, 1);
  const uint64_t least = std::min(options_.least_states, each.states);
  each.states = std::clamp(share, least, each.states);
  languages_.set_limit(each, all_states_, least);
}

void Limits::add_commands(uint64_t commands) {
  commands_ += commands;
  steps_left_ += commands * options_.rounds;
  share_states();
}

bool Limits::spend(const Environment& environment) {
  const uint64_t cost = 1 + environment.variables->size() / kVariablesPerStep;
  if (steps_left_ >= cost && !options_.budget.stop.is_requested()) {
    steps_left_ -= cost;
    return true;
  }
  steps_left_ = 0;
  is_exhausted_ = true;
  return false;
}

}  // namespace nacre::flow
