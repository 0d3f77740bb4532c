// Reading a line from a terminal with libedit: keys of emacs or vi, history, completion. The
// library is loaded when the first line is edited; a shell that runs a script never sees it, and
// without it lines are read as the terminal gives them.
#pragma once

#include <memory>
#include <string>

namespace nacre::machine {

struct Machine;

class LineEditor {
 public:
  // Null if standard input or error is no terminal, the terminal cannot move its cursor, or the
  // library is not there.
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

}  // namespace nacre::machine
