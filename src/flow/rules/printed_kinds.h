// Whether a value that commands printed can be what its place wants, by the kinds of lines that it
// is made of (commands/line_kind.h).
#pragma once

#include <optional>
#include <string>

#include "flow/rules/rule_context.h"

namespace nacre::flow {

// Why the value is never in `wanted`: the kind of line that is to blame, or all of it; nothing if
// it may be. An empty value is another matter, and not looked at.
struct Mismatch {
  Lang texts;        // that do not fit
  std::string what;  // "the heading of docker ps", "the USER column of ps", or empty
};
std::optional<Mismatch> mismatch(const Value& value, Lang wanted, const RuleContext& in);

// Two kinds of lines that come in every run: a value of at least two lines.
bool has_two_lines(const Value& value);

// The word that stands for a value that is not there (null, None); nothing if there is none.
std::optional<std::string> missing_word(const Value& value);

}  // namespace nacre::flow
