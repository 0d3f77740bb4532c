// read: one line, split into variables. What has been read of a line stays in the machine, so that
// a world which blocks in the middle of it can go on.
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

#include "machine/arithmetic.h"
#include "machine/builtin_options.h"
#include "machine/builtins.h"
#include "machine/machine.h"

namespace nacre::machine {
namespace {

struct ReadOptions {
  bool raw = false;
  char delimiter = '\n';
  std::string_view prompt;
  // Only in bash.
  std::string_view array;             // -a
  size_t max_characters = 0;          // -n, -N; 0: no limit
  bool is_exact = false;              // -N: the delimiter is ordinary
  std::optional<int64_t> timeout_ns;  // -t
  int fd = 0;                         // -u
  bool is_silent = false;             // -s: a terminal does not show what is typed
  char editing = 0;                   // -e or -i, which only matter on a terminal
};

// A line with the marks of what was escaped: such characters separate nothing.
struct Line {
  std::string text;
  std::vector<bool> escaped;  // empty: none is

  [[nodiscard]] bool is_escaped(size_t i) const { return i < escaped.size() && escaped[i]; }
};

// Redirections of `read` itself are not applied to the shell's descriptors.
int descriptor_of(const Machine& machine, const ReadOptions& options) {
  return options.fd < 3 ? machine.io[options.fd]
                        : machine.resolve(options.fd, machine.frames.back().base.moves);
}

std::string read_failure(const Machine& machine, const ReadOptions& options, int error) {
  std::string_view why = std::strerror(error);
  if (!machine.is_bash()) return std::string(why);
  if (options.fd != 0 && error == EBADF) {
    return fmt::format("{}: invalid file descriptor: {}", options.fd, why);
  }
  return fmt::format("read error: {}: {}", options.fd, why);
}

// Reads to the end of the line into `raw`. 0: the delimiter was found; 1: end of file first;
// kNotReady: call again. A long line takes several calls, so that a world can count what it takes.
int read_line(Machine& machine, const ReadOptions& options, std::string& raw) {
  constexpr size_t kMaxAtOnce = size_t{1} << 16;
  int fd = descriptor_of(machine, options);
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
      machine.builtin_error("read", read_failure(machine, options, static_cast<int>(-got)));
      return machine.is_bash() ? 1 : 2;
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

  [[nodiscard]] bool is_done() const { return at_ >= line_.text.size(); }

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

// -n and -N: at most that many characters, one byte at a time so that none is taken too many.
int read_characters(Machine& machine, const ReadOptions& options, std::string& raw) {
  int fd = descriptor_of(machine, options);
  while (true) {
    size_t shown = 0;
    bool is_escaped = false;
    for (std::string_view rest = raw; !rest.empty();) {
      size_t size = machine.state.locale.next(rest);
      is_escaped = !options.raw && !is_escaped && rest[0] == '\\';
      if (!is_escaped) ++shown;
      rest.remove_prefix(size);
    }
    if (shown >= options.max_characters) return 0;
    char byte = 0;
    machine.os->settle(fd);
    ssize_t got = machine.os->read(fd, &byte, 1);
    if (got == world::kWouldBlock) return kNotReady;
    if (got == -EINTR) {
      if (int signal = machine.os->peek_signal(); signal != 0) return 128 + signal;
      continue;
    }
    if (got < 0) {
      machine.builtin_error("read", read_failure(machine, options, static_cast<int>(-got)));
      return machine.is_bash() ? 1 : 2;
    }
    if (got == 0) return 1;
    if (!options.is_exact && byte == options.delimiter && !is_escaped) return 0;
    raw += byte;
  }
}

// A terminal that hides what is typed (-s), or gives each character at once (-n, -N), until the
// line is there. A signal that ends the shell must not leave it so.
class QuietTerminal {
 public:
  QuietTerminal(Machine& machine, const ReadOptions& options)
      : machine_(machine), fd_(descriptor_of(machine, options)) {
    bool is_limited = options.max_characters > 0;
    if ((!options.is_silent && !is_limited) || !machine.os->is_terminal(fd_)) return;
    unsigned wanted =
        (options.is_silent ? 0 : world::kTypingIsShown) | (is_limited ? 0 : world::kTypingInLines);
    for (int signal : kFatal) {
      if (machine.os->disposition(signal) != world::Disposition::kDefault) continue;
      machine.os->set_disposition(signal, world::Disposition::kCatch);
      caught_.push_back(signal);
    }
    old_ = machine.os->set_typing(fd_, wanted);
  }
  QuietTerminal(const QuietTerminal&) = delete;
  QuietTerminal& operator=(const QuietTerminal&) = delete;
  ~QuietTerminal() { restore(); }

  void restore() {
    if (old_ >= 0) machine_.os->set_typing(fd_, static_cast<unsigned>(old_));
    old_ = -1;
    std::vector<int> caught = std::exchange(caught_, {});
    int pending = machine_.os->peek_signal();
    for (int signal : caught) {
      machine_.os->set_disposition(signal, world::Disposition::kDefault);
      if (signal == pending) machine_.os->die_by(signal);
    }
  }

 private:
  static constexpr int kFatal[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

  Machine& machine_;
  int fd_;
  int old_ = -1;
  std::vector<int> caught_;  // which would have ended the shell
};

// -t: 0 once there is something to read, kNotReady to ask again, otherwise the status of a timeout.
int wait_for_input(Machine& machine, const ReadOptions& options) {
  constexpr int kTimedOut = 142;  // 128 + SIGALRM
  int ready = machine.os->wait_readable(descriptor_of(machine, options), *options.timeout_ns);
  if (ready == world::kWouldBlock) return kNotReady;
  if (*options.timeout_ns == 0) return ready > 0 ? -3 : 1;
  return ready > 0 ? 0 : kTimedOut;
}

int scan(Machine& machine, OptionScanner& scanner, Args args, ReadOptions& options) {
  while (char letter = scanner.next()) {
    int64_t number = 0;
    bool is_number = letter == 'n' || letter == 'N' || letter == 'u';
    if (is_number && (!parse_integer(scanner.value(), number) || number < 0)) {
      return machine.builtin_failure(args[0], fmt::format("{}: invalid number", scanner.value()));
    }
    switch (letter) {
      case 'r': options.raw = true; break;
      case 'd': options.delimiter = scanner.value().empty() ? '\0' : scanner.value()[0]; break;
      case 'p': options.prompt = scanner.value(); break;
      case 'a': options.array = scanner.value(); break;
      case 'n':
      case 'N':
        options.max_characters = static_cast<size_t>(number);
        options.is_exact = letter == 'N';
        break;
      case 'u': options.fd = static_cast<int>(number); break;
      case 't': {
        std::string text(scanner.value());
        char* end = nullptr;
        double seconds = std::strtod(text.c_str(), &end);
        if (end == text.c_str() || *end != '\0' || seconds < 0) {
          return machine.builtin_failure(args[0],
                                         fmt::format("{}: invalid timeout specification", text));
        }
        options.timeout_ns = static_cast<int64_t>(seconds * 1e9);
        break;
      }
      case 's': options.is_silent = true; break;
      case 'e':
      case 'i': options.editing = letter; break;
      default:
        return machine.builtin_failure(
            args[0],
            fmt::format("-{}: {} option", scanner.letter(), machine.is_bash() ? "invalid" : "bad"),
            2);
    }
  }
  return 0;
}

int assign_array(Machine& machine, const ReadOptions& options, LineSplitter& splitter, int status) {
  NameId id = machine.assignable(machine.names().intern(options.array));
  if (id == kNoName) return 1;
  Array& array = machine.state.variables.array_for_change(id);
  array.clear();
  array.is_assigned = true;
  for (int64_t i = 0; !splitter.is_done(); ++i) {
    array.at(Key(i)) = std::string(splitter.field());
  }
  return status;
}

}  // namespace

int run_read(Machine& machine, Args args) {
  ReadOptions options;
  OptionScanner scanner(args, machine.is_bash() ? "rd:p:a:n:N:t:u:esi:" : "rd:p:");
  if (int failed = scan(machine, scanner, args, options)) return failed;
  if (options.editing != 0 && machine.os->is_terminal(descriptor_of(machine, options))) {
    return machine.builtin_failure(
        args[0], fmt::format("-{}: not supported on a terminal", options.editing), 2);
  }
  size_t first = scanner.operands();
  for (size_t i = first; i < args.size(); ++i) {
    size_t bracket = machine.is_bash() ? args[i].find('[') : std::string_view::npos;
    if (is_name(args[i].substr(0, bracket))) continue;
    if (machine.is_bash())
      return machine.builtin_failure(args[0], fmt::format("`{}': not a valid identifier", args[i]));
    return machine.builtin_failure(args[0], fmt::format("{}: bad variable name", args[i]), 2);
  }
  if (first >= args.size() && !machine.is_bash())
    return machine.builtin_failure(args[0], "a variable name is missing", 2);
  if (!options.prompt.empty() && machine.read_buffer.empty() &&
      machine.os->is_terminal(descriptor_of(machine, options))) {
    machine.write_all(machine.io[2], options.prompt);
  }
  QuietTerminal terminal(machine, options);
  if (options.timeout_ns && machine.read_buffer.empty()) {
    int waited = wait_for_input(machine, options);
    if (waited == -3) return 0;  // read -t 0 only asks
    if (waited != 0) return waited;
  }
  bool is_limited = options.max_characters > 0;
  int status = is_limited ? read_characters(machine, options, machine.read_buffer)
                          : read_line(machine, options, machine.read_buffer);
  if (status == kNotReady) return status;
  terminal.restore();
  std::string raw = std::move(machine.read_buffer);
  machine.read_buffer.clear();
  if (status > 1) return status;
  Line line = unescaped(std::move(raw), options.raw);
  if (first >= args.size() && options.array.empty()) {  // REPLY gets the line as it is
    return machine.assign(machine.names().intern("REPLY"), line.text) ? status : 2;
  }
  if (options.is_exact && options.array.empty()) {  // -N splits nothing
    bool assigned = machine.assign_named(args[first], line.text);
    for (size_t i = first + 1; i < args.size(); ++i) assigned &= machine.assign_named(args[i], "");
    return assigned ? status : 2;
  }
  LineSplitter splitter(machine, line);
  if (!options.array.empty()) return assign_array(machine, options, splitter, status);
  for (size_t i = first; i < args.size(); ++i) {
    std::string value(i + 1 < args.size() ? splitter.field() : splitter.rest());
    if (!machine.assign_named(args[i], value)) status = machine.is_bash() ? 1 : 2;
  }
  return status;
}

}  // namespace nacre::machine
