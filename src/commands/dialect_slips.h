// Patterns that are legal in the dialect of their command and make sense only in another one: `\d`
// and `a+` for grep without -E, `*.log` for a regular expression, `.*\.txt` for find -name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nacre::commands {

enum class PatternDialect : uint8_t { kBasic, kExtended, kFixed, kGlob };

// What is wrong and how to write it, or nothing ("").
std::string dialect_slip(std::string_view pattern, PatternDialect dialect);

}  // namespace nacre::commands
