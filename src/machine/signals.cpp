#include "machine/signals.h"

#include <csignal>
#include <cstring>
#include <fmt/format.h>

#include "base/ascii.h"

namespace nacre::machine {

namespace {

struct Signal {
  int number;
  const char* name;
  const char* description;
};

// As Linux and glibc name them; the numbers are those of the platform's own <csignal>.
constexpr Signal kSignals[] = {
    {SIGHUP, "HUP", "Hangup"},
    {SIGINT, "INT", "Interrupt"},
    {SIGQUIT, "QUIT", "Quit"},
    {SIGILL, "ILL", "Illegal instruction"},
    {SIGTRAP, "TRAP", "Trace/breakpoint trap"},
    {SIGABRT, "ABRT", "Aborted"},
    {SIGBUS, "BUS", "Bus error"},
    {SIGFPE, "FPE", "Floating point exception"},
    {SIGKILL, "KILL", "Killed"},
    {SIGUSR1, "USR1", "User defined signal 1"},
    {SIGSEGV, "SEGV", "Segmentation fault"},
    {SIGUSR2, "USR2", "User defined signal 2"},
    {SIGPIPE, "PIPE", "Broken pipe"},
    {SIGALRM, "ALRM", "Alarm clock"},
    {SIGTERM, "TERM", "Terminated"},
    {SIGSTKFLT, "STKFLT", "Stack fault"},
    {SIGCHLD, "CHLD", "Child exited"},
    {SIGCONT, "CONT", "Continued"},
    {SIGSTOP, "STOP", "Stopped (signal)"},
    {SIGTSTP, "TSTP", "Stopped"},
    {SIGTTIN, "TTIN", "Stopped (tty input)"},
    {SIGTTOU, "TTOU", "Stopped (tty output)"},
    {SIGURG, "URG", "Urgent I/O condition"},
    {SIGXCPU, "XCPU", "CPU time limit exceeded"},
    {SIGXFSZ, "XFSZ", "File size limit exceeded"},
    {SIGVTALRM, "VTALRM", "Virtual timer expired"},
    {SIGPROF, "PROF", "Profiling timer expired"},
    {SIGWINCH, "WINCH", "Window changed"},
    {SIGIO, "POLL", "I/O possible"},
    {SIGPWR, "PWR", "Power failure"},
    {SIGSYS, "SYS", "Bad system call"},
};

const Signal* find_signal(int number) {
  for (const Signal& each : kSignals)
    if (each.number == number) return &each;
  return nullptr;
}

}  // namespace

std::string signal_name(int signal) {
  if (signal == 0) return "EXIT";
  if (signal == kErrTrap) return "ERR";
  if (signal == kDebugTrap) return "DEBUG";
  if (signal == kReturnTrap) return "RETURN";
  if (const Signal* known = find_signal(signal)) return known->name;
  if (signal == SIGRTMIN) return "RTMIN";
  if (signal == SIGRTMAX) return "RTMAX";
  if (signal > SIGRTMIN && signal < SIGRTMAX) return fmt::format("RTMIN+{}", signal - SIGRTMIN);
  return "";
}

std::string signal_description(int signal) {
  const Signal* known = find_signal(signal);
  return known != nullptr ? known->description : "Signal " + std::to_string(signal);
}

namespace {

std::string in_capitals(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return upper;
}

}  // namespace

std::optional<int> signal_number(std::string_view text) {
  if (is_digits(text)) {
    if (text.size() > 3) return std::nullopt;
    int number = std::stoi(std::string(text));
    return number < NSIG ? std::optional(number) : std::nullopt;
  }
  std::string upper = in_capitals(text);
  if (upper.starts_with("SIG")) upper.erase(0, 3);
  if (upper.empty()) return std::nullopt;
  for (int signal = 0; signal < NSIG; ++signal) {
    if (signal_name(signal) == upper) return signal;
  }
  return std::nullopt;
}

std::optional<int> trap_number(std::string_view text, bool in_bash) {
  for (int trap = kErrTrap; in_bash && trap < kTrapCount; ++trap) {
    if (in_capitals(text) == signal_name(trap)) return trap;
  }
  return signal_number(text);
}

}  // namespace nacre::machine
