#include "purify/settings.h"

#include <iterator>

namespace nacre::purify {

namespace {

constexpr std::string_view kTargets[] = {"posix-2017", "posix-2024", "dash", "busybox", "bash"};
constexpr std::string_view kGoals[] = {"posix", "deterministic", "idempotent", "safe"};

}  // namespace

std::optional<Target> target_named(std::string_view name) {
  if (name == "posix" || name == "sh") return Target::kPosix2017;
  for (size_t i = 0; i < std::size(kTargets); i++) {
    if (kTargets[i] == name) return static_cast<Target>(i);
  }
  return std::nullopt;
}

std::string_view name_of(Target target) { return kTargets[static_cast<size_t>(target)]; }

std::optional<Goal> goal_named(std::string_view name) {
  for (size_t i = 0; i < std::size(kGoals); i++) {
    if (kGoals[i] == name) return static_cast<Goal>(1U << i);
  }
  return std::nullopt;
}

}  // namespace nacre::purify
