// Texts as Dockerfiles and their rules need them: blanks, letter case, quotes, simple patterns.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::docker {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

template <typename Names>
[[nodiscard]] bool is_among(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

[[nodiscard]] std::string_view trim_left(std::string_view text);
[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] std::string lower_case(std::string_view text);
[[nodiscard]] std::string upper_case(std::string_view text);

// A line whose first character, after blanks, is `#`.
[[nodiscard]] bool is_comment(std::string_view line);

// Without a pair of quotes around it.
[[nodiscard]] std::string_view unquote(std::string_view text);

// The pieces between `separator`, without blanks around them; none of an empty text.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
// The words between blanks.
[[nodiscard]] std::vector<std::string_view> split_blanks(std::string_view text);

// `*` any text, `?` any byte, `[0-9a-z]` one of these; everything else itself.
[[nodiscard]] bool matches(std::string_view text, std::string_view pattern);

// Whether `path` is `directory` or lies below it. "/var/lib/" and "/var/lib" are the same.
[[nodiscard]] bool is_within(std::string_view path, std::string_view directory);

}  // namespace nacre::docker
