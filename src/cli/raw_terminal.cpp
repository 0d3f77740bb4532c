#include "cli/raw_terminal.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace nacre::cli {
namespace {

constexpr std::string_view kEnter = "\033[?1049h\033[?25l\033[2J";
constexpr std::string_view kLeave = "\033[?25h\033[?1049l";
constexpr int kFatal[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// For the signal handlers, which can reach nothing else.
termios g_original;
termios g_raw;
volatile sig_atomic_t g_must_redraw = 0;

// Only calls that signal handlers may make.
void write_now(std::string_view text) { (void)!::write(1, text.data(), text.size()); }

void enter() {
  tcsetattr(0, TCSADRAIN, &g_raw);
  write_now(kEnter);
}

void leave() {
  write_now(kLeave);
  tcsetattr(0, TCSADRAIN, &g_original);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);  // without SA_RESTART: key() has to look at the flag
}

// As if there were no handler; the signal is blocked until the handler returns.
void raise_default(int signal) {
  handle(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  ::raise(signal);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
}

void on_fatal(int signal) {
  leave();
  raise_default(signal);
}

void on_stop(int signal) {
  int old = errno;
  leave();
  raise_default(signal);
  handle(signal, on_stop);
  enter();
  g_must_redraw = 1;
  errno = old;
}

void on_resize(int) { g_must_redraw = 1; }

}  // namespace

RawTerminal::RawTerminal() {
  tcgetattr(0, &g_original);
  g_raw = g_original;
  g_raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  for (int signal : kFatal) handle(signal, on_fatal);
  handle(SIGTSTP, on_stop);
  handle(SIGWINCH, on_resize);
  enter();
}

RawTerminal::~RawTerminal() {
  for (int signal : kFatal) handle(signal, SIG_DFL);
  handle(SIGTSTP, SIG_DFL);
  handle(SIGWINCH, SIG_DFL);
  leave();
}

RawTerminal::Size RawTerminal::size() {
  winsize size = {};
  if (ioctl(1, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {80, 24};
  return {size.ws_col, size.ws_row};
}

void RawTerminal::put(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

int RawTerminal::key() {
  char c = 0;
  while (true) {
    if (g_must_redraw != 0) {
      g_must_redraw = 0;
      return kResized;
    }
    ssize_t got = ::read(0, &c, 1);
    if (got == 1) break;
    if (got == 0 || errno != EINTR) return kEnd;
  }
  if (c != '\033') return static_cast<unsigned char>(c);
  char rest[2];
  if (::read(0, rest, 2) != 2 || rest[0] != '[') return kOther;
  switch (rest[1]) {
    case 'A': return kUp;
    case 'B': return kDown;
    case 'C': return kRight;
    case 'D': return kLeft;
    default: return kOther;
  }
}

}  // namespace nacre::cli
