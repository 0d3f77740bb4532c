// MAIL, MAILPATH and MAILCHECK: tells the user of an interactive shell that mail has come.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace nacre::machine {
struct Machine;
}

namespace nacre::terminal {

using machine::Machine;

class MailCheck {
 public:
  // Before a prompt. Writes a line for each mail box that has grown since the last look; how a box
  // was when it was first seen is not reported.
  void look(Machine& machine);

 private:
  void look_at(Machine& machine, const std::string& path, std::string message);

  std::map<std::string, int64_t> modified_;  // of the boxes that have been seen
  int64_t next_look_ = 0;                    // nanoseconds since 1970
};

}  // namespace nacre::terminal
