// Pipelines, asynchronous lists, and waiting for jobs.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>

#include "machine/machine.h"

namespace nacre::machine {

namespace {

constexpr size_t kPipeCapacity = 65536;  // what a pipe takes without a reader

// `echo` and `printf` end soon and write what they write at once: no process is needed to feed a
// pipe with it.
bool only_prints(const Node* node) {
  return node->kind == NodeKind::kSimple && node->builtin != nullptr &&
         (node->builtin->name == "echo" || node->builtin->name == "printf") &&
         node->redirects.empty();
}
}  // namespace

void Machine::abandon(PipelineFrame& frame) {
  for (int fd : {frame.input, frame.output, frame.next_input}) {
    if (fd >= 0) os->close(fd);
  }
  if (frame.phase != PipelineFrame::Phase::kStart && !pending_jobs.empty()) pending_jobs.pop_back();
}

// The stage that was started or run has its place in the job; false: it needs one step more.
bool Machine::stage_done(Frame& frame) {
  using Phase = PipelineFrame::Phase;
  auto& self = frame.as<PipelineFrame>();
  Job& job = pending_jobs.back();
  if (self.phase == Phase::kLaunched) {
    if (self.input >= 0) os->close(self.input);
    self.input = -1;
    bool started = launched > 0;
    job.processes.push_back(
        {launched, started ? JobProcess::kRunning : JobProcess::kDone, started ? 0 : state.status});
    if (job.group == 0) job.group = launched;
    return true;
  }
  if (self.phase == Phase::kInside) {
    undo_moves(frame.base.moves);  // lastpipe
    job.processes.push_back({0, JobProcess::kDone, state.status});
    return true;
  }
  if (self.phase == Phase::kCaptured && captures.back().size() >= kPipeCapacity) {
    self.phase = Phase::kFed;
    start_fork();
    return false;
  }
  if (self.phase == Phase::kFed && fork_result == 0) {
    os->set_disposition(SIGPIPE, world::Disposition::kDefault);
    os->close(self.next_input);
    write_all(self.output, captures.back());
    os->exit(0);
  }
  if (self.phase == Phase::kFed) {
    job.processes.push_back({fork_result});
  } else {
    write_all(self.output, captures.back());
    job.processes.push_back({0, JobProcess::kDone, state.status});
  }
  captures.pop_back();
  return true;
}

Rule Machine::step_pipeline(Frame& frame) {
  using Phase = PipelineFrame::Phase;
  auto& self = frame.as<PipelineFrame>();
  if (self.phase == Phase::kWait) return wait_pipeline(frame);
  if (self.phase == Phase::kStart) {
    Job job;
    job.text = frame.node->text;
    job.has_pipefail = state.options.has(Option::kPipeFail);
    pending_jobs.push_back(std::move(job));
    self.phase = Phase::kLaunched;
    return start_stage(frame);
  }
  if (!stage_done(frame)) return Rule::kPipe;
  if (self.output >= 0) os->close(self.output);
  self.output = -1;
  ++self.stage;
  if (self.stage < frame.node->children.size()) return start_stage(frame);
  if (self.next_input >= 0) os->close(self.next_input);
  self.next_input = -1;
  if (self.is_async) return finish_async_pipeline();
  self.phase = Phase::kWait;
  if (!leads_jobs()) return wait_pipeline(frame);
  self.has_waited = true;
  push(WaitJobFrame{});
  return Rule::kPipe;
}

// A stage that needs no process: it reads from `input` or, if that is negative, writes to memory.
Rule Machine::run_stage_here(const Node* stage, bool tested, int input) {
  push(SubshellFrame{.phase = SubshellFrame::Phase::kInside, .is_part = true});
  enter_subshell();
  if (input >= 0) {
    io[0] = input;
  } else {
    captures.emplace_back();
    io[1] = kFirstCapture - static_cast<int>(captures.size() - 1);
  }
  push_node(stage, tested);
  return Rule::kPipe;
}

Rule Machine::start_stage(Frame& frame) {
  using Phase = PipelineFrame::Phase;
  auto& self = frame.as<PipelineFrame>();
  const Node* stage = frame.node->children[self.stage];
  bool is_last = self.stage + 1 == frame.node->children.size();
  bool monitor = leads_jobs();
  bool tested = frame.tested;
  int input = self.next_input;
  if (is_last && !monitor && !self.is_async && state.options.has(Option::kLastPipe)) {
    self.phase = Phase::kInside;
    self.next_input = -1;
    moves.push_back({.move = {0, input}});
    if (!apply_last_move()) {
      shell_error(2);
      return Rule::kRunFail;
    }
    push_node(stage, tested);
    return Rule::kPipe;
  }
  if (is_last && !monitor && !self.is_async && runs_here(stage)) {
    self.phase = Phase::kInside;
    return run_stage_here(stage, tested, input);
  }
  Launch plan;
  if (input >= 0) {
    plan.moves.push_back({0, input});
    plan.closes.push_back(input);
  }
  self.next_input = -1;
  if (!is_last) {
    int ends[2];
    if (int failed = os->pipe(ends); failed < 0) {
      self.input = input;
      error(fmt::format("cannot make a pipe: {}", std::strerror(-failed)));
      shell_error(2);
      return Rule::kRunFail;
    }
    plan.moves.push_back({1, ends[1]});
    plan.closes.insert(plan.closes.end(), {ends[0], ends[1]});
    self.next_input = ends[0];
    self.output = ends[1];
    bool may_run_here = self.stage == 0 && !monitor && !self.is_async;
    if (may_run_here && only_prints(stage) && runs_here(stage)) {
      self.phase = Phase::kCaptured;
      return run_stage_here(stage, tested, -1);
    }
  }
  plan.is_async = self.is_async;
  plan.group = monitor ? pending_jobs.back().group : -1;
  launches.push_back(std::move(plan));
  self.phase = Phase::kLaunched;
  self.input = input;
  push(LaunchFrame{}, stage).tested = tested;
  return Rule::kPipe;
}

Rule Machine::wait_pipeline(Frame& frame) {
  std::vector<int> statuses;  // PIPESTATUS
  if (!frame.as<PipelineFrame>().has_waited) {
    Job& job = pending_jobs.back();
    for (JobProcess& process : job.processes) {
      if (process.state == JobProcess::kDone) continue;
      int status = wait_for(process.pid);
      if (status == world::kWouldBlock) return Rule::kBlocked;
      process.status = status;
      process.state = JobProcess::kDone;
    }
    state.status = job.status();
    if (is_bash()) {
      for (const JobProcess& process : job.processes) statuses.push_back(process.status);
    }
    pending_jobs.pop_back();
  }
  bool tested = frame.tested;
  pop();
  Rule rule = finish_command(tested);
  state.pipe_statuses = std::move(statuses);
  return rule == Rule::kRunErr ? Rule::kRunErr : Rule::kPipeWait;
}

// All stages have been started: they are one job, and $! is the last of them.
Rule Machine::finish_async_pipeline() {
  Job job = std::move(pending_jobs.back());
  pending_jobs.pop_back();
  pop();
  add_background_job(std::move(job));
  return Rule::kBackground;
}

void Machine::add_background_job(Job job) {
  job.is_background = true;
  bool monitor = leads_jobs();
  if (!monitor) job.group = 0;
  state.background_pid = job.processes.back().pid;
  Job& added = state.jobs.add(std::move(job));
  if (is_interactive() && !state.is_subshell) {
    write_all(io[2], fmt::format("[{}] {}\n", added.number, state.background_pid));
  }
  state.status = 0;
}

namespace {

// To bash the input that a compound command was given is also that of the commands in it which
// run asynchronously; otherwise those read nothing.
bool has_given_input(const Machine& machine) {
  return machine.is_bash() &&
         std::any_of(machine.frames.begin(), machine.frames.end(), [](const Frame& frame) {
           if (!frame.is<GroupFrame>()) return false;
           const auto& all = frame.node->redirects;
           return std::any_of(all.begin(), all.end(),
                              [](const Redirect& redirect) { return redirect.fd == 0; });
         });
}

}  // namespace

Rule Machine::start_background(Frame& frame) {
  auto& self = frame.as<BackgroundFrame>();
  bool monitor = leads_jobs();
  bool keeps_input = monitor || has_given_input(*this);
  reap_children();
  const Node* body = frame.node->children[0];
  if (body->kind == NodeKind::kPipeline && !fine_steps) {
    int null = keeps_input ? -1 : os->open("/dev/null", O_RDONLY, 0);
    pop();
    push(PipelineFrame{.is_async = true, .next_input = std::max(null, -1)}, body);
    return Rule::kBackground;
  }
  Launch plan;
  plan.is_async = true;
  plan.group = monitor ? 0 : -1;
  if (!keeps_input) {
    int null = os->open("/dev/null", O_RDONLY, 0);
    if (null >= 0) {
      plan.moves.push_back({0, null});
      plan.closes.push_back(null);
      self.input = null;
    }
  }
  launches.push_back(std::move(plan));
  self.phase = BackgroundFrame::Phase::kLaunched;
  push(LaunchFrame{}, body);
  return Rule::kBackground;
}

Rule Machine::step_background(Frame& frame) {
  using Phase = BackgroundFrame::Phase;
  auto& self = frame.as<BackgroundFrame>();
  if (self.phase == Phase::kStart) return start_background(frame);
  if (self.input >= 0) os->close(self.input);
  self.input = -1;
  if (self.phase == Phase::kLaunched && launched == 0) {
    // It could not be started, but $! has to name something.
    self.phase = Phase::kForked;
    start_fork();
    return Rule::kBackground;
  }
  if (self.phase == Phase::kForked) {
    if (fork_result == 0) os->exit(state.status);
    if (fork_result < 0) {
      pop();
      return Rule::kRunFail;
    }
    launched = fork_result;
  }
  Job job;
  job.text = frame.node->text;
  job.group = launched;
  job.processes.push_back({launched});
  pop();
  add_background_job(std::move(job));
  return Rule::kBackground;
}

void Machine::give_terminal(world::Pid group) {
  if (terminal >= 0) os->set_terminal_group(terminal, group);
}

// The foreground job has stopped or ended: its status, and what the user is told about it.
void Machine::finish_foreground(Job& job) {
  state.status = job.status();
  if (job.state() == JobProcess::kStopped) {
    job.is_background = true;
    for (const JobProcess& process : job.processes) {
      if (process.state == JobProcess::kStopped) state.status = 128 + process.signal;
    }
    state.jobs.make_current(job.number);
    write_all(io[2], listing(job, state.jobs, false, is_bash()));
    job.was_reported = true;
    return;
  }
  int signal = job.processes.back().signal;
  if (signal != 0 && signal != SIGINT && signal != SIGPIPE) {
    write_all(io[2], describe(job) + "\n");
  }
  state.jobs.remove(job.number);
  // The terminal has sent it to the job only; the user meant the whole line.
  if (signal == SIGINT && is_interactive()) interrupt_session();
}

Rule Machine::step_wait_job(Frame& frame) {
  auto& self = frame.as<WaitJobFrame>();
  if (self.job == 0) {
    Job job = std::move(pending_jobs.back());
    pending_jobs.pop_back();
    self.job = state.jobs.add(std::move(job)).number;
  }
  while (true) {
    Job* job = state.jobs.find(self.job);
    if (job == nullptr || job->state() != JobProcess::kRunning) break;
    world::ChildEvent event;
    int got = os->wait(-1, false, true, event);
    if (got == world::kWouldBlock) return Rule::kBlocked;
    if (got == -EINTR) continue;
    if (got < 0) break;
    state.jobs.record(event);
  }
  give_terminal(os->group_id());
  if (Job* job = state.jobs.find(self.job)) finish_foreground(*job);
  pop();
  return Rule::kWait;
}

void Machine::report_jobs() {
  reap_children();
  std::vector<int> done;
  for (Job& job : state.jobs.all()) {
    if (job.was_reported) continue;
    write_all(io[2], listing(job, state.jobs, false, is_bash()));
    job.was_reported = true;
    if (job.state() == JobProcess::kDone) done.push_back(job.number);
  }
  for (int number : done) state.jobs.forget_reported(number);
}

}  // namespace nacre::machine
