// Text as the shell can read it back.
#pragma once

#include <string>
#include <string_view>

namespace nacre::machine {

// In single quotes, always.
[[nodiscard]] std::string quoted(std::string_view text);
// In quotes only where it needs them.
[[nodiscard]] std::string quoted_if_needed(std::string_view text);

// The ways in which bash prints a value. Text with characters that cannot be printed is $'...' in
// all of them.
[[nodiscard]] bool needs_ansi_quotes(std::string_view text);
[[nodiscard]] std::string ansi_quoted(std::string_view text);       // $'a\n'
[[nodiscard]] std::string double_quoted(std::string_view text);     // declare -p: "a \$b"
[[nodiscard]] std::string reusable_quoted(std::string_view text);   // ${x@Q}: 'a b'
[[nodiscard]] std::string backslash_quoted(std::string_view text);  // printf %q: a\ b

}  // namespace nacre::machine
