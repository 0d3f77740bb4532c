// Shell patterns: * ? [...] with classes, ranges, equivalence classes and collating symbols, in the
// characters of a locale. A backslash makes the next character literal (this is how quoted text
// comes into a pattern). Matching needs no memory and at most |pattern| * |text| steps.
#pragma once

#include <string>
#include <string_view>

#include "machine/locale.h"

namespace nacre::machine {

[[nodiscard]] bool matches(std::string_view pattern, std::string_view text, const Locale& locale);

// ${text#pattern}, ${text##pattern}, ${text%pattern}, ${text%%pattern}: what is left.
[[nodiscard]] std::string_view without_prefix(std::string_view text, std::string_view pattern,
                                              bool longest, const Locale& locale);
[[nodiscard]] std::string_view without_suffix(std::string_view text, std::string_view pattern,
                                              bool longest, const Locale& locale);

// True if it holds an active * ? or a bracket expression that is closed.
[[nodiscard]] bool is_pattern(std::string_view pattern);
// Without the backslashes.
[[nodiscard]] std::string unescape(std::string_view pattern);

}  // namespace nacre::machine
