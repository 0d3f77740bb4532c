// Starting a process for one command of a pipeline, a substitution or an asynchronous list: a
// program whose words are harmless is started from here, without a copy of the shell; anything else
// runs in a fork.
#include <algorithm>

#include "machine/machine.h"

namespace nacre::machine {

using LaunchPhase = LaunchFrame::Phase;

// A program that can be started without a copy of the shell. Its words are expanded here, so they
// must start no process: that one would see the shell's descriptors instead of the command's, and
// an asynchronous command would keep the shell waiting.
bool Machine::is_direct(const Node* node) {
  const auto is_safe_word = [this](const Word& word) { return is_safe(word, 0); };
  return node->kind == NodeKind::kSimple && node->name != kNoName && node->builtin == nullptr &&
         function(node->name) == nullptr && !fine_steps &&
         std::all_of(node->words.begin(), node->words.end(), is_safe_word) &&
         std::all_of(node->assignments.begin(), node->assignments.end(),
                     [&](const Assignment& assignment) { return is_safe(assignment, 0); }) &&
         std::all_of(node->redirects.begin(), node->redirects.end(), [&](const Redirect& redirect) {
           return is_safe_word(redirect.target) && redirect.variable.empty();
         });
}

bool Machine::is_launched_here() const {
  if (frames.size() < 2) return false;
  const auto* launch = frames[frames.size() - 2].get<LaunchFrame>();
  return launch != nullptr && launch->phase == LaunchPhase::kInside;
}

bool Machine::would_block(const Redirect& redirect, const std::string& target) const {
  bool opens_file = redirect.op != shell::RedirectOp::kHereDocument &&
                    redirect.op != shell::RedirectOp::kHereString &&
                    redirect.op != shell::RedirectOp::kDuplicateInput &&
                    redirect.op != shell::RedirectOp::kDuplicateOutput;
  world::FileStatus status;
  return opens_file && is_launched_here() && os->status(target.c_str(), true, status) >= 0 &&
         status.kind == world::FileKind::kFifo;
}

bool Machine::fork_instead() {
  undo_moves(frames.back().base.moves);
  pop();
  Frame& frame = frames.back();
  auto& self = frame.as<LaunchFrame>();
  cut_to(frame.base);
  leave_subshell(frame.base.variables);
  self.phase = LaunchPhase::kForked;
  start_fork();
  return false;
}

Rule Machine::step_launch(Frame& frame) {
  auto& self = frame.as<LaunchFrame>();
  switch (self.phase) {
    case LaunchPhase::kStart:
      if (is_direct(frame.node)) {
        const Node* node = frame.node;
        self.phase = LaunchPhase::kInside;
        launched = 0;
        enter_subshell();
        for (const world::FdMove& move : launches.back().moves) io[move.target] = move.source;
        push_node(node, true);
        return Rule::kRun;
      }
      self.phase = LaunchPhase::kForked;
      start_fork();
      return Rule::kRun;
    case LaunchPhase::kInside:
      undo_moves(frame.base.moves);
      cut_to(frame.base);
      leave_subshell(frame.base.variables);
      launches.pop_back();
      pop();
      return Rule::kRun;
    case LaunchPhase::kForked: break;
  }
  Launch launch = std::move(launches.back());
  launches.pop_back();
  if (fork_result == 0) {
    if (launch.group >= 0) os->set_group(0, launch.group);
    if (launch.group >= 0 && !launch.is_async) give_terminal(os->group_id());
    state.is_in_substitution |= launch.is_substitution;
    for (const world::FdMove& move : launch.moves) os->duplicate_to(move.source, move.target);
    for (int fd : launch.closes) os->close(fd);
    run_in_child(frame.node, frame.tested, launch.is_async);
    return Rule::kRun;
  }
  if (fork_result > 0 && launch.group >= 0) {
    world::Pid group = launch.group == 0 ? fork_result : launch.group;
    os->set_group(fork_result, group);
    if (!launch.is_async) give_terminal(group);
  }
  launched = std::max(fork_result, 0);
  if (fork_result < 0) state.status = 2;
  pop();
  return Rule::kRun;
}

}  // namespace nacre::machine
