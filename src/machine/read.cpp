// read: one line, split into variables. What has been read of a line stays in the machine, so that
// a world which blocks in the middle of it can go on.
#include <cerrno>
#include <cstring>
#include <fmt/format.h>

#include "machine/builtin_options.h"
#include "machine/builtins.h"
#include "machine/machine.h"

namespace nacre::machine {
namespace {

struct ReadOptions {
  bool raw = false;
  char delimiter = '\n';
  std::string_view prompt;
  size_t first_name = 0;
};

// A line with the marks of what was escaped: such characters separate nothing.
struct Line {
  std::string text;
  std::vector<bool> escaped;  // empty: none is

  [[nodiscard]] bool is_escaped(size_t i) const { return i < escaped.size() && escaped[i]; }
};

// Reads to the end of the line into `raw`. 0: the delimiter was found; 1: end of file first;
// kNotReady: call again. A long line takes several calls, so that a world can count what it takes.
int read_line(Machine& machine, const ReadOptions& options, std::string& raw) {
  constexpr size_t kMaxAtOnce = size_t{1} << 16;
  int fd = machine.io[0];
  size_t enough = raw.size() + kMaxAtOnce;
  while (true) {
    if (raw.size() > enough) return kNotReady;
    char buffer[4096];
    ssize_t got = machine.os->read_until(fd, options.delimiter, buffer, sizeof buffer);
    if (got == world::kWouldBlock) return kNotReady;
    if (got == -EINTR) {
      if (int signal = machine.os->peek_signal(); signal != 0) return 128 + signal;
      continue;
    }
    if (got < 0) {
      machine.builtin_error("read", std::strerror(static_cast<int>(-got)));
      return 2;
    }
    if (got == 0) return 1;
    raw.append(buffer, static_cast<size_t>(got));
    if (raw.back() != options.delimiter) continue;
    raw.pop_back();
    if (options.raw) return 0;
    // A backslash before the newline continues the line; an even number of them does not.
    size_t backslashes = 0;
    while (backslashes < raw.size() && raw[raw.size() - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return 0;
    if (options.delimiter == '\n') {
      raw.pop_back();
      if (machine.is_interactive() && machine.os->is_terminal(fd))
        machine.write_all(machine.io[2], "> ");
    } else {
      raw += options.delimiter;
    }
  }
}

Line unescaped(std::string raw, bool is_raw) {
  Line line;
  if (is_raw || raw.find('\\') == std::string::npos) {
    line.text = std::move(raw);
  } else {
    for (size_t i = 0; i < raw.size(); ++i) {
      bool escapes = raw[i] == '\\';
      if (escapes && ++i == raw.size()) break;
      line.text += raw[i];
      line.escaped.push_back(escapes);
    }
  }
  if (line.text.find('\0') != std::string::npos) std::erase(line.text, '\0');
  return line;
}

class LineSplitter {
 public:
  LineSplitter(Machine& machine, const Line& line) : machine_(machine), line_(line) {
    skip_blanks();
  }

  // The next field and its separator.
  std::string_view field() {
    size_t begin = at_;
    while (at_ < line_.text.size() && separator(at_) == 0) ++at_;
    std::string_view result = std::string_view(line_.text).substr(begin, at_ - begin);
    skip_blanks();
    if (at_ < line_.text.size() && separator(at_) != 0) {
      at_ += separator(at_);
      skip_blanks();
    }
    return result;
  }

  // All that is left; a single field loses its separator.
  std::string_view rest() {
    size_t begin = at_;
    std::string_view single = field();
    if (at_ >= line_.text.size()) return single;
    size_t end = line_.text.size();
    while (end > begin && is_blank(end - 1)) --end;
    return std::string_view(line_.text).substr(begin, end - begin);
  }

 private:
  // The size of the character of IFS at `i`, or 0.
  size_t separator(size_t i) const {
    return line_.is_escaped(i) ? 0 : machine_.separator_at(line_.text, i);
  }
  bool is_blank(size_t i) const {
    uint8_t kind = machine_.char_class[static_cast<uint8_t>(line_.text[i])];
    return (kind & kIfsBlank) != 0 && !line_.is_escaped(i);
  }
  void skip_blanks() {
    while (at_ < line_.text.size() && is_blank(at_)) ++at_;
  }

  Machine& machine_;
  const Line& line_;
  size_t at_ = 0;
};

}  // namespace

int run_read(Machine& machine, Args args) {
  ReadOptions options;
  OptionScanner scanner(args, "rd:p:");
  while (char letter = scanner.next()) {
    switch (letter) {
      case 'r': options.raw = true; break;
      case 'd': options.delimiter = scanner.value().empty() ? '\0' : scanner.value()[0]; break;
      case 'p': options.prompt = scanner.value(); break;
      default:
        return machine.builtin_failure(args[0], fmt::format("-{}: bad option", scanner.letter()),
                                       2);
    }
  }
  size_t first = scanner.operands();
  for (size_t i = first; i < args.size(); ++i) {
    if (!is_name(args[i]))
      return machine.builtin_failure(args[0], fmt::format("{}: bad variable name", args[i]), 2);
  }
  if (first >= args.size())
    return machine.builtin_failure(args[0], "a variable name is missing", 2);
  if (!options.prompt.empty() && machine.read_buffer.empty() &&
      machine.os->is_terminal(machine.io[0])) {
    machine.write_all(machine.io[2], options.prompt);
  }
  int status = read_line(machine, options, machine.read_buffer);
  if (status == kNotReady) return status;
  std::string raw = std::move(machine.read_buffer);
  machine.read_buffer.clear();
  if (status > 1) return status;
  Line line = unescaped(std::move(raw), options.raw);
  LineSplitter splitter(machine, line);
  Variables& variables = machine.state.variables;
  for (size_t i = first; i < args.size(); ++i) {
    std::string value(i + 1 < args.size() ? splitter.field() : splitter.rest());
    if (!machine.assign(variables.id(args[i]), value)) status = 2;
  }
  return status;
}

}  // namespace nacre::machine
