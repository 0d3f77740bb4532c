// awk's extended regular expressions, with awk's escapes (\/ \" \t \ddd \xHH, also in brackets).
// The pattern is what stands between the slashes of a regex, or the value of a string used as one
// (whose own escapes the awk parser has already undone).
#pragma once

#include <string_view>

#include "base/result.h"
#include "regular/regex.h"

namespace nacre::regular {

enum class Awk : uint8_t {
  kGawk,  // GNU's operators \y \B \< \> \w \s; intervals
  kMawk,  // 1.3.4 as Debian has it: no intervals, stricter about what can be repeated
};

struct AwkOptions {
  Awk awk = Awk::kGawk;
  bool folds_case = false;  // gawk's IGNORECASE
  Alphabet alphabet = Alphabet::kBytes;
};

Result<Regex> parse_awk(std::string_view pattern, const AwkOptions& options = {});

}  // namespace nacre::regular
