// Shell patterns: * ? [...] with classes, ranges, equivalence classes and collating symbols, in the
// characters of a locale. A backslash makes the next character literal (this is how quoted text
// comes into a pattern). Matching needs no memory and at most |pattern| * |text| steps; with the
// groups of bash's extglob (pattern_group.h) |pattern| * |text|^2.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "machine/locale.h"

namespace nacre::machine {

struct PatternRules {
  // A locale alone is the rules of POSIX.
  PatternRules(const Locale& of, bool is_extended = false, bool case_is_equal = false)
      : locale(of), extended(is_extended), ignores_case(case_is_equal) {}

  const Locale& locale;
  bool extended;      // ?(a|b) *(a|b) +(a|b) @(a|b) !(a|b)
  bool ignores_case;  // of ASCII letters
};

[[nodiscard]] bool matches(std::string_view pattern, std::string_view text,
                           const PatternRules& rules);

// ${text#pattern}, ${text##pattern}, ${text%pattern}, ${text%%pattern}: what is left.
[[nodiscard]] std::string_view without_prefix(std::string_view text, std::string_view pattern,
                                              bool longest, const PatternRules& rules);
[[nodiscard]] std::string_view without_suffix(std::string_view text, std::string_view pattern,
                                              bool longest, const PatternRules& rules);

// True if it holds an active * ? or a bracket expression that is closed, or a group.
[[nodiscard]] bool is_pattern(std::string_view pattern, bool extended = false);
// How many characters everything has that it matches; nothing if that differs.
[[nodiscard]] std::optional<size_t> fixed_length(std::string_view pattern,
                                                 const PatternRules& rules);
// Without the backslashes.
[[nodiscard]] std::string unescape(std::string_view pattern);

}  // namespace nacre::machine
