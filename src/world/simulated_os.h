// The Os of one process of a Simulation. Calls that wait really wait: the process's fiber is
// suspended until they can be done, so kWouldBlock is never returned.
#pragma once

#include "world/simulation.h"

namespace nacre::world {

class SimulatedOs final : public Os {
 public:
  SimulatedOs(Simulation& simulation, Process& process)
      : simulation_(simulation), process_(process) {}

  [[nodiscard]] Simulation& simulation() { return simulation_; }
  [[nodiscard]] Process& process() { return process_; }
  void tick(uint64_t cost = 1) { simulation_.tick(process_, cost); }

  Pid fork() override;
  Pid spawn(const SpawnRequest& request) override;
  int exec(const char* path, char* const* argv, char* const* envp) override;
  [[noreturn]] void exit(int status) override;
  void die_by(int signal) override;
  int wait(Pid pid, bool poll, bool report_stops, ChildEvent& event) override;
  Pid process_id() override { return process_.pid; }
  Pid parent_id() override { return process_.parent; }
  Pid group_id() override { return process_.group; }
  int set_group(Pid pid, Pid group) override;
  int send_signal(Pid pid, int signal) override;
  Disposition disposition(int signal) override;
  int set_disposition(int signal, Disposition disposition) override;
  [[nodiscard]] const volatile int* pending_flag() const override { return &process_.has_caught; }
  int take_signal() override;
  [[nodiscard]] int peek_signal() const override;
  bool is_terminal(int fd) override;
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
  ssize_t read_until(int fd, char delimiter, char* buffer, size_t size) override;
  ssize_t write(int fd, const char* data, size_t size) override;
  void settle(int) override {}
  int status(const char* path, bool follow_links, FileStatus& result) override;
  int status(int fd, FileStatus& result) override;
  bool may(const char* path, Access access) override;
  int list_directory(const char* path, std::vector<std::string>& names) override;
  void declare_absent(const char* path) override;
  void need_size(const char* path) override;
  bool share_contents(int from, int to) override;
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
  unsigned user_id() override { return process_.actor.user; }
  unsigned group_of_user() override { return process_.actor.group; }
  std::vector<unsigned> supplementary_groups() override { return process_.actor.groups; }
  std::optional<std::string> home_of(const std::string& user) override;
  int limit(int resource, Limit& result) override;
  int set_limit(int resource, Limit value) override;
  CpuTimes cpu_times() override;
  int64_t clock_ns() override {
    ++simulation_.clock_reads;
    return simulation_.clock;
  }
  int sleep(int64_t nanoseconds) override;
  void spend(uint64_t steps) override { tick(steps); }
  bool hold(size_t bytes) override { return simulation_.hold(process_, bytes); }

 private:
  // The tree, after a tick.
  FileTree& files();
  [[nodiscard]] OpenFile* file_at(int fd);
  [[nodiscard]] bool may_have(int fd) const;  // within `ulimit -n`
  int add_descriptor(std::shared_ptr<OpenFile> file);
  int open_fifo(std::shared_ptr<OpenFile> file);
  std::shared_ptr<OpenFile> open_inode(InodeId inode, bool reads, bool writes);
  // Bytes of `fd` that can be read now, after waiting for some: at most `size`.
  ssize_t look(OpenFile& file, size_t size, std::string_view& seen);
  void take(OpenFile& file, size_t count);
  ssize_t write_pipe(OpenFile& file, std::string_view data);
  [[nodiscard]] bool has_children(Pid pid);
  Process* changed_child(Pid pid, bool with_stops);
  [[nodiscard]] bool is_meant(const Process& child, Pid pid) const;
  void forget_before_exec();

  Simulation& simulation_;
  Process& process_;
  std::string zeros_;  // what /dev/zero shows
};

}  // namespace nacre::world
