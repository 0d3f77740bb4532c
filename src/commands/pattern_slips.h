// What is legal in a regular expression, or in a set of tr, and was surely not meant.
#pragma once

#include <string>
#include <string_view>

namespace nacre::commands {

// Of a POSIX expression, basic or extended: what is wrong with one of its sets, or nothing ("").
//   [SUFFIX]    names a character twice: one character of a word, where the word was meant
//   [^\[]]*     ends at the first `]`: a backslash does not quote in a set
std::string slip_in(std::string_view pattern);

// Of a set of tr: `[:lower]` lists these characters, where the class `[:lower:]` was meant.
std::string slip_in_tr(std::string_view set);

}  // namespace nacre::commands
