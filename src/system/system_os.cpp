#include "system/system_os.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "system/call_result.h"
#include "system/home_directory.h"

namespace nacre::system {
namespace {

constexpr int kFirstShellFd = 48;  // scripts seldom name one above 9, and never one above this
constexpr int kFirstSpareFd = 10;  // where the limit of descriptors is low
constexpr size_t kPipeCapacity = 65536;

// Written by the handler: the one thing a signal handler may touch.
volatile sig_atomic_t caught_signals[NSIG];
volatile sig_atomic_t any_caught;

void remember_signal(int signal) {
  caught_signals[signal] = 1;
  any_caught = 1;
}

// A copy that is out of the way of scripts. Above the limit of descriptors is "invalid" to the
// kernel.
int copy_above(int fd) {
  int copy = fcntl(fd, F_DUPFD_CLOEXEC, kFirstShellFd);
  if (copy < 0 && errno == EINVAL) copy = fcntl(fd, F_DUPFD_CLOEXEC, kFirstSpareFd);
  return copy >= 0 ? copy : errno == EINVAL ? -EMFILE : -errno;
}

int raise_fd(int fd) {
  if (fd < 0) return -errno;
  if (fd >= kFirstShellFd) return fd;
  int raised = copy_above(fd);
  ::close(fd);
  return raised;
}

// Runs in the child of vfork(): no allocation, nothing but system calls.
[[noreturn]] void become(const SpawnRequest& request, const sigset_t& mask, volatile int& error) {
  if (request.group >= 0) setpgid(0, request.group);
  if (request.terminal >= 0) tcsetpgrp(request.terminal, getpgrp());
  struct sigaction action = {};
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction old = {};
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler == remember_signal) {
      action.sa_handler = SIG_DFL;
      sigaction(signal, &action, nullptr);
    }
  }
  action.sa_handler = SIG_DFL;
  for (int signal : request.default_signals) sigaction(signal, &action, nullptr);
  action.sa_handler = SIG_IGN;
  for (int signal : request.ignored_signals) sigaction(signal, &action, nullptr);
  for (const FdMove& move : request.moves) {
    if (move.source < 0) {
      ::close(move.target);
    } else if (move.source == move.target) {
      fcntl(move.source, F_SETFD, 0);
    } else {
      dup2(move.source, move.target);
    }
  }
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  execve(request.path, request.argv, request.envp);
  error = errno;
  _exit(127);
}

}  // namespace

Pid SystemOs::fork() {
  settle_all();
  return result_of(::fork());
}

Pid SystemOs::spawn(const SpawnRequest& request) {
  settle_all();
  sigset_t all, old;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &old);
  volatile int error = 0;
  Pid pid = vfork();
  if (pid == 0) become(request, old, error);
  int fork_error = errno;
  if (pid > 0 && error != 0) {
    waitpid(pid, nullptr, 0);
    fork_error = error;
    pid = -1;
  }
  // Also here: the shell must not run on before the child is in its group.
  if (pid > 0 && request.group >= 0) setpgid(pid, request.group == 0 ? pid : request.group);
  sigprocmask(SIG_SETMASK, &old, nullptr);
  return pid < 0 ? -fork_error : pid;
}

int SystemOs::exec(const char* path, char* const* argv, char* const* envp) {
  settle_all();
  execve(path, argv, envp);
  return -errno;
}

void SystemOs::exit(int status) {
  settle_all();
  _exit(status);
}

void SystemOs::die_by(int signal) {
  settle_all();
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  ::signal(signal, SIG_DFL);
  sigset_t just;
  sigemptyset(&just);
  sigaddset(&just, signal);
  sigprocmask(SIG_UNBLOCK, &just, nullptr);
  raise(signal);
}

int SystemOs::wait(Pid pid, bool poll, bool report_stops, ChildEvent& event) {
  settle_all();
  int status = 0;
  int flags = (poll ? WNOHANG : 0) | (report_stops ? WUNTRACED | WCONTINUED : 0);
  Pid got = waitpid(pid, &status, flags);
  if (got <= 0) return result_of(got);
  event.pid = got;
  event.dumped_core = false;
  if (WIFEXITED(status)) {
    event.kind = ChildEvent::kExited;
    event.value = WEXITSTATUS(status);
  } else if (WIFSIGNALED(status)) {
    event.kind = ChildEvent::kSignaled;
    event.value = WTERMSIG(status);
    event.dumped_core = WCOREDUMP(status);
  } else if (WIFSTOPPED(status)) {
    event.kind = ChildEvent::kStopped;
    event.value = WSTOPSIG(status);
  } else {
    event.kind = ChildEvent::kContinued;
    event.value = 0;
  }
  return got;
}

// A signal that comes between looking for one and sleeping must not be missed: all are
// blocked meanwhile, and sigsuspend() lets them in while it sleeps. SIGCHLD wakes it only if it has
// a handler.
int SystemOs::wait_or_signal(bool report_stops, ChildEvent& event) {
  sigset_t all, old;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &old);
  struct sigaction wake = {}, before = {};
  wake.sa_handler = [](int) {};
  sigaction(SIGCHLD, nullptr, &before);
  bool needs_handler = before.sa_handler == SIG_DFL;
  if (needs_handler) sigaction(SIGCHLD, &wake, nullptr);
  int got = 0;
  while (peek_signal() == 0 && (got = wait(-1, true, report_stops, event)) == 0) sigsuspend(&old);
  if (needs_handler) sigaction(SIGCHLD, &before, nullptr);
  sigprocmask(SIG_SETMASK, &old, nullptr);
  return got == 0 ? -EINTR : got;
}

Pid SystemOs::process_id() { return getpid(); }
Pid SystemOs::parent_id() { return getppid(); }
Pid SystemOs::group_id() { return getpgrp(); }
int SystemOs::set_group(Pid pid, Pid group) { return result_of(setpgid(pid, group)); }
int SystemOs::send_signal(Pid pid, int signal) { return result_of(::kill(pid, signal)); }

Disposition SystemOs::disposition(int signal) {
  struct sigaction old = {};
  if (sigaction(signal, nullptr, &old) < 0 || old.sa_handler == SIG_DFL) {
    return Disposition::kDefault;
  }
  return old.sa_handler == SIG_IGN ? Disposition::kIgnore : Disposition::kCatch;
}

int SystemOs::set_disposition(int signal, Disposition disposition) {
  struct sigaction action = {};
  switch (disposition) {
    case Disposition::kDefault: action.sa_handler = SIG_DFL; break;
    case Disposition::kIgnore: action.sa_handler = SIG_IGN; break;
    case Disposition::kCatch: action.sa_handler = remember_signal; break;
  }
  return result_of(sigaction(signal, &action, nullptr));
}

const volatile int* SystemOs::pending_flag() const { return &any_caught; }

int SystemOs::take_signal() {
  any_caught = 0;
  for (int signal = 1; signal < NSIG; ++signal) {
    if (caught_signals[signal] != 0) {
      caught_signals[signal] = 0;
      any_caught = 1;  // there may be more
      return signal;
    }
  }
  return 0;
}

int SystemOs::peek_signal() const {
  for (int signal = 1; signal < NSIG; ++signal) {
    if (caught_signals[signal] != 0) return signal;
  }
  return 0;
}

bool SystemOs::is_terminal(int fd) { return isatty(fd) != 0; }
int SystemOs::set_typing(int fd, unsigned typing) {
  termios mode{};
  if (tcgetattr(fd, &mode) != 0) return -errno;
  unsigned old = ((mode.c_lflag & ECHO) != 0 ? world::kTypingIsShown : 0U) |
                 ((mode.c_lflag & ICANON) != 0 ? world::kTypingInLines : 0U);
  auto set = [&](tcflag_t flag, bool on) {
    mode.c_lflag = on ? mode.c_lflag | flag : mode.c_lflag & ~flag;
  };
  set(ECHO, (typing & world::kTypingIsShown) != 0);
  set(ICANON, (typing & world::kTypingInLines) != 0);
  mode.c_cc[VMIN] = 1;
  mode.c_cc[VTIME] = 0;
  tcsetattr(fd, TCSADRAIN, &mode);
  return static_cast<int>(old);
}
Pid SystemOs::terminal_group(int fd) { return result_of(tcgetpgrp(fd)); }
int SystemOs::set_terminal_group(int fd, Pid group) {
  sigset_t ttou, old;
  sigemptyset(&ttou);
  sigaddset(&ttou, SIGTTOU);
  sigprocmask(SIG_BLOCK, &ttou, &old);
  int result = result_of(tcsetpgrp(fd, group));
  sigprocmask(SIG_SETMASK, &old, nullptr);
  return result;
}

int SystemOs::open(const char* path, int flags, unsigned mode) {
  return raise_fd(::open(path, flags | O_CLOEXEC, mode));
}

int SystemOs::close(int fd) {
  forget_channel(fd);
  return result_of(::close(fd));
}

int SystemOs::duplicate(int fd) {
  settle(fd);
  return copy_above(fd);
}

int SystemOs::duplicate_to(int fd, int target) {
  settle(fd);
  forget_channel(target);
  if (fd == target) return result_of(fcntl(fd, F_SETFD, 0));
  return result_of(dup2(fd, target));
}

bool SystemOs::is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }
bool SystemOs::is_writable(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

int SystemOs::pipe(int ends[2]) {
  int made[2];
  if (pipe2(made, O_CLOEXEC) < 0) return -errno;
  ends[0] = raise_fd(made[0]);
  ends[1] = raise_fd(made[1]);
  if (ends[0] >= 0 && ends[1] >= 0) return 0;
  int error = ends[0] < 0 ? ends[0] : ends[1];
  for (int i = 0; i < 2; ++i) {
    if (ends[i] >= 0) ::close(ends[i]);
  }
  return error;
}

// A short text fits into a pipe; a long one goes to a file in memory.
int SystemOs::here_document(std::string_view text) {
  if (text.size() < kPipeCapacity) {
    int ends[2];
    if (int error = pipe(ends); error < 0) return error;
    ssize_t written = text.empty() ? 0 : ::write(ends[1], text.data(), text.size());
    ::close(ends[1]);
    if (written == static_cast<ssize_t>(text.size())) return ends[0];
    ::close(ends[0]);
  }
  int fd = raise_fd(memfd_create("here-document", MFD_CLOEXEC));
  while (fd >= 0 && !text.empty()) {
    ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      int error = errno;
      ::close(fd);
      return -error;
    }
    text.remove_prefix(static_cast<size_t>(written));
  }
  if (fd >= 0) lseek(fd, 0, SEEK_SET);
  return fd;
}

int SystemOs::wait_readable(int fd, int64_t nanoseconds) {
  settle(fd);
  pollfd wanted{fd, POLLIN, 0};
  return ::poll(&wanted, 1, static_cast<int>(nanoseconds / 1'000'000)) > 0 ? 1 : 0;
}

ssize_t SystemOs::read(int fd, char* buffer, size_t size) {
  settle(fd);
  ssize_t got = ::read(fd, buffer, size);
  return got < 0 ? -errno : got;
}

ssize_t SystemOs::write(int fd, const char* data, size_t size) {
  settle(fd);
  ssize_t put = ::write(fd, data, size);
  return put < 0 ? -errno : put;
}

SystemOs::Channel SystemOs::channel(int fd) {
  Channel* known =
      fd < static_cast<int>(channels_.size()) ? &channels_[static_cast<size_t>(fd)] : nullptr;
  if (known != nullptr && *known != Channel::kUnknown) return *known;
  struct stat status;
  Channel found = Channel::kOther;
  if (fstat(fd, &status) == 0) {
    if (S_ISREG(status.st_mode)) found = Channel::kSeekable;
    if (S_ISFIFO(status.st_mode)) found = Channel::kPipe;
  }
  if (known != nullptr) *known = found;
  return found;
}

void SystemOs::forget_channel(int fd) {
  settle(fd);
  if (fd >= 0 && fd < static_cast<int>(channels_.size())) {
    channels_[static_cast<size_t>(fd)] = Channel::kUnknown;
  }
}

void SystemOs::settle(int fd) {
  if (fd < 0 || fd != ahead_.fd) return;
  if (ahead_.begin != ahead_.end && channel(fd) == Channel::kSeekable) {
    lseek(fd, -static_cast<off_t>(ahead_.end - ahead_.begin), SEEK_CUR);
  }
  ahead_.fd = -1;
}

ssize_t SystemOs::read_until(int fd, char delimiter, char* buffer, size_t size) {
  switch (channel(fd)) {
    case Channel::kSeekable: return read_until_seekable(fd, delimiter, buffer, size);
    case Channel::kPipe: return read_until_pipe(fd, delimiter, buffer, size);
    default: {
      ssize_t got = ::read(fd, buffer, 1);
      return got < 0 ? -errno : got;
    }
  }
}

ssize_t SystemOs::read_until_seekable(int fd, char delimiter, char* buffer, size_t size) {
  if (ahead_.fd != fd || ahead_.begin == ahead_.end) {
    settle_all();
    ssize_t got = ::read(fd, ahead_.bytes.data(), ahead_.bytes.size());
    if (got <= 0) return got < 0 ? -errno : 0;
    ahead_.fd = fd;
    ahead_.begin = 0;
    ahead_.end = static_cast<size_t>(got);
  }
  const char* from = ahead_.bytes.data() + ahead_.begin;
  size_t count = std::min(size, ahead_.end - ahead_.begin);
  if (const void* found = memchr(from, delimiter, count)) {
    count = static_cast<size_t>(static_cast<const char*>(found) - from) + 1;
  }
  memcpy(buffer, from, count);
  ahead_.begin += count;
  return static_cast<ssize_t>(count);
}

// tee() copies what is in the pipe without taking it; read() then takes whole lines of it. What was
// seen stays true until another process could read from the pipe, which settle() announces.
ssize_t SystemOs::read_until_pipe(int fd, char delimiter, char* buffer, size_t size) {
  if (ahead_.fd != fd || ahead_.begin == ahead_.end) {
    settle_all();
    if (peek_pipe_[0] < 0 && pipe(peek_pipe_) < 0) {
      ssize_t got = ::read(fd, buffer, 1);
      return got < 0 ? -errno : got;
    }
    ssize_t seen = tee(fd, peek_pipe_[1], ahead_.bytes.size(), 0);
    if (seen <= 0) return seen < 0 ? -errno : 0;
    ssize_t got = ::read(peek_pipe_[0], ahead_.bytes.data(), static_cast<size_t>(seen));
    if (got != seen) return -EIO;
    ahead_.fd = fd;
    ahead_.begin = 0;
    ahead_.end = static_cast<size_t>(seen);
  }
  const char* from = ahead_.bytes.data() + ahead_.begin;
  size_t count = std::min(size, ahead_.end - ahead_.begin);
  if (const void* found = memchr(from, delimiter, count)) {
    count = static_cast<size_t>(static_cast<const char*>(found) - from) + 1;
  }
  ssize_t got = ::read(fd, buffer, count);
  if (got < 0) return -errno;
  ahead_.begin += static_cast<size_t>(got);
  return got;
}

unsigned SystemOs::set_file_mask(unsigned mask) { return ::umask(mask); }
unsigned SystemOs::user_id() { return geteuid(); }
unsigned SystemOs::group_of_user() { return getegid(); }

std::optional<std::string> SystemOs::home_of(const std::string& user) {
  return home_directory(user);
}

int SystemOs::limit(int resource, Limit& result) {
  rlimit found;
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &found) < 0) return -errno;
  result.soft = found.rlim_cur == RLIM_INFINITY ? world::kUnlimited : found.rlim_cur;
  result.hard = found.rlim_max == RLIM_INFINITY ? world::kUnlimited : found.rlim_max;
  return 0;
}

int SystemOs::set_limit(int resource, Limit value) {
  rlimit wanted;
  wanted.rlim_cur = value.soft == world::kUnlimited ? RLIM_INFINITY : value.soft;
  wanted.rlim_max = value.hard == world::kUnlimited ? RLIM_INFINITY : value.hard;
  return result_of(setrlimit(static_cast<__rlimit_resource_t>(resource), &wanted));
}

CpuTimes SystemOs::cpu_times() {
  auto of = [](int who, uint64_t& user, uint64_t& system) {
    rusage usage;
    getrusage(who, &usage);
    auto ns = [](const timeval& time) {
      return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000u +
             static_cast<uint64_t>(time.tv_usec) * 1'000u;
    };
    user = ns(usage.ru_utime);
    system = ns(usage.ru_stime);
  };
  CpuTimes times;
  of(RUSAGE_SELF, times.user, times.system);
  of(RUSAGE_CHILDREN, times.child_user, times.child_system);
  return times;
}

int64_t SystemOs::clock_ns() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace nacre::system
