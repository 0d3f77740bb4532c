// Text as the shell can read it back.
#pragma once

#include <string>
#include <string_view>

namespace nacre::machine {

// In single quotes, always.
[[nodiscard]] std::string quoted(std::string_view text);
// In quotes only where it needs them.
[[nodiscard]] std::string quoted_if_needed(std::string_view text);

}  // namespace nacre::machine
