// The escapes of $'...'.
#pragma once

#include <string>
#include <string_view>

namespace nacre::shell {

// What stands between the quotes, decoded; a zero byte ends it.
[[nodiscard]] std::string decode_ansi_quoted(std::string_view text);

}  // namespace nacre::shell
