// The real system behind the Os interface: each call is one or two system calls. Caught signals are
// counted by one handler in process-wide memory, the only place where a handler can put them; so a
// process uses one SystemOs.
#pragma once

#include <array>
#include <sys/stat.h>

#include "world/os.h"

namespace nacre::system {

using world::Access;
using world::ChildEvent;
using world::CpuTimes;
using world::Disposition;
using world::FdMove;
using world::FileKind;
using world::FileStatus;
using world::Limit;
using world::Os;
using world::Pid;
using world::SpawnRequest;

// What stat() says, in the terms of the interface.
void fill_status(const struct stat& from, FileStatus& to);

class SystemOs final : public Os {
 public:
  Pid fork() override;
  Pid spawn(const SpawnRequest& request) override;
  int exec(const char* path, char* const* argv, char* const* envp) override;
  [[noreturn]] void exit(int status) override;
  void die_by(int signal) override;
  int wait(Pid pid, bool poll, bool report_stops, ChildEvent& event) override;
  int wait_or_signal(bool report_stops, ChildEvent& event) override;
  Pid process_id() override;
  Pid parent_id() override;
  Pid group_id() override;
  int set_group(Pid pid, Pid group) override;
  int send_signal(Pid pid, int signal) override;
  Disposition disposition(int signal) override;
  int set_disposition(int signal, Disposition disposition) override;
  [[nodiscard]] const volatile int* pending_flag() const override;
  int take_signal() override;
  [[nodiscard]] int peek_signal() const override;
  bool is_terminal(int fd) override;
  int set_typing(int fd, unsigned typing) override;
  Pid terminal_group(int fd) override;
  int set_terminal_group(int fd, Pid group) override;
  int open(const char* path, int flags, unsigned mode) override;
  int close(int fd) override;
  int duplicate(int fd) override;
  int duplicate_to(int fd, int target) override;
  bool is_open(int fd) override;
  bool is_writable(int fd) override;
  int pipe(int ends[2]) override;
  int here_document(std::string_view text) override;
  ssize_t read(int fd, char* buffer, size_t size) override;
  int wait_readable(int fd, int64_t nanoseconds) override;
  ssize_t read_until(int fd, char delimiter, char* buffer, size_t size) override;
  ssize_t write(int fd, const char* data, size_t size) override;
  void settle(int fd) override;
  int status(const char* path, bool follow_links, FileStatus& result) override;
  int status(int fd, FileStatus& result) override;
  bool may(const char* path, Access access) override;
  int list_directory(const char* path, std::vector<std::string>& names) override;
  int current_directory(std::string& path) override;
  int change_directory(const char* path) override;
  int change_directory(int fd) override;
  unsigned set_file_mask(unsigned mask) override;
  int64_t seek(int fd, int64_t offset, int whence) override;
  int make_directory(const char* path, unsigned mode) override;
  int remove_directory(const char* path) override;
  int make_fifo(const char* path, unsigned mode) override;
  int unlink(const char* path) override;
  int rename(const char* from, const char* to) override;
  int link(const char* from, const char* to) override;
  int make_symbolic_link(const char* target, const char* path) override;
  int read_symbolic_link(const char* path, std::string& target) override;
  int set_mode(const char* path, unsigned mode) override;
  int set_owner(const char* path, bool follows, unsigned owner, unsigned group) override;
  int set_times(const char* path, bool follows, int64_t accessed, int64_t modified) override;
  unsigned user_id() override;
  unsigned group_of_user() override;
  std::vector<unsigned> supplementary_groups() override;
  std::optional<std::string> home_of(const std::string& user) override;
  int limit(int resource, Limit& result) override;
  int set_limit(int resource, Limit value) override;
  CpuTimes cpu_times() override;
  int64_t clock_ns() override;
  int sleep(int64_t nanoseconds) override;

 private:
  // Bytes of one seekable file that were read beyond what the shell took: the kernel's offset is
  // `end_` while the shell's is `begin_`. One file at a time; settle() makes the offsets agree.
  struct ReadAhead {
    int fd = -1;
    size_t begin = 0;
    size_t end = 0;
    std::array<char, 16384> bytes;
  };
  enum class Channel : uint8_t { kUnknown, kSeekable, kPipe, kOther };

  void settle_all() { settle(ahead_.fd); }
  ssize_t read_until_seekable(int fd, char delimiter, char* buffer, size_t size);
  ssize_t read_until_pipe(int fd, char delimiter, char* buffer, size_t size);
  Channel channel(int fd);
  void forget_channel(int fd);

  ReadAhead ahead_;
  std::array<Channel, 64> channels_{};  // what read_until() found out about low descriptors
  int peek_pipe_[2] = {-1, -1};
};

}  // namespace nacre::system
