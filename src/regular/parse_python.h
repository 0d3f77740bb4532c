// Python's re module (3.11): str patterns over code points, bytes patterns over bytes. Errors have
// re.error's messages and positions. Back-references parse, and lower.h refuses or widens them;
// conditional groups and \N{...} are refused here.
//
//   re.search(p, s)     lower(cx, regex, {.match = Match::kContains})
//   re.fullmatch(p, s)  lower(cx, regex, {.match = Match::kWhole})
//   re.match(p, s)      the same on p.*, with DOTALL: lower() + cx.all()
#pragma once

#include <string_view>

#include "base/result.h"
#include "regular/regex.h"

namespace nacre::regular {

struct PythonFlags {
  bool ignore_case = false;
  bool multiline = false;
  bool dot_all = false;
  bool verbose = false;
  bool ascii = false;
  bool is_bytes = false;  // a bytes pattern
};

// The pattern is UTF-8 for a str, raw for bytes.
Result<Regex> parse_python(std::string_view pattern, const PythonFlags& flags = {});

}  // namespace nacre::regular
