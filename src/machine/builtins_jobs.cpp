#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>

#include "base/ascii.h"
#include "machine/arithmetic.h"
#include "machine/builtin_options.h"
#include "machine/builtins.h"
#include "machine/machine.h"
#include "machine/quote.h"
#include "machine/signal_list.h"
#include "machine/signals.h"

namespace nacre::machine {
namespace {

// The job that an operand names, or the current one.
Job* job_operand(Machine& machine, Args args, size_t i) {
  std::string why;
  Job* job = machine.state.jobs.named(i < args.size() ? args[i] : "%%", why);
  if (job == nullptr || job->is_disowned) {
    machine.builtin_error(args[0], i < args.size() ? why : "no current job");
    return nullptr;
  }
  return job;
}

bool needs_job_control(Machine& machine, Args args) {
  if (machine.state.options.has(Option::kMonitor)) return true;
  machine.builtin_error(args[0], "no job control");
  return false;
}

void continue_job(Machine& machine, Job& job) {
  for (JobProcess& process : job.processes) {
    if (process.state == JobProcess::kStopped) process.state = JobProcess::kRunning;
  }
  job.was_reported = true;
  machine.os->send_signal(job.group > 0 ? -job.group : job.processes[0].pid, SIGCONT);
}

// jobs -x: a command, in whose arguments jobs are named by their process group.
int run_with_jobs(Machine& machine, Args args, size_t first) {
  if (first >= args.size()) return 0;
  std::string command;
  for (size_t i = first; i < args.size(); ++i) {
    std::string why;
    const Job* job = args[i].starts_with('%') ? machine.state.jobs.named(args[i], why) : nullptr;
    world::Pid pid = job == nullptr ? 0 : job->group > 0 ? job->group : job->processes[0].pid;
    command += job == nullptr ? quoted(args[i]) : std::to_string(pid);
    command += ' ';
  }
  machine.push_source(Source::of_text("jobs", std::move(command)), false);
  return kPushed;
}

}  // namespace

int run_jobs(Machine& machine, Args args) {
  OptionScanner options(args, machine.is_bash() ? "lpnrsx" : "lp");
  bool with_pids = false;
  bool only_pids = false;
  bool only_news = false;
  std::optional<JobProcess::State> only;
  while (char letter = options.next()) {
    switch (letter) {
      case 'l': with_pids = true; break;
      case 'p': only_pids = true; break;
      case 'n': only_news = true; break;
      case 'r': only = JobProcess::kRunning; break;
      case 's': only = JobProcess::kStopped; break;
      case 'x': return run_with_jobs(machine, args, options.operands());
      default: return machine.bad_option(args[0], options.letter());
    }
  }
  machine.reap_children();
  std::vector<int> done;
  auto show = [&](Job& job) {
    if ((only && job.state() != *only) || (only_news && job.was_reported)) return;
    machine.out(only_pids ? fmt::format("{}\n", job.processes[0].pid)
                          : listing(job, machine.state.jobs, with_pids, machine.is_bash()));
    job.was_reported = true;
    if (job.state() == JobProcess::kDone) done.push_back(job.number);
  };
  int status = 0;
  if (options.operands() >= args.size()) {
    for (Job& job : machine.state.jobs.all()) show(job);
  }
  for (size_t i = options.operands(); i < args.size(); ++i) {
    if (Job* job = job_operand(machine, args, i)) {
      show(*job);
    } else {
      status = 1;
    }
  }
  if (!machine.state.is_subshell) {
    for (int number : done) machine.state.jobs.forget_reported(number);
  }
  return status;
}

int run_bg(Machine& machine, Args args) {
  if (!needs_job_control(machine, args)) return 1;
  OptionScanner options(args, "");
  if (options.next() != 0) return machine.bad_option(args[0], options.letter());
  size_t first = options.operands();
  int status = 0;
  for (size_t i = first; i < std::max(args.size(), first + 1); ++i) {
    Job* job = job_operand(machine, args, i);
    if (job == nullptr) {
      status = 1;
      continue;
    }
    if (machine.is_bash() && job->state() == JobProcess::kRunning) {
      machine.builtin_error(args[0], fmt::format("job {} already in background", job->number));
      continue;
    }
    job->is_background = true;
    machine.state.background_pid = job->processes.back().pid;
    char mark = job->number == machine.state.jobs.current()    ? '+'
                : job->number == machine.state.jobs.previous() ? '-'
                                                               : ' ';
    machine.out(machine.is_bash() ? fmt::format("[{}]{} {} &\n", job->number, mark, job->text)
                                  : fmt::format("[{}] {}\n", job->number, job->text));
    continue_job(machine, *job);
  }
  return status;
}

int run_fg(Machine& machine, Args args) {
  if (!needs_job_control(machine, args)) return 1;
  OptionScanner options(args, "");
  if (options.next() != 0) return machine.bad_option(args[0], options.letter());
  size_t first = options.operands();
  Job* job = job_operand(machine, args, first);
  if (job == nullptr) return 1;
  machine.out(job->text + "\n");
  machine.flush_out();
  if (machine.terminal >= 0) machine.os->set_terminal_group(machine.terminal, job->group);
  continue_job(machine, *job);
  machine.push(WaitJobFrame{.job = job->number});
  return kPushed;
}

namespace {

// Waits until `is_done()`; a trapped signal ends it early with its number above 128.
template <typename Done>
int wait_until(Machine& machine, Done&& is_done) {
  while (true) {
    // SIGCHLD says nothing but what `wait` waits for.
    int signal = *machine.signal_flag != 0 ? machine.os->peek_signal() : 0;
    if (signal != 0 && signal != SIGCHLD) return 128 + signal;
    if (is_done()) return 0;
    world::ChildEvent event;
    bool report_stops = machine.state.options.has(Option::kMonitor);
    int got = signal == 0 ? machine.os->wait_or_signal(report_stops, event)
                          : machine.os->wait(-1, false, report_stops, event);
    if (got == world::kWouldBlock) return kNotReady;
    if (got == -EINTR) continue;
    if (got < 0) return 127;
    machine.state.jobs.record(event);
  }
}

int wait_for_job(Machine& machine, int number) {
  int interrupted = wait_until(machine, [&] {
    Job* job = machine.state.jobs.find(number);
    return job == nullptr || job->state() != JobProcess::kRunning;
  });
  if (interrupted != 0) return interrupted;
  Job* job = machine.state.jobs.find(number);
  int status = job->status();
  if (job->state() == JobProcess::kDone) machine.state.jobs.remove(number);
  return status;
}

}  // namespace

namespace {

// wait -n: the next job that ends, of those that are named if there are any.
int wait_for_next(Machine& machine, Args args, size_t first, std::string_view variable) {
  JobTable& jobs = machine.state.jobs;
  auto is_meant = [&](const Job& job) {
    if (job.is_disowned) return false;
    for (size_t i = first; i < args.size(); ++i) {
      int64_t pid = 0;
      std::string why;
      Job* named = args[i].starts_with('%')      ? jobs.named(args[i], why)
                   : parse_integer(args[i], pid) ? jobs.find_pid(static_cast<world::Pid>(pid))
                                                 : nullptr;
      if (named != nullptr && named->number == job.number) return true;
    }
    return first >= args.size();
  };
  bool has_any = std::any_of(jobs.all().begin(), jobs.all().end(), is_meant);
  if (!has_any) return 127;
  int ended = 0;
  int interrupted = wait_until(machine, [&] {
    for (const Job& job : jobs.all()) {
      if (is_meant(job) && job.state() == JobProcess::kDone) ended = job.number;
    }
    return ended != 0;
  });
  if (interrupted != 0) return interrupted;
  Job* job = jobs.find(ended);
  int status = job->status();
  std::string pid = std::to_string(job->processes.back().pid);
  jobs.remove(ended);
  if (!variable.empty() && !machine.assign_named(variable, pid)) return 1;
  return status;
}

}  // namespace

int run_wait(Machine& machine, Args args) {
  size_t first = args.size() > 1 && args[1] == "--" ? 2 : 1;
  if (machine.is_bash()) {
    OptionScanner options(args, "fnp:");
    bool next = false;
    std::string_view variable;
    while (char letter = options.next()) {
      if (letter == '?') {
        return machine.bad_option(args[0], options.letter());
      }
      next |= letter == 'n';
      if (letter == 'p') variable = options.value();
    }
    first = options.operands();
    if (next) return wait_for_next(machine, args, first, variable);
  }
  JobTable& jobs = machine.state.jobs;
  if (first >= args.size()) {
    int interrupted = wait_until(machine, [&] {
      for (const Job& job : jobs.all()) {
        if (!job.is_disowned && job.state() == JobProcess::kRunning) return false;
      }
      return true;
    });
    if (interrupted != 0 && interrupted != 127) return interrupted;
    jobs.remove_done();
    return 0;
  }
  int status = 0;
  for (size_t i = first; i < args.size(); ++i) {
    int64_t pid = 0;
    Job* job = nullptr;
    std::string why;
    if (args[i].starts_with('%')) {
      job = jobs.named(args[i], why);
    } else if (is_digits(args[i]) && parse_integer(args[i], pid)) {
      job = jobs.find_pid(static_cast<world::Pid>(pid));
      if (auto ended = jobs.take_status(static_cast<world::Pid>(pid)); ended && job == nullptr) {
        status = *ended;
        continue;
      }
      if (job == nullptr && pid == machine.state.background_pid) {  // of <(...): it has no job
        std::optional<int> found;
        int interrupted = wait_until(machine, [&] {
          found = jobs.take_status(static_cast<world::Pid>(pid));
          return found.has_value();
        });
        if (interrupted == kNotReady || (interrupted != 0 && interrupted != 127))
          return interrupted;
        if (found) {
          status = *found;
          continue;
        }
      }
      why = fmt::format("pid {} is not a child of this shell", args[i]);
    } else if (machine.is_bash()) {
      machine.builtin_error(args[0], fmt::format("`{}': not a pid or valid job spec", args[i]));
      status = 1;
      continue;
    } else {
      return machine.builtin_failure(args[0], fmt::format("{}: not a process or job", args[i]), 2);
    }
    if (job == nullptr || job->is_disowned) {
      if (machine.is_bash()) machine.builtin_error(args[0], why);
      status = 127;
      continue;
    }
    status = wait_for_job(machine, job->number);
    if (status == kNotReady || *machine.signal_flag != 0) return status;
  }
  return status;
}

namespace {

int list_signals(Machine& machine, Args args, size_t first) {
  if (first >= args.size()) {
    for (int signal = 1; signal < NSIG; ++signal) {
      if (std::string name = signal_name(signal); !name.empty()) machine.out(name + "\n");
    }
    return 0;
  }
  int status = 0;
  for (size_t i = first; i < args.size(); ++i) {
    int64_t number = 0;
    std::string name;
    if (parse_integer(args[i], number)) {
      name = number >= 0 && number < 256
                 ? signal_name(static_cast<int>(number > 128 ? number - 128 : number))
                 : "";
    } else if (auto found = signal_number(args[i])) {
      name = std::to_string(*found);
    }
    if (name.empty()) {
      machine.builtin_error(args[0],
                            fmt::format("{}: invalid signal number or exit status", args[i]));
      status = 1;
    } else {
      machine.out(name + "\n");
    }
  }
  return status;
}

int send_to(Machine& machine, Args args, size_t i, int signal) {
  int64_t pid = 0;
  if (args[i].starts_with('%')) {
    Job* job = job_operand(machine, args, i);
    if (job == nullptr) return 1;
    pid = job->group > 0 ? -job->group : job->processes[0].pid;
  } else if (!parse_integer(args[i], pid)) {
    if (machine.is_bash()) {
      machine.builtin_error(args[0],
                            args[i].empty()
                                ? "`': not a pid or valid job spec"
                                : fmt::format("{}: arguments must be process or job IDs", args[i]));
      return 1;
    }
    machine.builtin_error(args[0], fmt::format("{}: not a process or job", args[i]));
    return 2;
  }
  int sent = machine.os->send_signal(static_cast<world::Pid>(pid), signal);
  if (sent >= 0) return 0;
  std::string_view why = std::strerror(-sent);
  machine.builtin_error(args[0], machine.is_bash() ? fmt::format("({}) - {}", args[i], why)
                                                   : fmt::format("{}: {}", args[i], why));
  return 1;
}

}  // namespace

int run_kill(Machine& machine, Args args) {
  int signal = SIGTERM;
  size_t at = 1;
  bool lists = at < args.size() && (args[at] == "-l" || (machine.is_bash() && args[at] == "-L"));
  if (lists && machine.is_bash() && at + 1 == args.size()) return list_signal_names(machine);
  if (lists) return list_signals(machine, args, at + 1);
  if (at < args.size() && args[at].size() > 1 && args[at][0] == '-' && args[at] != "--") {
    std::string_view name = args[at++].substr(1);
    if (name == "s" || name == "n") {
      if (at >= args.size() && machine.is_bash()) {
        return machine.builtin_failure(args[0],
                                       fmt::format("-{}: option requires an argument", name));
      }
      if (at >= args.size()) return machine.builtin_failure(args[0], "a signal is missing", 2);
      name = args[at++];
    } else if (name[0] == 's' && !signal_number(name)) {
      name.remove_prefix(1);
    }
    std::optional<int> found = signal_number(name);
    if (!found && machine.is_bash()) {
      return machine.builtin_failure(args[0],
                                     fmt::format("{}: invalid signal specification", name));
    }
    if (!found) return machine.builtin_failure(args[0], fmt::format("{}: invalid signal", name), 2);
    signal = *found;
  }
  if (at < args.size() && args[at] == "--") ++at;
  if (at >= args.size()) {
    return machine.is_bash() ? machine.usage_failure(args[0])
                             : machine.builtin_failure(args[0], "a process or job is missing", 2);
  }
  machine.flush_out();
  machine.reap_jobs();  // `while kill -0 $!` has to see that it is gone
  int status = 0;
  for (; at < args.size(); ++at) status = std::max(status, send_to(machine, args, at, signal));
  return status;
}

int run_newgrp(Machine& machine, Args args) {
  // As the standard describes it: the shell becomes newgrp, which starts a new shell.
  int failure = 0;
  std::string name(args[0]);
  std::optional<std::string> path =
      machine.find_command(name, machine.names().intern(name), failure);
  if (path) failure = machine.exec_command(args.base(), *path);
  return machine.exec_error(name, failure);
}

}  // namespace nacre::machine
