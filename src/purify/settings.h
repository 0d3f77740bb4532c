// What purify is asked for: the shell that the result is for, and the goals.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "shell/dialect.h"

namespace nacre::purify {

enum class Target : uint8_t { kPosix2017, kPosix2024, kDash, kBusybox, kBash };
[[nodiscard]] std::optional<Target> target_named(std::string_view name);
[[nodiscard]] std::string_view name_of(Target target);

// Bits of Settings::goals.
enum Goal : uint8_t {
  kPosix = 1,          // every construct is the target's
  kDeterministic = 2,  // clocks, process ids and host names are named inputs
  kIdempotent = 4,     // a second run succeeds
  kSafe = 8,           // values are quoted, empty ones do not widen what is removed
  kAllGoals = 15,
};
// One bit; nothing if there is no goal of that name.
[[nodiscard]] std::optional<Goal> goal_named(std::string_view name);

struct Settings {
  Target target = Target::kPosix2017;
  uint8_t goals = kAllGoals;
  shell::Dialect dialect = shell::Dialect::kSh;  // of the script as it was given
  bool equal_only = false;
  unsigned max_rounds = 16;
  // Variables that a rewrite has made the source of a time or a name: taken for one.
  std::set<std::string, std::less<>> inputs = {};

  [[nodiscard]] bool wants(Goal goal) const { return (goals & goal) != 0; }
  // The script has constructs of bash that the target lacks.
  [[nodiscard]] bool translates() const {
    const bool is_rich = dialect == shell::Dialect::kBash || dialect == shell::Dialect::kKsh;
    return wants(kPosix) && is_rich && target != Target::kBash;
  }
};

}  // namespace nacre::purify
