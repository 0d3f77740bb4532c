// Command substitution: $(...). The body writes into a pipe or, where no process is needed
// (subshell.cpp), into memory; its output becomes a piece of the word.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>

#include "machine/machine.h"

namespace nacre::machine {

using SubstitutionPhase = CommandSubstFrame::Phase;

void Machine::abandon(CommandSubstFrame& frame) {
  if (frame.phase == SubstitutionPhase::kCaptured) captures.pop_back();
  if (frame.read_end >= 0) os->close(frame.read_end);
  if (frame.write_end >= 0) os->close(frame.write_end);
}

namespace {

// To bash, $(...) starts without errexit.
void drop_errexit(Machine& machine) {
  Options& options = machine.state.options;
  if (!machine.is_bash() || options.has(Option::kInheritErrExit) || options.has(Option::kPosix)) {
    return;
  }
  options.set(Option::kErrExit, false);
}

}  // namespace

Rule Machine::start_substitution(Frame& frame) {
  auto& self = frame.as<CommandSubstFrame>();
  const Node* body = frame.node;
  if (runs_here(body)) {
    self.phase = SubstitutionPhase::kCaptured;
    push(SubshellFrame{.phase = SubshellFrame::Phase::kInside, .is_part = true});
    enter_subshell();
    drop_errexit(*this);
    captures.emplace_back();
    io[1] = kFirstCapture - static_cast<int>(captures.size() - 1);
    push_node(body, false);
    return Rule::kCmdSubst;
  }
  int ends[2];
  if (int failed = os->pipe(ends); failed < 0) {
    expansion_error(fmt::format("cannot make a pipe: {}", std::strerror(-failed)));
    return Rule::kEWCtrlErr;
  }
  self.read_end = ends[0];
  self.write_end = ends[1];
  if (is_direct(body)) {
    self.phase = SubstitutionPhase::kLaunched;
    launches.push_back(
        {.moves = {{1, ends[1]}}, .closes = {ends[0], ends[1]}, .is_substitution = true});
    push(LaunchFrame{}, body);
  } else {
    self.phase = SubstitutionPhase::kForked;
    start_fork();
  }
  return Rule::kCmdSubst;
}

// One read is one step, so that a world can count what the shell holds.
Rule Machine::read_substitution(Frame& frame) {
  auto& self = frame.as<CommandSubstFrame>();
  char buffer[16384];
  ssize_t got = os->read(self.read_end, buffer, sizeof buffer);
  if (got == world::kWouldBlock) return Rule::kBlocked;
  if (got > 0) text.append(buffer, static_cast<size_t>(got));
  if (got > 0 || got == -EINTR) return Rule::kCmdSubstRead;
  if (got < 0) {
    expansion_error(
        fmt::format("cannot read from a command: {}", std::strerror(static_cast<int>(-got))));
    return Rule::kCmdSubstReadErr;
  }
  os->close(self.read_end);
  self.read_end = -1;
  self.phase = SubstitutionPhase::kWaiting;
  return Rule::kCmdSubstRead;
}

Rule Machine::step_command_subst(Frame& frame) {
  auto& self = frame.as<CommandSubstFrame>();
  switch (self.phase) {
    case SubstitutionPhase::kStart: return start_substitution(frame);
    case SubstitutionPhase::kCaptured:
      append("", self.part->region);
      text += captures.back();
      captures.pop_back();
      finish_substitution(frame);
      return Rule::kCmdSubstRead;
    case SubstitutionPhase::kForked:
      if (fork_result == 0) {
        os->duplicate_to(self.write_end, 1);
        os->close(self.read_end);
        os->close(self.write_end);
        state.is_in_substitution = true;
        drop_errexit(*this);
        run_in_child(frame.node, false, false);
        return Rule::kCmdSubst;
      }
      if (fork_result < 0) {
        shell_error(2);
        return Rule::kEWCtrlErr;
      }
      launched = fork_result;
      [[fallthrough]];
    case SubstitutionPhase::kLaunched:
      os->close(self.write_end);
      self.write_end = -1;
      self.process = launched;
      self.phase = SubstitutionPhase::kReading;
      append("", self.part->region);
      [[fallthrough]];
    case SubstitutionPhase::kReading: return read_substitution(frame);
    case SubstitutionPhase::kWaiting: break;
  }
  int status = wait_for(self.process);
  if (status == world::kWouldBlock) return Rule::kBlocked;
  state.status = status;
  finish_substitution(frame);
  return Rule::kCmdSubstWait;
}

// The output is the end of `text`; zero bytes and the newlines at its end go.
void Machine::finish_substitution(Frame& frame) {
  size_t base = frame.base.text;
  if (text.find('\0', base) != std::string::npos) {
    text.erase(std::remove(text.begin() + static_cast<ptrdiff_t>(base), text.end(), '\0'),
               text.end());
  }
  size_t end = text.size();
  while (end > base && text[end - 1] == '\n') --end;
  text.resize(end);
  did_substitute = true;
  pop();
}

}  // namespace nacre::machine
