// The commands that shells have built in: which shells, and what a reader of scripts must know
// about them. The only list of builtins; the machine's table adds the functions that run them.
//
// Which shell has which is what `command -V` answers in dash 0.5.12, bash 5.2, ksh93u+m 1.0 and
// mksh 59 (together kKsh), busybox 1.35; kSh has what POSIX.1-2024 requires.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "shell/dialect.h"

namespace nacre::shell {

enum BuiltinTrait : uint8_t {
  kSpecial = 1,      // as in dash, for which `local` is one: assignments before it stay, errors are
                     // fatal, no function has its name
  kDeclares = 2,     // operands of the form name=value are assignments: not split, no globbing
  kTakesArrays = 4,  // operands may be arrays, name=(...)
  kAssigns = 8,      // may change the variables that its operands name
  kPrints = 16,      // may write to standard output
  kIsProgram = 32,   // systems have a program of this name, too
};

struct BuiltinInfo {
  std::string_view name;
  uint8_t dialects;  // a bit for each Dialect
  uint8_t traits;

  [[nodiscard]] constexpr bool is(BuiltinTrait trait) const { return (traits & trait) != 0; }
  [[nodiscard]] constexpr bool is_in(Dialect dialect) const {
    return (dialects >> static_cast<unsigned>(dialect) & 1U) != 0;
  }
};

namespace builtin_sets {
constexpr uint8_t of(Dialect dialect) {
  return static_cast<uint8_t>(1U << static_cast<unsigned>(dialect));
}
constexpr uint8_t kB = of(Dialect::kBash);
constexpr uint8_t kK = of(Dialect::kKsh);
constexpr uint8_t kY = of(Dialect::kBusybox);
constexpr uint8_t kD = of(Dialect::kDash);
constexpr uint8_t kAll = of(Dialect::kSh) | kD | kB | kK | kY;
constexpr uint8_t kBK = kB | kK;
}  // namespace builtin_sets

// Sorted by name.
inline constexpr BuiltinInfo kBuiltins[] = {
    {".", builtin_sets::kAll, kSpecial | kPrints},
    {":", builtin_sets::kAll, kSpecial},
    {"[", builtin_sets::kAll, kIsProgram},
    {"alias", builtin_sets::kAll, kTakesArrays | kPrints},
    {"autoload", builtin_sets::kK, 0},
    {"bg", builtin_sets::kAll, kPrints},
    {"bind", builtin_sets::kBK, kPrints},
    {"break", builtin_sets::kAll, kSpecial},
    {"builtin", builtin_sets::kBK, kPrints},
    {"caller", builtin_sets::kB, kPrints},
    {"cd", builtin_sets::kAll, 0},
    {"chdir", builtin_sets::kD | builtin_sets::kK | builtin_sets::kY, 0},
    {"command", builtin_sets::kAll, kPrints},
    {"compgen", builtin_sets::kB, kPrints},
    {"complete", builtin_sets::kB, kPrints},
    {"compopt", builtin_sets::kB, kPrints},
    {"continue", builtin_sets::kAll, kSpecial},
    {"declare", builtin_sets::kB, kDeclares | kTakesArrays | kAssigns | kPrints},
    {"dirs", builtin_sets::kB, kPrints},
    {"disown", builtin_sets::kBK, 0},
    {"echo", builtin_sets::kAll, kPrints | kIsProgram},
    {"enable", builtin_sets::kB, kPrints},
    {"eval", builtin_sets::kAll, kSpecial | kTakesArrays | kAssigns | kPrints},
    {"exec", builtin_sets::kAll, kSpecial | kPrints},
    {"exit", builtin_sets::kAll, kSpecial},
    {"export", builtin_sets::kAll, kSpecial | kDeclares | kTakesArrays | kAssigns | kPrints},
    {"false", builtin_sets::kAll, kIsProgram},
    {"fc", builtin_sets::of(Dialect::kSh) | builtin_sets::kBK, kPrints},
    {"fg", builtin_sets::kAll, kPrints},
    {"float", builtin_sets::kK, kDeclares | kTakesArrays | kAssigns | kPrints},
    {"getopts", builtin_sets::kAll, kAssigns},
    {"hash", builtin_sets::kAll, kPrints},
    {"help", builtin_sets::kB | builtin_sets::kY, kPrints},
    {"history", builtin_sets::kBK | builtin_sets::kY, kPrints},
    {"integer", builtin_sets::kK, kDeclares | kTakesArrays | kAssigns | kPrints},
    {"jobs", builtin_sets::kAll, kPrints},
    {"kill", builtin_sets::kAll, kPrints | kIsProgram},
    {"let", builtin_sets::kBK | builtin_sets::kY, kTakesArrays | kAssigns},
    {"local", builtin_sets::kD | builtin_sets::kBK | builtin_sets::kY,
     kSpecial | kDeclares | kTakesArrays | kAssigns},
    {"logout", builtin_sets::kB, 0},
    {"mapfile", builtin_sets::kB, kAssigns},
    {"nameref", builtin_sets::kK, kDeclares | kAssigns},
    {"newgrp", builtin_sets::of(Dialect::kSh), kIsProgram},
    {"popd", builtin_sets::kB, kPrints},
    {"print", builtin_sets::kK, kPrints},
    {"printf", builtin_sets::kAll, kAssigns | kPrints | kIsProgram},
    {"pushd", builtin_sets::kB, kPrints},
    {"pwd", builtin_sets::kAll, kPrints | kIsProgram},
    {"read", builtin_sets::kAll, kAssigns},
    {"readarray", builtin_sets::kB, kAssigns},
    {"readonly", builtin_sets::kAll, kSpecial | kDeclares | kTakesArrays | kAssigns | kPrints},
    {"return", builtin_sets::kAll, kSpecial},
    {"set", builtin_sets::kAll, kSpecial | kPrints},
    {"shift", builtin_sets::kAll, kSpecial},
    {"shopt", builtin_sets::kB, kPrints},
    {"source", builtin_sets::kBK | builtin_sets::kY, kPrints},
    {"suspend", builtin_sets::kBK, 0},
    {"test", builtin_sets::kAll, kIsProgram},
    {"times", builtin_sets::kAll, kSpecial | kPrints},
    {"trap", builtin_sets::kAll, kSpecial | kPrints},
    {"true", builtin_sets::kAll, kIsProgram},
    {"type", builtin_sets::kAll, kPrints},
    {"typeset", builtin_sets::kBK, kDeclares | kTakesArrays | kAssigns | kPrints},
    {"ulimit", builtin_sets::kAll, kPrints},
    {"umask", builtin_sets::kAll, kPrints},
    {"unalias", builtin_sets::kAll, 0},
    {"unset", builtin_sets::kAll, kSpecial | kAssigns},
    {"wait", builtin_sets::kAll, kAssigns},
    {"whence", builtin_sets::kK, kPrints},
};

// Null if no shell has it.
[[nodiscard]] constexpr const BuiltinInfo* builtin_named(std::string_view name) {
  const BuiltinInfo* found = std::lower_bound(
      std::begin(kBuiltins), std::end(kBuiltins), name,
      [](const BuiltinInfo& info, std::string_view wanted) { return info.name < wanted; });
  return found != std::end(kBuiltins) && found->name == name ? found : nullptr;
}

[[nodiscard]] constexpr bool is_special_builtin(std::string_view name) {
  const BuiltinInfo* info = builtin_named(name);
  return info != nullptr && info->is(kSpecial);
}

}  // namespace nacre::shell
