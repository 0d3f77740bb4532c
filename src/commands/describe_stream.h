// A stream as text for people: "[0-9]+", "1 line: [0-9]+", "PID CMD, then [0-9]+ .+".
#pragma once

#include <functional>
#include <string>

#include "commands/stream.h"
#include "regular/print.h"

namespace nacre::commands {

// "1 line: ", "at most 3 lines: ", or nothing.
std::string describe_count(const LineCount& count);

std::string describe(const Stream& stream, const regular::PrintOptions& options = {});
// The same with texts of languages that are made elsewhere.
std::string describe(const Stream& stream, const std::function<std::string(Lang)>& describe_line);

}  // namespace nacre::commands
