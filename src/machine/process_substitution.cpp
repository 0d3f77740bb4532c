// <(...) and >(...): a process at the other end of a pipe, which the word names as /dev/fd/N.
// coproc: a process with a pipe at both ends, whose descriptors are in an array.
#include <cstring>
#include <fmt/format.h>

#include "machine/machine.h"

namespace nacre::machine {

namespace {

constexpr int kFirstDescriptor = 63;  // bash's; the next ones are below it

// A copy of `fd` that programs inherit; `fd` is closed.
int inherited(world::Os& os, int fd) {
  int target = kFirstDescriptor;
  while (target > 9 && os.is_open(target)) --target;
  os.duplicate_to(fd, target);
  os.close(fd);
  return target;
}

}  // namespace

void Machine::abandon(ProcessSubstFrame& frame) {
  for (int fd : {frame.own_end, frame.child_end}) {
    if (fd >= 0) os->close(fd);
  }
}

Rule Machine::step_process_subst(Frame& frame) {
  auto& self = frame.as<ProcessSubstFrame>();
  const Part& part = *self.part;
  if (!self.has_launched) {
    int ends[2];
    if (int failed = os->pipe(ends); failed < 0) {
      expansion_error(fmt::format("cannot make a pipe: {}", std::strerror(-failed)));
      return Rule::kEWCtrlErr;
    }
    self.own_end = part.is_input ? ends[0] : ends[1];
    self.child_end = part.is_input ? ends[1] : ends[0];
    self.has_launched = true;
    launched = 0;
    if (frame.node != nullptr) {
      Launch plan;
      plan.moves.push_back({part.is_input ? 1 : 0, self.child_end});
      plan.closes = {ends[0], ends[1]};
      plan.is_async = false;
      launches.push_back(std::move(plan));
      push(LaunchFrame{}, frame.node);
      return Rule::kCmdSubst;
    }
  }
  os->close(self.child_end);
  int fd = inherited(*os, self.own_end);
  if (launched > 0) state.background_pid = launched;
  append(fmt::format("/dev/fd/{}", fd), part.region);
  pop();
  // The command that the word belongs to closes it.
  Move move;
  move.move = {fd, -1};
  move.is_applied = true;
  moves.push_back(move);
  return Rule::kCmdSubst;
}

void Machine::abandon(CoprocFrame& frame) {
  for (int fd : {frame.read_end, frame.write_end, frame.child_input, frame.child_output}) {
    if (fd >= 0) os->close(fd);
  }
}

Rule Machine::step_coproc(Frame& frame) {
  auto& self = frame.as<CoprocFrame>();
  const Node& node = *frame.node;
  if (!self.has_launched) {
    int to_child[2];
    int from_child[2];
    if (os->pipe(to_child) < 0 || os->pipe(from_child) < 0) {
      error("cannot make a pipe");
      pop();
      shell_error(1);
      return Rule::kRunFail;
    }
    self.child_input = to_child[0];
    self.write_end = to_child[1];
    self.read_end = from_child[0];
    self.child_output = from_child[1];
    self.has_launched = true;
    Launch plan;
    plan.moves = {{0, self.child_input}, {1, self.child_output}};
    plan.closes = {to_child[0], to_child[1], from_child[0], from_child[1]};
    plan.is_async = true;
    launches.push_back(std::move(plan));
    push(LaunchFrame{}, node.children[0]);
    return Rule::kBackground;
  }
  os->close(self.child_input);
  os->close(self.child_output);
  // Only the shell itself uses them: they stay closed in programs, as descriptors of pipes do.
  set_array(names().text(node.name),
            {std::to_string(self.read_end), std::to_string(self.write_end)});
  assign(names().intern(names().text(node.name) + "_PID"), std::to_string(launched));
  Job job;
  job.text = node.text;
  job.group = launched;
  job.processes.push_back({launched});
  pop();
  add_background_job(std::move(job));
  return Rule::kBackground;
}

}  // namespace nacre::machine
