#include "world/simulation.h"

#include <cassert>
#include <cerrno>
#include <sys/resource.h>

#include "world/simulated_os.h"

namespace nacre::world {
namespace {

constexpr std::string_view kMark = "\x7fNACRE ";
constexpr int kMaxInterpreters = 5;
constexpr int64_t kStepTime = 1000;  // nanoseconds
constexpr int kMaxDemands = 64;
constexpr uint64_t kProcessesPerStep = 4;

// Leaves the stack of a process that has ended or becomes another program. Never leaves its fiber.
struct Unwinding {};

bool ignores_by_default(int signal) {
  return signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH;
}
bool stops_by_default(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

}  // namespace

std::string executable(std::string_view name) {
  return std::string(kMark) + std::string(name) + "\n";
}

Simulation::Simulation(FileTree tree, Limits limits, ProgramLoader loader)
    : tree_(std::move(tree)), limits_(limits), loader_(std::move(loader)), fuel_(limits.fuel) {
  clock = started_ = tree_.now;
}

Simulation::~Simulation() {
  is_ending_ = true;
  for (auto& [pid, process] : processes_) {
    if (process->fiber != nullptr && !process->fiber->is_done()) process->fiber->resume();
  }
}

Process* Simulation::find(Pid pid) {
  auto found = processes_.find(pid);
  return found == processes_.end() ? nullptr : found->second.get();
}

Process& Simulation::start(Actor actor, std::shared_ptr<Stream> input,
                           std::shared_ptr<Stream> output, std::shared_ptr<Stream> errors) {
  auto process = std::make_unique<Process>();
  process->pid = first_pid_ = next_pid_++;
  process->parent = 1;
  process->group = process->pid;
  process->actor = std::move(actor);
  process->limits.fill({kUnlimited, kUnlimited});
  process->limits[RLIMIT_NOFILE] = {1024, 1'048'576};
  std::shared_ptr<Stream> streams[3] = {std::move(input), std::move(output), std::move(errors)};
  for (int fd = 0; fd < 3; ++fd) {
    auto file = std::make_shared<OpenFile>();
    file->stream = std::move(streams[fd]);
    file->reads = fd == 0;
    file->writes = fd != 0;
    file->name = fd == 0 ? "standard input" : fd == 1 ? "standard output" : "standard error";
    process->descriptors[fd] = {std::move(file), false};
  }
  process->os = std::make_unique<SimulatedOs>(*this, *process);
  Process& result = *process;
  processes_.emplace(result.pid, std::move(process));
  return result;
}

int Simulation::load(Process& process, const Invocation& invocation, std::string_view path) {
  int error = load_program(process, path, invocation);
  if (error < 0) return error;
  launch(process);
  return 0;
}

// Sets process.next_program.
int Simulation::load_program(Process& process, std::string_view path, Invocation invocation,
                             int depth) {
  if (depth > kMaxInterpreters) return -ELOOP;
  if (++starts_ > limits_.starts) fuel_ = 0;
  if (path == "/proc/self/exe") {
    invocation.name = "sh";
  } else {
    InodeId id = kNoInode;
    if (int error = tree_.find(process.actor, path, true, id, Use::kExecute); error < 0)
      return error;
    const Inode& inode = tree_.at(id);
    if (inode.kind != FileKind::kRegular || !FileTree::permits(process.actor, inode, 1)) {
      return -EACCES;
    }
    std::string_view bytes = tree_.bytes(id);
    std::string_view line = bytes.substr(0, bytes.find('\n'));
    if (line.starts_with("#!")) {
      line.remove_prefix(2);
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      size_t end = std::min(line.find_first_of(" \t"), line.size());
      std::string interpreter(line.substr(0, end));
      std::string_view rest = line.substr(end);
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
      while (rest.ends_with(' ') || rest.ends_with('\t')) rest.remove_suffix(1);
      std::vector<std::string> arguments = {interpreter};
      if (!rest.empty()) arguments.emplace_back(rest);
      arguments.emplace_back(path);
      if (invocation.arguments.size() > 1) {
        arguments.insert(arguments.end(), invocation.arguments.begin() + 1,
                         invocation.arguments.end());
      }
      invocation.arguments = std::move(arguments);
      return load_program(process, interpreter, std::move(invocation), depth + 1);
    }
    if (line.starts_with(kMark)) {
      invocation.name = line.substr(kMark.size());
    } else if (line.starts_with("\x7f"
                                "ELF")) {
      invocation.name = path.substr(path.rfind('/') + 1);
    } else {
      return -ENOEXEC;
    }
  }
  process.next_program = loader_(std::move(invocation), *process.os);
  return process.next_program == nullptr ? -ENOSYS : 0;
}

Process* Simulation::spawn_copy(const Process& parent) {
  if (processes_.size() >= limits_.processes) return nullptr;
  if (++starts_ > limits_.starts) fuel_ = 0;
  auto child = std::make_unique<Process>();
  child->pid = next_pid_++;
  child->parent = parent.pid;
  child->group = parent.group;
  child->actor = parent.actor;
  child->descriptors = parent.descriptors;
  child->dispositions = parent.dispositions;
  child->limits = parent.limits;
  child->state = Process::kBlocked;
  child->os = std::make_unique<SimulatedOs>(*this, *child);
  Process* result = child.get();
  processes_.emplace(result->pid, std::move(child));
  return result;
}

void Simulation::launch(Process& process) {
  process.fiber = std::make_unique<Fiber>([this, &process] { run_process(process); }, kFiberStack);
  process.state = Process::kRunnable;
}

void Simulation::run_process(Process& process) {
  if (process.next_program != nullptr) process.program = std::move(process.next_program);
  while (!is_ending_) {
    try {
      int status = process.program->run(*process.os);
      ChildEvent event;
      event.value = status & 255;
      end(process, event);
    } catch (const Unwinding&) {
    } catch (const std::bad_alloc&) {
      memory_ran_out_ = true;
      ChildEvent event;
      event.kind = ChildEvent::kSignaled;
      event.value = SIGKILL;  // as the kernel does with a process for which it has no memory
      end(process, event);
    }
    if (process.next_program == nullptr) return;
    hold(process, 0);
    process.program = std::move(process.next_program);
  }
}

bool Simulation::hold(Process& process, size_t bytes) {
  memory_ += bytes - process.held;
  process.held = bytes;
  bool is_allowed = memory_ <= limits_.memory;
  memory_ran_out_ |= !is_allowed;
  return is_allowed;
}

void Simulation::end(Process& process, ChildEvent event) {
  if (process.state == Process::kZombie) return;
  hold(process, 0);
  event.pid = process.pid;
  process.state = Process::kZombie;
  process.last_event = event;
  process.has_news = true;
  process.descriptors.clear();
  if (process.pid == first_pid_) first_exit_ = event;
  for (auto& [pid, other] : processes_) {
    if (other->parent == process.pid) other->parent = 1;
  }
  notify_parent(process);
}

void Simulation::notify_parent(Process& child) {
  if (Process* parent = find(child.parent)) deliver(*parent, SIGCHLD);
}

void Simulation::reap(Pid pid) { processes_.erase(pid); }

void Simulation::suspend(Process& process) {
  process.fiber->suspend();
  if (is_ending_) throw Unwinding{};
}

void Simulation::check_signals(Process& process) {
  if (is_ending_) throw Unwinding{};
  if (process.state == Process::kZombie || process.next_program != nullptr) throw Unwinding{};
  if (process.fatal_signal != 0) {
    ChildEvent event;
    event.kind = ChildEvent::kSignaled;
    event.value = process.fatal_signal;
    end(process, event);
    throw Unwinding{};
  }
  while (process.state == Process::kStopped) suspend(process);
}

void Simulation::tick(Process& process, uint64_t cost) {
  clock += kStepTime;
  tree_.now = clock;
  if (fuel_ < cost) {
    fuel_ = 0;
    suspend(process);  // for good: run() ends, and the destructor unwinds
  }
  fuel_ -= cost;
  if (is_paused_) suspend(process);
  if (++slice_ >= limits_.quantum && processes_.size() > 1) suspend(process);
  check_signals(process);
}

int Simulation::block(Process& process, std::function<bool()> is_ready) {
  check_signals(process);
  int result = 0;
  process.is_ready = std::move(is_ready);
  while (!process.is_ready()) {
    if (process.has_caught != 0) {
      result = -EINTR;
      break;
    }
    process.state = Process::kBlocked;
    suspend(process);
    check_signals(process);
  }
  process.state = Process::kRunnable;
  process.is_ready = nullptr;
  process.wakes_at = -1;
  process.waits_for = 0;
  process.waits_on = nullptr;
  return result;
}

// Does what the target's disposition says; a process that has to die does so when it runs next.
void Simulation::deliver(Process& target, int signal) {
  if (target.state == Process::kZombie || signal <= 0 || signal >= NSIG) return;
  if (signal == SIGCONT && target.state == Process::kStopped) {
    target.state = Process::kRunnable;
    target.last_event = {target.pid, ChildEvent::kContinued, 0, false};
    target.has_news = true;
  }
  bool is_firm = signal == SIGKILL || signal == SIGSTOP;
  auto index = static_cast<size_t>(signal);
  Disposition disposition = is_firm ? Disposition::kDefault : target.dispositions[index];
  if (disposition == Disposition::kIgnore) return;
  if (disposition == Disposition::kCatch) {
    target.caught[index] = true;
    target.has_caught = 1;
    return;
  }
  if (ignores_by_default(signal)) return;
  if (!stops_by_default(signal)) {
    target.fatal_signal = signal;
    if (target.state == Process::kStopped && signal == SIGKILL) target.state = Process::kRunnable;
    return;
  }
  target.state = Process::kStopped;
  target.last_event = {target.pid, ChildEvent::kStopped, signal, false};
  target.has_news = true;
  notify_parent(target);
}

std::shared_ptr<Pipe> Simulation::fifo(InodeId inode) {
  std::shared_ptr<Pipe> pipe = fifos_[inode].lock();
  if (pipe == nullptr) {
    pipe = std::make_shared<Pipe>();
    fifos_[inode] = pipe;
  }
  return pipe;
}

bool Simulation::can_run(const Process& process) {
  if (process.state == Process::kRunnable) return true;
  if (process.state != Process::kBlocked || process.is_ready == nullptr) return false;
  return process.fatal_signal != 0 || process.has_caught != 0 || process.is_ready();
}

bool Simulation::is_wanted(const Process& by, const Process& candidate) const {
  if (by.waits_for != 0) {
    return candidate.parent == by.pid && (by.waits_for < 0 || candidate.pid == by.waits_for);
  }
  if (by.waits_on == nullptr || candidate.pid == by.pid) return false;
  for (const auto& [fd, descriptor] : candidate.descriptors) {
    if (descriptor.file->pipe.get() == by.waits_on) return true;
  }
  return false;
}

// A process whose progress `process` waits for.
Process* Simulation::demanded_by(const Process& process, int depth) {
  if (process.state != Process::kBlocked || depth > kMaxDemands) return nullptr;
  for (auto& [pid, candidate] : processes_) {
    if (is_wanted(process, *candidate) && can_run(*candidate)) return candidate.get();
  }
  for (auto& [pid, candidate] : processes_) {
    if (!is_wanted(process, *candidate)) continue;
    if (Process* found = demanded_by(*candidate, depth + 1)) return found;
  }
  return nullptr;
}

Process* Simulation::pick() {
  Process* last = find(last_run_);
  if (last != nullptr) {
    if (Process* wanted = demanded_by(*last, 0)) return wanted;
  }
  for (auto next = processes_.upper_bound(last_run_); next != processes_.end(); ++next) {
    if (can_run(*next->second)) return next->second.get();
  }
  for (auto& [pid, process] : processes_) {
    if (can_run(*process)) return process.get();
  }
  return nullptr;
}

// When no process can run, time passes.
bool Simulation::wake_sleepers() {
  int64_t first = -1;
  for (auto& [pid, process] : processes_) {
    if (process->state != Process::kBlocked || process->wakes_at < 0) continue;
    if (first < 0 || process->wakes_at < first) first = process->wakes_at;
  }
  if (first < 0) return false;
  clock = std::max(clock, first);
  tree_.now = clock;
  return true;
}

Ending Simulation::run() {
  is_paused_ = false;
  while (true) {
    // Ended processes whose parent has ended too.
    std::erase_if(processes_, [&](const auto& entry) {
      const Process& process = *entry.second;
      return process.state == Process::kZombie && process.pid != last_run_ &&
             find(process.parent) == nullptr;
    });
    // Looking for it is work, too, and more with more processes.
    fuel_ -= std::min<uint64_t>(fuel_, processes_.size() / kProcessesPerStep);
    Process* next = pick();
    if (next == nullptr && wake_sleepers()) continue;
    if (next == nullptr) {
      bool all_ended = true;
      for (auto& [pid, process] : processes_) all_ended &= process->state == Process::kZombie;
      return all_ended ? Ending::kFinished : Ending::kDeadlock;
    }
    slice_ = 0;
    last_run_ = next->pid;
    next->fiber->resume();
    if (fuel_ == 0) return Ending::kOutOfFuel;
    if (is_paused_) return Ending::kPaused;
  }
}

}  // namespace nacre::world
