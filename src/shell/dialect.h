// The shells whose language is read. A dialect decides what is valid: kSh and kDash accept what
// dash accepts, kBash what bash 5.2 accepts, kKsh and kBusybox what ksh93/mksh and busybox ash do.
// What a dialect lacks is still parsed when that is unambiguous, and reported by its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/source_file.h"

namespace nacre::shell {

enum class Dialect : uint8_t { kSh, kDash, kBash, kKsh, kBusybox };

[[nodiscard]] std::string_view name_of(Dialect dialect);
// "sh", "dash", "bash", "ksh" (also "mksh", "ksh93"), "busybox" (also "ash").
[[nodiscard]] std::optional<Dialect> dialect_named(std::string_view name);

// From a directive in the leading comments (`# nacre shell=bash`, `# shellcheck shell=bash`), the
// shebang (also through `env`, `env -S`, `busybox sh` and `nix-shell`), an editor's mode line, or
// the file's name, in this order. Nothing when none of them tells, as `x.sh` does not.
[[nodiscard]] std::optional<Dialect> detect_dialect(const SourceFile& file);

}  // namespace nacre::shell
