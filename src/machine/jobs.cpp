#include "machine/jobs.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>

#include "base/ascii.h"
#include "machine/signals.h"

namespace nacre::machine {

JobProcess::State Job::state() const {
  bool stopped = false;
  for (const JobProcess& process : processes) {
    if (process.state == JobProcess::kRunning) return JobProcess::kRunning;
    stopped |= process.state == JobProcess::kStopped;
  }
  return stopped ? JobProcess::kStopped : JobProcess::kDone;
}

int Job::status() const {
  int status = processes.empty() ? 0 : processes.back().status;
  if (!has_pipefail) return status;
  for (const JobProcess& process : processes) {
    if (process.status != 0) status = process.status;
  }
  return status;
}

bool Job::holds(world::Pid pid) const {
  return std::any_of(processes.begin(), processes.end(),
                     [&](const JobProcess& process) { return process.pid == pid; });
}

Job& JobTable::add(Job job) {
  int number = 1;
  auto at = jobs_.begin();
  while (at != jobs_.end() && at->number == number) {
    ++at;
    ++number;
  }
  job.number = number;
  at = jobs_.insert(at, std::move(job));
  if (at->is_background &&
      (find(current_) == nullptr || find(current_)->state() != JobProcess::kStopped)) {
    make_current(number);
  }
  return *at;
}

void JobTable::remove(int number) {
  std::erase_if(jobs_, [&](const Job& job) { return job.number == number; });
  if (current_ == number || previous_ == number) choose_current();
}

void JobTable::forget_reported(int number) {
  if (const Job* job = find(number); job != nullptr && !job->processes.empty()) {
    remember(job->processes.back().pid, job->status());
  }
  remove(number);
}

void JobTable::remember(world::Pid pid, int status) {
  constexpr size_t kMaxEnded = 1024;  // POSIX wants CHILD_MAX of them, at least 25
  ended_.push_back({pid, status});
  if (ended_.size() > kMaxEnded) ended_.pop_front();
}

std::optional<int> JobTable::take_status(world::Pid pid) {
  for (auto at = ended_.rbegin(); at != ended_.rend(); ++at) {
    if (at->pid != pid) continue;
    int status = at->status;
    ended_.erase(std::next(at).base());
    return status;
  }
  return std::nullopt;
}

void JobTable::remove_done() {
  ended_.clear();
  std::erase_if(jobs_, [](const Job& job) { return job.state() == JobProcess::kDone; });
  choose_current();
}

void JobTable::make_current(int number) {
  if (current_ != number) previous_ = current_;
  current_ = number;
}

// Stopped jobs first, then the latest.
void JobTable::choose_current() {
  auto best = [&](int except) {
    int result = 0;
    bool result_is_stopped = false;
    for (const Job& job : jobs_) {
      if (job.number == except) continue;
      bool stopped = job.state() == JobProcess::kStopped;
      if (result == 0 || stopped || !result_is_stopped) {
        result = job.number;
        result_is_stopped = stopped;
      }
    }
    return result;
  };
  if (find(current_) == nullptr) current_ = find(previous_) != nullptr ? previous_ : best(0);
  previous_ = best(current_);
}

void JobTable::record(const world::ChildEvent& event) {
  Job* job = find_pid(event.pid);
  if (job == nullptr) {
    using Kind = world::ChildEvent::Kind;
    bool has_ended = event.kind == Kind::kExited || event.kind == Kind::kSignaled;
    if (has_ended) remember(event.pid, event.value + (event.kind == Kind::kSignaled ? 128 : 0));
    return;
  }
  for (JobProcess& process : job->processes) {
    if (process.pid != event.pid) continue;
    using Kind = world::ChildEvent::Kind;
    if (event.kind == Kind::kContinued) {
      process.state = JobProcess::kRunning;
      return;  // who continued it has said so
    }
    process.state = event.kind == Kind::kStopped ? JobProcess::kStopped : JobProcess::kDone;
    process.signal = event.kind == Kind::kExited ? 0 : event.value;
    process.status = event.kind == Kind::kExited ? event.value : 128 + event.value;
    process.dumped_core = event.dumped_core;
  }
  job->was_reported = false;
  if (job->state() == JobProcess::kStopped) make_current(job->number);
}

Job* JobTable::find(int number) {
  for (Job& job : jobs_) {
    if (job.number == number) return &job;
  }
  return nullptr;
}

Job* JobTable::find_pid(world::Pid pid) {
  for (Job& job : jobs_) {
    if (job.holds(pid)) return &job;
  }
  return nullptr;
}

Job* JobTable::named(std::string_view name, std::string& error) {
  error = fmt::format("{}: no such job", name);
  if (name.starts_with('%')) name.remove_prefix(1);
  if (name.empty() || name == "%" || name == "+") return find(current_);
  if (name == "-") return find(previous_);
  if (is_digits(name)) {
    return name.size() > 8 ? nullptr : find(std::stoi(std::string(name)));
  }
  bool anywhere = name.starts_with('?');
  if (anywhere) name.remove_prefix(1);
  Job* found = nullptr;
  for (Job& job : jobs_) {
    size_t at = job.text.find(name);
    if (anywhere ? at == std::string::npos : at != 0) continue;
    if (found != nullptr) {
      error = fmt::format("{}: ambiguous job", name);
      return nullptr;
    }
    found = &job;
  }
  return found;
}

std::string describe(const Job& job) {
  JobProcess::State state = job.state();
  if (state == JobProcess::kRunning) return "Running";
  const JobProcess* last = &job.processes.back();
  if (state == JobProcess::kStopped) {
    for (const JobProcess& process : job.processes) {
      if (process.state == JobProcess::kStopped) last = &process;
    }
    return fmt::format("Stopped (SIG{})", signal_name(last->signal));
  }
  if (last->signal != 0) {
    return signal_description(last->signal) + (last->dumped_core ? " (core dumped)" : "");
  }
  return last->status == 0 ? "Done" : fmt::format("Done({})", last->status);
}

std::string listing(const Job& job, const JobTable& table, bool with_pids, bool in_bash) {
  char mark = job.number == table.current() ? '+' : job.number == table.previous() ? '-' : ' ';
  if (in_bash) {
    JobProcess::State now = job.state();
    std::string state = now == JobProcess::kStopped ? "Stopped" : describe(job);
    if (state.starts_with("Done(")) state = fmt::format("Exit {}", job.processes.back().status);
    return fmt::format("[{}]{} {} {:<24}{}{}\n", job.number, mark,
                       with_pids ? std::to_string(job.processes[0].pid) : "", state, job.text,
                       now == JobProcess::kRunning ? " &" : "");
  }
  std::string pid = with_pids ? fmt::format("{} ", job.processes[0].pid) : "";
  return fmt::format("[{}] {} {}{} {}\n", job.number, mark, pid, describe(job), job.text);
}

}  // namespace nacre::machine
