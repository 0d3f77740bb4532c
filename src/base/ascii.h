// Characters as every locale of a shell script has them.
#pragma once

#include <string_view>

namespace nacre {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_blank_or_newline(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}
// At least one, and nothing else.
[[nodiscard]] constexpr bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace nacre
