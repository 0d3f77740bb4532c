// Modes as chmod, mkdir -m and find -perm write them: octal or symbolic.
#pragma once

#include <optional>
#include <string_view>

namespace nacre::utilities {

struct ModeChange {
  unsigned mode = 0;  // the new mode
  bool is_octal = false;
};

// What `text` makes of `old`; nothing if it is not a mode. Without a `who`, `mask` applies.
[[nodiscard]] std::optional<ModeChange> change_mode(std::string_view text, unsigned old,
                                                    bool is_directory, unsigned mask);

}  // namespace nacre::utilities
