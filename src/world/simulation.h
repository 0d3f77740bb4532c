// Processes over a file tree: a deterministic POSIX system in one thread. Each process runs a
// Program on a fiber; a call that has to wait hands over to the scheduler, which runs what is
// waited for first (the child, the writer of the pipe, its reader), otherwise the next process in
// order of creation. A process that never waits is interrupted after its quantum of steps. Time is
// simulated: a step takes a microsecond, and when everybody sleeps, the clock jumps.
//
//   Simulation simulation(tree, limits, loader);
//   Process& first = simulation.start(program, actor);
//   Ending ending = simulation.run();
//   first.exit; simulation.tree();
//
// The same start gives the same run. Fuel (steps of shells and calls of utilities), the number of
// processes, the bytes of all files and the memory of all processes are bounded. run() says when
// fuel ran out; the rest are errors of the calls that needed more, as on a real system.
#pragma once

#include <array>
#include <csignal>
#include <map>
#include <optional>

#include "world/fiber.h"
#include "world/open_file.h"

namespace nacre::world {

class SimulatedOs;
class Simulation;

// What a process runs.
class Program {
 public:
  virtual ~Program() = default;
  // Returns the exit status. Calls of `os` may suspend it.
  virtual int run(SimulatedOs& os) = 0;
  // The child of a fork(): a copy which goes on where this one is, and to which fork() gave 0.
  // Null if this program never forks, or if there is no memory for it.
  virtual std::unique_ptr<Program> fork_into(SimulatedOs& child) = 0;
};

struct Limits {
  uint64_t fuel = 20'000'000;
  size_t processes = 500;    // at a time
  uint64_t starts = 50'000;  // of processes and programs in all; more end the run as without fuel
  size_t memory = size_t{256} << 20;
  unsigned quantum = 1000;  // steps until another process may run
};

enum class Ending : uint8_t { kFinished, kPaused, kOutOfFuel, kDeadlock };

struct Descriptor {
  std::shared_ptr<OpenFile> file;
  bool closes_on_exec = false;
};

struct Process {
  enum State : uint8_t { kRunnable, kBlocked, kStopped, kZombie };

  Pid pid = 0;
  Pid parent = 0;
  Pid group = 0;
  Actor actor;
  std::map<int, Descriptor> descriptors;
  std::array<Disposition, NSIG> dispositions{};
  std::array<bool, NSIG> caught{};
  int has_caught = 0;
  std::array<Limit, 16> limits{};
  State state = kRunnable;
  ChildEvent last_event;  // of a zombie, or of a stop that the parent has not seen
  bool has_news = false;
  int fatal_signal = 0;  // to die of at the next occasion
  size_t held = 0;       // bytes of memory, as far as its program says

  std::unique_ptr<SimulatedOs> os;
  std::unique_ptr<Program> program;
  std::unique_ptr<Program> next_program;  // exec: takes over when the old one is off the stack
  std::unique_ptr<Fiber> fiber;

  // While kBlocked: when it can go on, and for whom it waits.
  std::function<bool()> is_ready;
  int64_t wakes_at = -1;
  Pid waits_for = 0;  // a child; -1: any
  const Pipe* waits_on = nullptr;
};

// An exec: the file's own name for its program ("cat", "sh"), and how it was called.
struct Invocation {
  std::string name;
  std::vector<std::string> arguments;    // with argument 0
  std::vector<std::string> environment;  // NAME=value
};
// Null if the program is not known.
using ProgramLoader = std::function<std::unique_ptr<Program>(Invocation&&, SimulatedOs&)>;

// The contents of a file that is a program of the simulation.
[[nodiscard]] std::string executable(std::string_view name);

class Simulation {
 public:
  Simulation(FileTree tree, Limits limits, ProgramLoader loader);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // A first process with descriptors 0, 1 and 2.
  Process& start(Actor actor, std::shared_ptr<Stream> input, std::shared_ptr<Stream> output,
                 std::shared_ptr<Stream> errors);
  // Gives `process` its program; -errno if the file cannot be run.
  int load(Process& process, const Invocation& invocation, std::string_view path);
  // Until all processes have ended, a limit is reached or pause() was called.
  Ending run();
  void pause() { is_paused_ = true; }

  [[nodiscard]] FileTree& tree() { return tree_; }
  [[nodiscard]] uint64_t fuel_left() const { return fuel_; }
  // A process asked for more memory than there is.
  [[nodiscard]] bool memory_ran_out() const { return memory_ran_out_; }
  [[nodiscard]] const std::map<Pid, std::unique_ptr<Process>>& processes() const {
    return processes_;
  }
  // The process that runs now or ran last.
  [[nodiscard]] Pid running() const { return last_run_; }
  // How the first process ended; nothing while it runs.
  [[nodiscard]] const std::optional<ChildEvent>& first_exit() const { return first_exit_; }

  // --- for SimulatedOs and the programs
  // One step of work: uses fuel and may let others run.
  void tick(Process& process, uint64_t cost = 1);
  // Waits until `is_ready`; 0, or -EINTR when a signal was caught. Who is waited for is in
  // `process`.
  int block(Process& process, std::function<bool()> is_ready);
  Process* spawn_copy(const Process& parent);  // null: too many
  void launch(Process& process);               // makes it runnable
  bool hold(Process& process, size_t bytes);   // false: too much
  void deliver(Process& target, int signal);
  void end(Process& process, ChildEvent event);  // becomes a zombie
  void reap(Pid pid);
  void check_signals(Process& process);  // unwinds the process if it has to die
  int load_program(Process& process, std::string_view path, Invocation invocation, int depth = 0);
  std::shared_ptr<Pipe> fifo(InodeId inode);
  [[nodiscard]] Process* find(Pid pid);
  [[nodiscard]] int64_t started() const { return started_; }
  int64_t clock = 0;
  uint64_t clock_reads = 0;  // how often a process has asked for the time

 private:
  [[nodiscard]] static bool can_run(const Process& process);
  Process* pick();
  Process* demanded_by(const Process& process, int depth);
  [[nodiscard]] bool is_wanted(const Process& by, const Process& candidate) const;
  bool wake_sleepers();
  void run_process(Process& process);
  void notify_parent(Process& child);
  void suspend(Process& process);

  FileTree tree_;
  Limits limits_;
  ProgramLoader loader_;
  uint64_t fuel_;
  uint64_t starts_ = 0;
  int64_t started_;
  unsigned slice_ = 0;
  Pid next_pid_ = 100;
  Pid first_pid_ = 0;
  Pid last_run_ = 0;
  bool is_paused_ = false;
  bool is_ending_ = false;
  size_t memory_ = 0;
  bool memory_ran_out_ = false;
  std::optional<ChildEvent> first_exit_;
  std::map<Pid, std::unique_ptr<Process>> processes_;
  std::map<InodeId, std::weak_ptr<Pipe>> fifos_;
};

}  // namespace nacre::world
