// The terminal of an interactive shell: prompts, line editing, history and its file, news about
// jobs and mail.
#pragma once

#include <memory>
#include <string>

#include "machine/source.h"
#include "terminal/line_editor.h"
#include "terminal/mail.h"

namespace nacre::terminal {

class Terminal {
 public:
  // `machine` has its variables by now; both must outlive the source.
  explicit Terminal(Machine& machine);

  // The commands of standard input.
  [[nodiscard]] std::unique_ptr<machine::Source> source();
  // Appends to HISTFILE what it does not have yet.
  void save_history();

 private:
  bool read(std::string& buffer, bool is_continued);
  int read_line(const std::string& prompt, std::string& line);
  int read_plain(std::string& line);
  std::string prompt(bool is_continued);
  void remember(std::string line, bool is_continued);
  void update_size();
  void load_history();
  [[nodiscard]] size_t history_size() const;

  Machine& machine_;
  MailCheck mail_;
  std::unique_ptr<LineEditor> editor_;
  bool tried_editor_ = false;
  std::string file_;             // "": the history is not kept
  size_t saved_ = 0;             // entries that the file has
  std::string columns_, lines_;  // what update_size() has set
};

}  // namespace nacre::terminal
