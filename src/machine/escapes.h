// Backslash escapes of `echo`, of %b and of the format of `printf`.
#pragma once

#include <string>
#include <string_view>

namespace nacre::machine {

// Appends the character of the escape that starts at text[at] (a backslash) and moves past it.
// `in_argument`: of echo and %b, where octal is \0ddd and \c ends all output. False after \c.
// `in_bash`: also \xhh, \uhhhh, \Uhhhhhhhh and \e.
bool append_escape(std::string_view text, size_t& at, bool in_argument, std::string& to,
                   bool in_bash = false);
// A whole argument; false after \c.
bool append_escaped(std::string_view text, std::string& to, bool in_bash = false);

}  // namespace nacre::machine
