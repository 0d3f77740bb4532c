// A quick scan of code whose tree is not needed yet.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace nacre::shell {

// Where the group of braces that opens at `at` ends, after its `}`, if it ends a line and that can
// be told from words, quotes and comments alone. Nothing in doubt: whether the text is valid, what
// a here-document holds, and how quotes within quotes pair are questions for the parser. The text
// is followed by a NUL.
[[nodiscard]] std::optional<size_t> end_of_braces(std::string_view text, size_t at);

}  // namespace nacre::shell
