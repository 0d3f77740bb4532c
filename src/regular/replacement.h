// What a match is replaced by: texts, the match itself, groups of it, with GNU sed's changes of
// case.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace nacre::regular {

enum class LetterCase : uint8_t { kKeep, kUpper, kLower };

// Either a text, emitted as it is, or a reference.
struct ReplacementItem {
  std::string text;
  std::optional<uint32_t> group;         // 0: the whole match
  LetterCase all = LetterCase::kKeep;    // \U and \L, for references; texts are converted
  LetterCase first = LetterCase::kKeep;  // \u and \l: the first symbol only
  friend bool operator==(const ReplacementItem&, const ReplacementItem&) = default;
};

using Replacement = std::vector<ReplacementItem>;

inline Replacement replacement_text(std::string text) { return {{std::move(text), {}, {}, {}}}; }

// The right side of sed's s command, the delimiter's own escapes already undone: & and \0..\9, \n
// and the other escapes of GNU sed, \U \L \u \l \E. `group_count` is how many groups the pattern
// has; a reference to another one is sed's error.
Result<Replacement> parse_sed_replacement(std::string_view text, uint32_t group_count);

}  // namespace nacre::regular
