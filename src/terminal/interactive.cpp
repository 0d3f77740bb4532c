#include "terminal/interactive.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/ioctl.h>

#include "machine/arithmetic.h"
#include "machine/machine.h"
#include "machine/read_file.h"

namespace nacre::terminal {

using machine::Option;
using machine::Options;
using machine::parse_integer;
using machine::read_file;
using machine::run;
using machine::Source;
namespace {

constexpr size_t kDefaultHistorySize = 500;
// A user who presses the end-of-file key this often wants to leave, whatever ignoreeof says.
constexpr int kMaxIgnoredEnds = 10;

// `!` is the number of the next command, `!!` is `!`.
std::string expand_exclamations(std::string_view text, size_t number) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '!') {
      result += text[i];
    } else if (i + 1 < text.size() && text[i + 1] == '!') {
      result += text[++i];
    } else {
      result += std::to_string(number);
    }
  }
  return result;
}

}  // namespace

Terminal::Terminal(Machine& machine) : machine_(machine) { load_history(); }

std::unique_ptr<Source> Terminal::source() {
  auto more = [this](std::string& buffer, bool is_continued) { return read(buffer, is_continued); };
  return std::make_unique<Source>(shell::CommandReader(more, "stdin"), true);
}

// Appends a line to `buffer`. False at the end of the input, and after an interrupt, which is still
// pending then.
bool Terminal::read(std::string& buffer, bool is_continued) {
  if (!is_continued) {
    update_size();
    machine_.report_jobs();
    mail_.look(machine_);
  }
  for (int ends = 1;; ++ends) {
    std::string line;
    int got = read_line(prompt(is_continued), line);
    if (got == -EINTR) {
      machine_.write_all(2, "\n");
      return false;
    }
    if (got <= 0 && line.empty()) {
      bool stays = machine_.state.options.has(Option::kIgnoreEof) && machine_.os->is_terminal(0) &&
                   ends < kMaxIgnoredEnds;
      if (!stays) return false;
      machine_.write_all(2, "\nUse \"exit\" to leave the shell.\n");
      continue;
    }
    buffer += line;
    if (line.ends_with('\n')) line.pop_back();
    remember(std::move(line), is_continued);
    return true;
  }
}

// COLUMNS and LINES follow the terminal unless the user has given them values.
void Terminal::update_size() {
  winsize size = {};
  if (!machine_.os->is_terminal(0) || ::ioctl(0, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return;
  auto set = [this](std::string_view name, std::string& last, unsigned value) {
    const std::string* now = machine_.state.variables.get(name);
    if (now != nullptr && *now != last) return;
    last = std::to_string(value);
    machine_.assign(machine_.state.variables.id(name), last);
  };
  set("COLUMNS", columns_, size.ws_col);
  set("LINES", lines_, size.ws_row);
}

std::string Terminal::prompt(bool is_continued) {
  const std::string* variable = machine_.state.variables.get(is_continued ? "PS2" : "PS1");
  if (variable == nullptr) return "";
  std::string text = machine_.expand_prompt(*variable);
  return is_continued ? text : expand_exclamations(text, machine_.state.history.size() + 1);
}

int Terminal::read_line(const std::string& prompt, std::string& line) {
  const Options& options = machine_.state.options;
  bool edits = options.has(Option::kVi) || options.has(Option::kEmacs);
  if (edits && !tried_editor_) {
    tried_editor_ = true;
    editor_ = LineEditor::open(machine_);
  }
  if (edits && editor_ != nullptr) return editor_->read(prompt, line);
  machine_.write_all(2, prompt);
  return read_plain(line);
}

// Never beyond the line, so that commands can read what follows.
int Terminal::read_plain(std::string& line) {
  while (true) {
    char piece[4096];
    auto got = static_cast<int>(machine_.os->read_until(0, '\n', piece, sizeof piece));
    if (got == -EINTR && machine_.os->peek_signal() == 0) continue;
    if (got <= 0) return got;
    line.append(piece, static_cast<size_t>(got));
    if (line.back() == '\n') return got;
  }
}

// One entry for a command, however many lines it has.
void Terminal::remember(std::string line, bool is_continued) {
  std::vector<std::string>& history = machine_.state.history;
  if (is_continued && !history.empty()) {
    history.back() += '\n' + line;
  } else if (line.find_first_not_of(" \t") != std::string::npos) {
    save_history();
    history.push_back(std::move(line));
  }
}

size_t Terminal::history_size() const {
  int64_t size = 0;
  const std::string* text = machine_.state.variables.get("HISTSIZE");
  bool is_number = text != nullptr && parse_integer(*text, size) && size >= 0;
  return is_number ? static_cast<size_t>(size) : kDefaultHistorySize;
}

// HISTFILE has one entry in a line; newlines within are zero bytes.
void Terminal::load_history() {
  if (!machine_.os->is_terminal(0)) return;  // commands from elsewhere are no history
  const std::string* file = machine_.state.variables.get("HISTFILE");
  const std::string* home = machine_.state.variables.get("HOME");
  if (file != nullptr) {
    file_ = *file;
  } else if (home != nullptr) {
    file_ = *home + "/.sh_history";
  }
  std::string text;
  if (file_.empty() || read_file(*machine_.os, file_.c_str(), text) < 0) return;
  std::vector<std::string>& history = machine_.state.history;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string& entry = history.emplace_back(text.substr(at, end - at));
    std::replace(entry.begin(), entry.end(), '\0', '\n');
    at = end + 1;
  }
  if (history.size() > history_size()) {
    history.erase(history.begin(), history.end() - static_cast<ptrdiff_t>(history_size()));
  }
  saved_ = history.size();
}

// Appending keeps what shells that run at the same time have saved.
void Terminal::save_history() {
  const std::vector<std::string>& history = machine_.state.history;
  if (file_.empty() || saved_ >= history.size()) return;
  std::string text;
  for (; saved_ < history.size(); ++saved_) {
    std::string entry = history[saved_];
    std::replace(entry.begin(), entry.end(), '\n', '\0');
    text += entry + '\n';
  }
  int fd = machine_.os->open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0) return;
  machine_.write_all(fd, text);
  machine_.os->close(fd);
}

}  // namespace nacre::terminal
