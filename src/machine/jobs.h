// The jobs of a shell: what was started in the background or stopped, as data. Nothing here talks
// to the system; the machine feeds it the events of its children.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "world/os.h"

namespace nacre::machine {

struct JobProcess {
  world::Pid pid = 0;
  enum State : uint8_t { kRunning, kStopped, kDone } state = kRunning;
  int status = 0;  // as $? would have it; when stopped 128 + signal
  int signal = 0;  // that ended or stopped it
  bool dumped_core = false;
};

struct Job {
  int number = 0;
  world::Pid group = 0;
  std::vector<JobProcess> processes;
  std::string text;
  bool is_background = false;
  bool was_reported = true;   // its present state has been shown
  bool has_pipefail = false;  // was started under `set -o pipefail`
  bool is_disowned = false;   // of the parent shell: not ours to wait for

  [[nodiscard]] JobProcess::State state() const;
  // Of the last process (or with pipefail the last that failed).
  [[nodiscard]] int status() const;
  [[nodiscard]] bool holds(world::Pid pid) const;
};

class JobTable {
 public:
  Job& add(Job job);
  void remove(int number);
  void remove_done();
  // As remove(), but `wait PID` may still ask for how its last process has ended.
  void forget_reported(int number);
  // The status of a process that forget_reported() has kept; it is told once.
  [[nodiscard]] std::optional<int> take_status(world::Pid pid);
  void record(const world::ChildEvent& event);
  void clear() {
    jobs_.clear();
    ended_.clear();
    current_ = previous_ = 0;
  }
  [[nodiscard]] std::vector<Job>& all() { return jobs_; }
  [[nodiscard]] Job* find(int number);
  [[nodiscard]] Job* find_pid(world::Pid pid);
  // %% %+ %- %n %text %?text; null with a reason.
  [[nodiscard]] Job* named(std::string_view name, std::string& error);
  [[nodiscard]] int current() const { return current_; }
  [[nodiscard]] int previous() const { return previous_; }
  void make_current(int number);

 private:
  void choose_current();
  void remember(world::Pid pid, int status);  // for take_status()

  struct Ended {
    world::Pid pid;
    int status;
  };

  std::vector<Job> jobs_;    // by number
  std::deque<Ended> ended_;  // the latest
  int current_ = 0;
  int previous_ = 0;
};

// "Running", "Done", "Done(2)", "Stopped (SIGTSTP)", "Terminated".
[[nodiscard]] std::string describe(const Job& job);
// One line of `jobs`, with its newline.
[[nodiscard]] std::string listing(const Job& job, const JobTable& table, bool with_pids,
                                  bool in_bash = false);

}  // namespace nacre::machine
