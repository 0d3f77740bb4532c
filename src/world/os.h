// The outside world as the shell sees it: processes, signals and job control; files; terminals;
// clocks. The machine reaches nothing except through these calls, so that the same semantics runs
// on the real system, in a simulated world and in a symbolic one. Every fault can be injected here.
//
// Conventions. A call returns a value >= 0, or -errno. A call that cannot finish yet in a world
// that schedules its own processes returns kWouldBlock; the machine then stops at the same step and
// is resumed later. The system world really blocks and never returns it; it may return -EINTR when
// a signal arrived.
//
// fork() returns twice in the system world. A world in which processes are values clones the
// machine that calls it: the caller arranges its state so that the clone can go on from the next
// step (it reads the result of the fork from the value that its clone is given).
//
// One Os belongs to one process (its descriptors, its signals); it is not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace nacre::world {

using Pid = int;

constexpr int kWouldBlock = -1000;
constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;

// How the child of spawn() or a redirected command gets its descriptors: in order, `target` becomes
// a copy of `source`, or is closed when `source` is negative.
struct FdMove {
  int target;
  int source;
};

enum class Disposition : uint8_t { kDefault, kIgnore, kCatch };

// A process to start without copying the shell.
struct SpawnRequest {
  const char* path;
  char* const* argv;
  char* const* envp;
  std::span<const FdMove> moves;
  Pid group = -1;                        // -1: the shell's; 0: its own; otherwise that one
  int terminal = -1;                     // not -1: becomes the foreground group of that terminal
  std::span<const int> default_signals;  // reset even if the shell ignores them
  std::span<const int> ignored_signals;
};

struct ChildEvent {
  Pid pid = 0;
  enum Kind : uint8_t { kExited, kSignaled, kStopped, kContinued } kind = kExited;
  int value = 0;  // exit status or signal
  bool dumped_core = false;
};

enum class FileKind : uint8_t {
  kRegular,
  kDirectory,
  kLink,
  kFifo,
  kSocket,
  kBlockDevice,
  kCharacterDevice,
};

struct FileStatus {
  FileKind kind = FileKind::kRegular;
  unsigned mode = 0;  // permission bits and set-id, sticky bits
  uint64_t size = 0;
  unsigned owner = 0;
  unsigned group = 0;
  uint64_t device = 0;
  uint64_t inode = 0;
  uint32_t links = 1;
  uint64_t blocks = 0;  // of 512 bytes
  int64_t modified_ns = 0;
  int64_t accessed_ns = 0;
  int64_t changed_ns = 0;
};

// Instead of an owner, a group or a time: leave it as it is; for times also: the present.
constexpr unsigned kSameOwner = ~0u;
constexpr int64_t kSameTime = INT64_MIN;
constexpr int64_t kPresent = INT64_MAX;

enum class Access : uint8_t { kExists, kRead, kWrite, kExecute };

struct Limit {
  uint64_t soft = 0;
  uint64_t hard = 0;
};
constexpr uint64_t kUnlimited = ~uint64_t{0};

// How a terminal takes what is typed.
constexpr unsigned kTypingIsShown = 1;
constexpr unsigned kTypingInLines = 2;  // a line can be edited until its end

// Nanoseconds of processor time of the shell and of the children it waited for.
struct CpuTimes {
  uint64_t user = 0, system = 0, child_user = 0, child_system = 0;
};

class Os {
 public:
  virtual ~Os() = default;

  // Processes.
  virtual Pid fork() = 0;
  // The new process, or the errno of the exec that failed (ENOEXEC: the file is a script).
  virtual Pid spawn(const SpawnRequest& request) = 0;
  virtual int exec(const char* path, char* const* argv, char* const* envp) = 0;
  [[noreturn]] virtual void exit(int status) = 0;
  // Ends by the signal itself, so that the parent sees it; returns only if the signal is blocked.
  virtual void die_by(int signal) = 0;
  // The next change of child `pid` (-1: any); 0 if `poll` and nothing changed yet.
  virtual int wait(Pid pid, bool poll, bool report_stops, ChildEvent& event) = 0;
  // The next change of any child, as a blocking wait(); -EINTR also for a caught signal that came
  // before the call and has not been taken.
  virtual int wait_or_signal(bool report_stops, ChildEvent& event) {
    return wait(-1, false, report_stops, event);
  }
  virtual Pid process_id() = 0;
  virtual Pid parent_id() = 0;
  virtual Pid group_id() = 0;
  virtual int set_group(Pid pid, Pid group) = 0;
  virtual int send_signal(Pid pid, int signal) = 0;

  // Signals: those set to kCatch are remembered until take_signal().
  virtual Disposition disposition(int signal) = 0;
  virtual int set_disposition(int signal, Disposition disposition) = 0;
  // Not 0 while take_signal() may have something; read before every step.
  [[nodiscard]] virtual const volatile int* pending_flag() const = 0;
  virtual int take_signal() = 0;  // 0: none
  [[nodiscard]] virtual int peek_signal() const = 0;

  // Terminals.
  virtual bool is_terminal(int fd) = 0;
  // How a terminal takes what is typed: a set of Typing. Gives the old set; negative if `fd` is no
  // terminal.
  virtual int set_typing(int /*fd*/, unsigned /*typing*/) { return -1; }
  virtual Pid terminal_group(int fd) = 0;
  virtual int set_terminal_group(int fd, Pid group) = 0;

  // Descriptors. What is opened here is closed on exec and numbered from 10, out of scripts' way.
  virtual int open(const char* path, int flags, unsigned mode) = 0;
  virtual int close(int fd) = 0;
  virtual int duplicate(int fd) = 0;                 // to a free one from 10, closed on exec
  virtual int duplicate_to(int fd, int target) = 0;  // open across exec
  virtual bool is_open(int fd) = 0;
  virtual bool is_writable(int fd) = 0;
  virtual int pipe(int ends[2]) = 0;
  virtual int here_document(std::string_view text) = 0;  // a descriptor that reads `text`
  virtual ssize_t read(int fd, char* buffer, size_t size) = 0;
  // Looks at what read() would give without taking it, up to and including the first `delimiter`;
  // then takes exactly that. 0: end of file. Never takes a byte of the next line.
  virtual ssize_t read_until(int fd, char delimiter, char* buffer, size_t size) = 0;
  // Whether read() would not block, within that time: 1 or 0. A world without a clock of its own
  // answers at once that it would not.
  virtual int wait_readable(int /*fd*/, int64_t /*nanoseconds*/) { return 1; }
  virtual ssize_t write(int fd, const char* data, size_t size) = 0;
  // Gives back what read_until() has read ahead: before another process can use the descriptor.
  virtual void settle(int fd) = 0;

  // Files.
  virtual int status(const char* path, bool follow_links, FileStatus& result) = 0;
  virtual int status(int fd, FileStatus& result) = 0;
  virtual bool may(const char* path, Access access) = 0;
  virtual int list_directory(const char* path, std::vector<std::string>& names) = 0;
  // For worlds that are decided only as far as programs look (oracle.h). The name at the end of
  // `path` was made up by this program, so that nothing has it.
  virtual void declare_absent(const char* /*path*/) {}
  // The size that status() gives is going to be looked at.
  virtual void need_size(const char* /*path*/) {}
  // The empty file `to` gets the undecided contents of `from`; false: copy what read() gives.
  virtual bool share_contents(int /*from*/, int /*to*/) { return false; }
  virtual int current_directory(std::string& path) = 0;
  virtual int change_directory(const char* path) = 0;
  // To that of a descriptor; the way back from change_directory(), whatever became of the path.
  virtual int change_directory(int fd) = 0;
  virtual unsigned set_file_mask(unsigned mask) = 0;

  // Changes of the file tree: what utilities do. A link is followed where `follows` says so.
  virtual int64_t seek(int fd, int64_t offset, int whence) = 0;
  virtual int make_directory(const char* path, unsigned mode) = 0;
  virtual int remove_directory(const char* path) = 0;
  virtual int make_fifo(const char* path, unsigned mode) = 0;
  virtual int unlink(const char* path) = 0;
  virtual int rename(const char* from, const char* to) = 0;
  virtual int link(const char* from, const char* to) = 0;
  virtual int make_symbolic_link(const char* target, const char* path) = 0;
  virtual int read_symbolic_link(const char* path, std::string& target) = 0;
  virtual int set_mode(const char* path, unsigned mode) = 0;
  virtual int set_owner(const char* path, bool follows, unsigned owner, unsigned group) = 0;
  virtual int set_times(const char* path, bool follows, int64_t accessed, int64_t modified) = 0;

  // The rest.
  virtual unsigned user_id() = 0;
  virtual unsigned group_of_user() = 0;
  virtual std::vector<unsigned> supplementary_groups() = 0;
  virtual std::optional<std::string> home_of(const std::string& user) = 0;
  virtual int limit(int resource, Limit& result) = 0;
  virtual int set_limit(int resource, Limit value) = 0;
  virtual CpuTimes cpu_times() = 0;
  virtual int64_t clock_ns() = 0;  // since 1970
  virtual int sleep(int64_t nanoseconds) = 0;
  // Work that was done without calls: a world that counts steps takes them from its fuel.
  virtual void spend(uint64_t /*steps*/) {}
  // How many bytes of memory the process holds now, besides files and pipes. False if the world
  // has no more for it: the process must end, or give something back.
  virtual bool hold(size_t /*bytes*/) { return true; }
};

inline bool is_directory(Os& os, const std::string& path, bool follows = true) {
  FileStatus status;
  return os.status(path.c_str(), follows, status) >= 0 && status.kind == FileKind::kDirectory;
}

}  // namespace nacre::world
