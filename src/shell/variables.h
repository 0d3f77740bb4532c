// Variables that a shell sets by itself, or that every session has. A script that reads one of them
// without assigning it makes no mistake.
//
//   if (const Variable* known = find_variable("RANDOM")) known->owner == VariableOwner::kBash
#pragma once

#include <cstdint>
#include <string_view>

namespace nacre::shell {

enum class VariableOwner : uint8_t {
  kShell,    // every shell sets it
  kSession,  // the system or the login sets it: HOME, LANG
  kBash,     // bash sets it, and ksh in part; in another shell it is empty
};

// What another value in the next run comes from.
enum class VariableVaries : uint8_t { kNever, kByTime, kByChance, kByProcess, kByHost };

struct Variable {
  std::string_view name;
  VariableOwner owner = VariableOwner::kShell;
  VariableVaries varies = VariableVaries::kNever;
};

// Null: it is the script's own, or an environment variable that only some have.
[[nodiscard]] const Variable* find_variable(std::string_view name);

}  // namespace nacre::shell
