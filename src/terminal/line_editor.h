// Reading a line from a terminal with libedit: keys of emacs or vi, history, completion.
#pragma once

#include <memory>
#include <string>

namespace nacre::machine {
struct Machine;
}

namespace nacre::terminal {

using machine::Machine;

class LineEditor {
 public:
  // Null if standard input or error is no terminal, or the terminal cannot move its cursor.
  static std::unique_ptr<LineEditor> open(Machine& machine);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // Appends a line with its newline. 0 or less at the end of the file, -EINTR after an interrupt.
  int read(const std::string& prompt, std::string& to);

 private:
  struct Editor;
  explicit LineEditor(std::unique_ptr<Editor> editor);

  std::unique_ptr<Editor> editor_;
};

}  // namespace nacre::terminal
