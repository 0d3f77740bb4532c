// Processes and signals of the simulated world.
#include <algorithm>
#include <cerrno>

#include "world/simulated_os.h"

namespace nacre::world {
namespace {

std::vector<std::string> strings_of(char* const* list) {
  std::vector<std::string> result;
  for (; list != nullptr && *list != nullptr; ++list) result.emplace_back(*list);
  return result;
}

}  // namespace

Pid SimulatedOs::fork() {
  tick();
  Process* child = simulation_.spawn_copy(process_);
  if (child == nullptr) return -EAGAIN;
  child->program = process_.program->fork_into(*child->os);
  if (child->program == nullptr) {
    simulation_.hold(*child, 0);
    simulation_.reap(child->pid);
    return -ENOMEM;
  }
  simulation_.launch(*child);
  return child->pid;
}

Pid SimulatedOs::spawn(const SpawnRequest& request) {
  tick();
  Process* child = simulation_.spawn_copy(process_);
  if (child == nullptr) return -EAGAIN;
  Invocation invocation{"", strings_of(request.argv), strings_of(request.envp)};
  if (int error = simulation_.load_program(*child, request.path, std::move(invocation));
      error < 0) {
    simulation_.reap(child->pid);
    return error;
  }
  if (request.group >= 0) child->group = request.group == 0 ? child->pid : request.group;
  for (const FdMove& move : request.moves) {
    auto source = child->descriptors.find(move.source);
    if (move.source < 0) {
      child->descriptors.erase(move.target);
    } else if (source != child->descriptors.end()) {
      child->descriptors[move.target] = {source->second.file, false};
    }
  }
  child->os->forget_before_exec();
  for (int signal : request.default_signals)
    child->os->set_disposition(signal, Disposition::kDefault);
  for (int signal : request.ignored_signals)
    child->os->set_disposition(signal, Disposition::kIgnore);
  simulation_.launch(*child);
  return child->pid;
}

void SimulatedOs::forget_before_exec() {
  std::erase_if(process_.descriptors,
                [](const auto& entry) { return entry.second.closes_on_exec; });
  for (Disposition& disposition : process_.dispositions) {
    if (disposition == Disposition::kCatch) disposition = Disposition::kDefault;
  }
  process_.caught.fill(false);
  process_.has_caught = 0;
}

int SimulatedOs::exec(const char* path, char* const* argv, char* const* envp) {
  tick();
  Invocation invocation{"", strings_of(argv), strings_of(envp)};
  int error = simulation_.load_program(process_, path, std::move(invocation));
  if (error < 0) return error;
  forget_before_exec();
  simulation_.check_signals(process_);  // leaves the old program
  return 0;
}

void SimulatedOs::exit(int status) {
  ChildEvent event;
  event.value = status & 255;
  simulation_.end(process_, event);
  simulation_.check_signals(process_);
  std::abort();  // check_signals() has left
}

void SimulatedOs::die_by(int signal) {
  process_.dispositions[static_cast<size_t>(signal)] = Disposition::kDefault;
  simulation_.deliver(process_, signal);
  simulation_.check_signals(process_);
}

bool SimulatedOs::is_meant(const Process& child, Pid pid) const {
  if (child.parent != process_.pid) return false;
  if (pid > 0) return child.pid == pid;
  return pid == -1 || child.group == (pid == 0 ? process_.group : -pid);
}

bool SimulatedOs::has_children(Pid pid) {
  return std::any_of(simulation_.processes().begin(), simulation_.processes().end(),
                     [&](const auto& entry) { return is_meant(*entry.second, pid); });
}

Process* SimulatedOs::changed_child(Pid pid, bool with_stops) {
  for (const auto& [id, child] : simulation_.processes()) {
    if (!is_meant(*child, pid) || !child->has_news) continue;
    if (child->state == Process::kZombie || with_stops) return child.get();
  }
  return nullptr;
}

int SimulatedOs::wait(Pid pid, bool poll, bool report_stops, ChildEvent& event) {
  tick();
  if (!has_children(pid)) return -ECHILD;
  if (poll && changed_child(pid, report_stops) == nullptr) return 0;
  process_.waits_for = pid > 0 ? pid : -1;
  auto changed = [this, pid, report_stops] { return changed_child(pid, report_stops) != nullptr; };
  if (int error = simulation_.block(process_, changed); error < 0) return error;
  Process* child = changed_child(pid, report_stops);
  event = child->last_event;
  child->has_news = false;
  if (child->state == Process::kZombie) simulation_.reap(child->pid);
  return event.pid;
}

int SimulatedOs::set_group(Pid pid, Pid group) {
  Process* target = simulation_.find(pid == 0 ? process_.pid : pid);
  if (target == nullptr) return -ESRCH;
  target->group = group == 0 ? target->pid : group;
  return 0;
}

int SimulatedOs::send_signal(Pid pid, int signal) {
  tick();
  if (signal < 0 || signal >= NSIG) return -EINVAL;
  int result = -ESRCH;
  for (const auto& [id, target] : simulation_.processes()) {
    bool is_target =
        pid > 0 ? id == pid : pid == -1 || target->group == (pid == 0 ? process_.group : -pid);
    if (!is_target) continue;
    const Actor& other = target->actor;
    if (!process_.actor.is_root() && process_.actor.user != other.user) {
      if (result == -ESRCH) result = -EPERM;
      continue;
    }
    result = 0;
    if (signal != 0) simulation_.deliver(*target, signal);
  }
  simulation_.check_signals(process_);
  return result;
}

Disposition SimulatedOs::disposition(int signal) {
  return process_.dispositions[static_cast<size_t>(signal)];
}

int SimulatedOs::set_disposition(int signal, Disposition disposition) {
  if (signal <= 0 || signal >= NSIG || signal == SIGKILL || signal == SIGSTOP) return -EINVAL;
  process_.dispositions[static_cast<size_t>(signal)] = disposition;
  return 0;
}

int SimulatedOs::take_signal() {
  int signal = peek_signal();
  if (signal != 0) process_.caught[static_cast<size_t>(signal)] = false;
  process_.has_caught = peek_signal() != 0 ? 1 : 0;
  return signal;
}

int SimulatedOs::peek_signal() const {
  for (int signal = 1; signal < NSIG; ++signal) {
    if (process_.caught[static_cast<size_t>(signal)]) return signal;
  }
  return 0;
}

int SimulatedOs::sleep(int64_t nanoseconds) {
  tick();
  int64_t until = simulation_.clock + nanoseconds;
  process_.wakes_at = until;
  return simulation_.block(process_, [this, until] { return simulation_.clock >= until; });
}

// There is no terminal in this world.
bool SimulatedOs::is_terminal(int) { return false; }
Pid SimulatedOs::terminal_group(int) { return -ENOTTY; }
int SimulatedOs::set_terminal_group(int, Pid) { return -ENOTTY; }

int SimulatedOs::limit(int resource, Limit& result) {
  auto index = static_cast<size_t>(resource);
  if (resource < 0 || index >= process_.limits.size()) return -EINVAL;
  result = process_.limits[index];
  return 0;
}

int SimulatedOs::set_limit(int resource, Limit value) {
  auto index = static_cast<size_t>(resource);
  if (resource < 0 || index >= process_.limits.size() || value.soft > value.hard) return -EINVAL;
  Limit& limit = process_.limits[index];
  if (value.hard > limit.hard && !process_.actor.is_root()) return -EPERM;
  limit = value;
  return 0;
}

CpuTimes SimulatedOs::cpu_times() {
  ++simulation_.clock_reads;
  CpuTimes times;
  times.user = static_cast<uint64_t>(simulation_.clock - simulation_.started());
  return times;
}

}  // namespace nacre::world
