// What is legal in a regular expression, or in a set of tr, and was surely not meant.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nacre::commands {

enum class InSets : uint8_t { kBackslashIsPlain, kBackslashQuotes };  // as POSIX says; as awk does

// What is wrong with one of the sets of an expression, or nothing ("").
//   [SUFFIX]    names a character twice: one character of a word, where the word was meant
//   [^\[]]*     ends at the first `]`
std::string slip_in(std::string_view pattern, InSets backslash = InSets::kBackslashIsPlain);

// The second of them, where it is one in every dialect: in a word for a command that nothing is
// known of, and that is perhaps no expression at all.
std::string slip_in_any(std::string_view pattern);

// In a set of tr: `[:lower]` lists these characters, where the class `[:lower:]` was meant.
std::string slip_in_tr(std::string_view set);

}  // namespace nacre::commands
