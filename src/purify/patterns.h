// Patterns of bash as patterns of `case`: extended globs and regular expressions, where a list of
// plain patterns matches the same strings. Every answer is checked: the languages are compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "purify/script.h"

namespace nacre::purify {

// A string matches if it matches one of `patterns`; or, if negated, none of them.
struct PatternList {
  std::vector<std::string> patterns;
  bool is_negated = false;

  [[nodiscard]] std::string text() const;  // a | b
};

// The pattern as it stands in `[[ x == pattern ]]` or in an arm of a `case`.
[[nodiscard]] std::optional<PatternList> plain_patterns(const Script& script,
                                                        const shell::Word& word);
// `[[ x =~ regex ]]`; the text of the regex as the shell would pass it on.
[[nodiscard]] std::optional<PatternList> patterns_of_regex(std::string_view regex);
// The text of the regex of `=~`, if it is constant.
[[nodiscard]] std::optional<std::string> regex_text(const Script& script, const shell::Word& word);

}  // namespace nacre::purify
