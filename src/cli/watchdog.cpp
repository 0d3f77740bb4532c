#include "cli/watchdog.h"

#include <csignal>
#include <cstring>
#include <string_view>
#include <unistd.h>

namespace nacre::cli::watchdog {

namespace {

constexpr size_t kStackBytes = size_t{64} << 10;

constinit thread_local const char* subject = nullptr;
int argument_count = 0;
char** arguments = nullptr;

void say(std::string_view text) {
  const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
  (void)ignored;
}

// Names may hold escape sequences, and may be long.
void say_name(const char* name) {
  constexpr size_t kMaxBytes = 300;
  char shown[kMaxBytes];
  size_t size = 0;
  for (; size < kMaxBytes && name[size] != '\0'; ++size) {
    const auto c = static_cast<unsigned char>(name[size]);
    shown[size] = c < 0x20 || c >= 0x7f ? '?' : name[size];
  }
  say({shown, size});
}

const char* text_of(int signal) {
  switch (signal) {
    case SIGSEGV: return "internal error (SIGSEGV)";
    case SIGBUS: return "internal error (SIGBUS)";
    case SIGFPE: return "internal error (SIGFPE)";
    case SIGILL: return "internal error (SIGILL)";
    case SIGABRT: return "internal error (SIGABRT)";
    default: return "the limit of CPU time was reached";
  }
}

// Only what is safe in a handler: write(), and the default action at its end.
void explain(int signal, siginfo_t* information, void*) {
  const bool is_sent = information->si_code == SI_USER || information->si_code == SI_QUEUE;
  if (!is_sent) {
    say("nacre: ");
    say(text_of(signal));
    say(" while working on ");
    if (subject != nullptr) {
      say_name(subject);
    } else {
      for (int i = 1; i < argument_count && i < 20; ++i) {
        if (i > 1) say(" ");
        say_name(arguments[i]);
      }
    }
    say("\n");
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

void start(int argc, char** argv) {
  argument_count = argc;
  arguments = argv;
  static const Stack kStack;
  struct sigaction action {};
  action.sa_sigaction = explain;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) {
    struct sigaction old {};
    sigaction(signal, &action, &old);
    if (old.sa_handler != SIG_DFL) sigaction(signal, &old, nullptr);
  }
}

Subject::Subject(const std::string& name) { subject = name.c_str(); }
Subject::~Subject() { subject = nullptr; }

Stack::Stack() : memory_(new (std::nothrow) char[kStackBytes]) {
  stack_t stack = {};
  stack.ss_sp = memory_.get();
  stack.ss_size = kStackBytes;
  if (memory_ != nullptr) sigaltstack(&stack, nullptr);
}

Stack::~Stack() {
  stack_t stack = {};
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
}

}  // namespace nacre::cli::watchdog
