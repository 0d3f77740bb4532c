// What the word before the cursor of an interactive shell could become: commands where a command
// stands, variables after a `$`, file names elsewhere. Pure but for what it asks the world about
// files; line_editor.cpp shows the result.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nacre::machine {
struct Machine;
}

namespace nacre::terminal {

using machine::Machine;

struct Completion {
  std::vector<std::string> candidates;  // whole names, sorted
  std::string insertion;                // what to type for the user; may be empty
};

// `line` ends at the cursor.
[[nodiscard]] Completion complete(Machine& machine, std::string_view line);

}  // namespace nacre::terminal
