// Nacre's type syntax (docs/types.md): extended regular expressions that describe whole strings,
// with
// `&` for intersection, `!` or `~` for complement, `{name}` for named types, and five operations
// that do to a type what tr, cut, sed, grep -o and rev do to a line.
//
//   Result<Lang> type = parse_type(cx, "[0-9]+ {abs_path} & !(.*\\.bak)");
//
// Over code points (Python) the same text describes strings of characters; escapes \uHHHH and
// \UHHHHHHHH name them.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "base/budget.h"
#include "base/result.h"
#include "regular/lang.h"

namespace nacre::regular {

struct TypeOptions {
  // What `{name}` means beyond named_types(), which it may also redefine; nothing: no such name.
  std::function<std::optional<Lang>(Context&, std::string_view name)> lookup;
  Budget budget = {};
};

// Errors have their place in `text` and say what was expected.
Result<Lang> parse_type(Context& context, std::string_view text, const TypeOptions& options = {});

}  // namespace nacre::regular
