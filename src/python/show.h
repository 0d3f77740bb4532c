// Values and sets of words as people read them: Python literals and Python regexes.
#pragma once

#include <string>
#include <string_view>

#include "python/program.h"

namespace nacre::python {

// A regex for `lang()`: full match, `.` matches every character. Small sets of words are shown as
// such; a set without a readable regex by its length and some of its words.
std::string show(const Program& program, Words words);

// "list[[0-9]+]", "int in 0 .. 59", "str | None".
std::string show(const Program& program, const Type& type);

std::string python_literal(std::string_view utf8);

}  // namespace nacre::python
