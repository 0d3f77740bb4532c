// Where the machine reads commands from: a text (`-c`, `eval`, `.`, a script file, a trap) or a
// stream that is read line by line (standard input, a terminal).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/code.h"
#include "machine/state.h"
#include "shell/reader.h"

namespace nacre::machine {

struct Machine;

class Source {
 public:
  Source(shell::CommandReader reader, bool is_interactive, std::string name = "")
      : reader_(std::move(reader)), is_interactive_(is_interactive), name_(std::move(name)) {}
  static std::unique_ptr<Source> of_text(std::string name, std::string text);

  [[nodiscard]] shell::CommandReader& reader() { return reader_; }
  [[nodiscard]] bool is_interactive() const { return is_interactive_; }

  [[nodiscard]] const std::string& name() const { return name_; }

  bool is_function_like = false;               // `return` ends it: a dot script
  uint32_t line = 0;                           // of the command that reads it
  std::optional<Positional> outer_positional;  // of a dot script with parameters of its own
  bool counts_on = false;                      // its lines are numbered from `line` on
  bool is_toplevel = false;                    // the shell's own: survives errors when interactive

 private:
  shell::CommandReader reader_;
  bool is_interactive_;
  std::string name_;
};

}  // namespace nacre::machine
