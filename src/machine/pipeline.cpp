// Pipelines, asynchronous lists, and waiting for jobs.
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>

#include "machine/machine.h"

namespace nacre::machine {

namespace {

constexpr size_t kPipeCapacity = 65536;  // what a pipe takes without a reader

enum PipelinePc : uint8_t {
  kPipeStart,
  kPipeLaunched,
  kPipeCaptured,
  kPipeFed,
  kPipeInside,
  kPipeWait
};

// `echo` and `printf` end soon and write what they write at once: no process is needed to feed a
// pipe with it.
bool only_prints(const Node* node) {
  return node->kind == NodeKind::kSimple && node->builtin != nullptr &&
         (node->builtin->name == "echo" || node->builtin->name == "printf") &&
         node->redirects.empty();
}
}  // namespace

// The stage that was started or run has its place in the job; false: it needs one step more.
bool Machine::stage_done(Frame& frame) {
  Job& job = pending_jobs.back();
  if (frame.pc == kPipeLaunched) {
    if (frame.input >= 0) os->close(frame.input);
    frame.input = -1;
    bool started = launched > 0;
    job.processes.push_back(
        {launched, started ? JobProcess::kRunning : JobProcess::kDone, started ? 0 : state.status});
    if (job.group == 0) job.group = launched;
    return true;
  }
  if (frame.pc == kPipeInside) {
    job.processes.push_back({0, JobProcess::kDone, state.status});
    return true;
  }
  if (frame.pc == kPipeCaptured && captures.back().size() >= kPipeCapacity) {
    start_fork(frame, kPipeFed);
    return false;
  }
  if (frame.pc == kPipeFed && fork_result == 0) {
    os->set_disposition(SIGPIPE, world::Disposition::kDefault);
    os->close(frame.value);
    write_all(frame.value2, captures.back());
    os->exit(0);
  }
  if (frame.pc == kPipeFed) {
    job.processes.push_back({fork_result});
  } else {
    write_all(frame.value2, captures.back());
    job.processes.push_back({0, JobProcess::kDone, state.status});
  }
  captures.pop_back();
  return true;
}

// frame.value: the end that the next stage reads from; frame.value2: the end that this one writes.
Rule Machine::step_pipeline(Frame& frame) {
  if (frame.pc == kPipeWait) return wait_pipeline(frame);
  if (frame.pc == kPipeStart) {
    Job job;
    job.text = frame.node->text;
    job.has_pipefail = state.options.has(Option::kPipeFail);
    pending_jobs.push_back(std::move(job));
    frame.value = frame.value2 = -1;
    frame.pc = kPipeLaunched;
    return start_stage(frame);
  }
  if (!stage_done(frame)) return Rule::kPipe;
  if (frame.value2 >= 0) os->close(frame.value2);
  frame.value2 = -1;
  ++frame.index;
  if (frame.index < frame.node->children.size()) return start_stage(frame);
  if (frame.value >= 0) os->close(frame.value);
  frame.value = -1;
  frame.pc = kPipeWait;
  if (!state.options.has(Option::kMonitor) || state.is_subshell) return wait_pipeline(frame);
  frame.flag = true;
  push(FrameKind::kWaitJob);
  return Rule::kPipe;
}

Rule Machine::start_stage(Frame& frame) {
  const Node* stage = frame.node->children[frame.index];
  bool is_last = frame.index + 1 == frame.node->children.size();
  bool monitor = state.options.has(Option::kMonitor) && !state.is_subshell;
  int input = frame.value;
  bool tested = frame.tested;
  Launch plan;
  if (is_last && !monitor && runs_here(stage)) {
    frame.pc = kPipeInside;
    Frame& inner = push(FrameKind::kSubshell);
    inner.pc = 1;
    inner.flag = true;
    enter_subshell();
    io[0] = input;
    push_node(stage, tested);
    return Rule::kPipe;
  }
  if (input >= 0) {
    plan.moves.push_back({0, input});
    plan.closes.push_back(input);
  }
  if (!is_last) {
    int ends[2];
    if (int failed = os->pipe(ends); failed < 0) {
      error(fmt::format("cannot make a pipe: {}", std::strerror(-failed)));
      shell_error(2);
      return Rule::kRunFail;
    }
    plan.moves.push_back({1, ends[1]});
    plan.closes.insert(plan.closes.end(), {ends[0], ends[1]});
    if (frame.index == 0 && !monitor && only_prints(stage) && runs_here(stage)) {
      frame.value = ends[0];
      frame.value2 = ends[1];
      frame.pc = kPipeCaptured;
      Frame& inner = push(FrameKind::kSubshell);
      inner.pc = 1;
      inner.flag = true;
      enter_subshell();
      captures.emplace_back();
      io[1] = kFirstCapture - static_cast<int>(captures.size() - 1);
      push_node(stage, tested);
      return Rule::kPipe;
    }
    frame.value2 = ends[1];
    frame.value = ends[0];
  } else {
    frame.value = -1;
  }
  plan.group = monitor ? pending_jobs.back().group : -1;
  launches.push_back(std::move(plan));
  frame.pc = kPipeLaunched;
  frame.input = input;
  Frame& launch = push(FrameKind::kLaunch, stage);
  launch.tested = tested;
  return Rule::kPipe;
}

Rule Machine::wait_pipeline(Frame& frame) {
  if (!frame.flag) {
    Job& job = pending_jobs.back();
    for (JobProcess& process : job.processes) {
      if (process.state == JobProcess::kDone) continue;
      int status = wait_for(process.pid);
      if (status == world::kWouldBlock) return Rule::kBlocked;
      process.status = status;
      process.state = JobProcess::kDone;
    }
    state.status = job.status();
    pending_jobs.pop_back();
  }
  bool tested = frame.tested;
  pop();
  finish_command(tested);
  return Rule::kPipeWait;
}

Rule Machine::step_background(Frame& frame) {
  const Node* body = frame.node->children[0];
  bool monitor = state.options.has(Option::kMonitor) && !state.is_subshell;
  if (frame.pc == 0) {
    frame.pc = 1;
    reap_children();
    Launch plan;
    plan.is_async = true;
    plan.group = monitor ? 0 : -1;
    frame.value = -1;
    if (!monitor) {
      int null = os->open("/dev/null", O_RDONLY, 0);
      if (null >= 0) {
        plan.moves.push_back({0, null});
        plan.closes.push_back(null);
        frame.value = null;
      }
    }
    launches.push_back(std::move(plan));
    push(FrameKind::kLaunch, body);
    return Rule::kBackground;
  }
  if (frame.value >= 0) os->close(frame.value);
  frame.value = -1;
  if (frame.pc == 1 && launched == 0) {  // it could not be started, but $! has to name something
    start_fork(frame, 2);
    return Rule::kBackground;
  }
  if (frame.pc == 2) {
    if (fork_result == 0) os->exit(state.status);
    if (fork_result < 0) {
      pop();
      return Rule::kRunFail;
    }
    launched = fork_result;
  }
  Job job;
  job.text = frame.node->text;
  job.is_background = true;
  job.group = monitor ? launched : 0;
  job.processes.push_back({launched});
  Job& added = state.jobs.add(std::move(job));
  state.background_pid = launched;
  if (is_interactive() && !state.is_subshell) {
    write_all(io[2], fmt::format("[{}] {}\n", added.number, launched));
  }
  state.status = 0;
  pop();
  return Rule::kBackground;
}

// A foreground job under job control: it may also stop. The job is the last of pending_jobs.
Rule Machine::step_wait_job(Frame& frame) {
  if (frame.pc == 0) {
    Job job = std::move(pending_jobs.back());
    pending_jobs.pop_back();
    frame.value = state.jobs.add(std::move(job)).number;
    frame.pc = 1;
  }
  while (true) {
    Job* job = state.jobs.find(frame.value);
    if (job == nullptr || job->state() != JobProcess::kRunning) break;
    world::ChildEvent event;
    int got = os->wait(-1, false, true, event);
    if (got == world::kWouldBlock) return Rule::kBlocked;
    if (got == -EINTR) continue;
    if (got < 0) break;
    state.jobs.record(event);
  }
  if (terminal >= 0) os->set_terminal_group(terminal, os->group_id());
  Job* job = state.jobs.find(frame.value);
  if (job != nullptr) {
    state.status = job->status();
    bool stopped = job->state() == JobProcess::kStopped;
    if (stopped) {
      job->is_background = true;
      for (const JobProcess& process : job->processes) {
        if (process.state == JobProcess::kStopped) state.status = 128 + process.signal;
      }
      state.jobs.make_current(job->number);
      write_all(io[2], listing(*job, state.jobs, false));
      job->was_reported = true;
    } else {
      int signal = job->processes.back().signal;
      if (signal != 0 && signal != SIGINT && signal != SIGPIPE) {
        write_all(io[2], describe(*job) + "\n");
      }
      state.jobs.remove(job->number);
    }
  }
  pop();
  return Rule::kWait;
}

void Machine::report_jobs() {
  reap_children();
  std::vector<int> done;
  for (Job& job : state.jobs.all()) {
    if (job.was_reported) continue;
    write_all(io[2], listing(job, state.jobs, false));
    job.was_reported = true;
    if (job.state() == JobProcess::kDone) done.push_back(job.number);
  }
  for (int number : done) state.jobs.remove(number);
}

}  // namespace nacre::machine
