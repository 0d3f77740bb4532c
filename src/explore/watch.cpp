// A loop whose state has come back never ends: the machine is deterministic, and nothing else
// changes the world. The state is that of the shell at the head of the loop, of the files and of
// the open descriptors, and no other process may be running. Time goes on, so a loop in which
// a program asks for the time is left alone. Brent's scheme: the state is kept at visits 64, 128,
// 256, ... and compared at all others.
#include "explore/watch.h"

#include "world/simulated_os.h"

namespace nacre::explore {

namespace {

void mix(size_t& hash, size_t value) {
  hash ^= value + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
}
void mix(size_t& hash, std::string_view text) { mix(hash, std::hash<std::string_view>{}(text)); }

// How far a frame around the loop has come.
size_t position_of(const machine::Frame& frame) {
  switch (frame.kind()) {
    case machine::FrameKind::kSequence: return frame.as<machine::SequenceFrame>().next;
    case machine::FrameKind::kAndOr: return frame.as<machine::AndOrFrame>().next;
    case machine::FrameKind::kIf: return frame.as<machine::IfFrame>().arm;
    case machine::FrameKind::kFor: return frame.as<machine::ForFrame>().next;
    case machine::FrameKind::kCase: return frame.as<machine::CaseFrame>().arm;
    default: return static_cast<size_t>(frame.kind());
  }
}

size_t hash_of(machine::Machine& machine) {
  size_t hash = machine.frames.size();
  for (machine::NameId name : machine.state.variables.sorted()) {
    const std::string* value = machine.state.variables.get(name);
    mix(hash, static_cast<size_t>(name));
    mix(hash, value == nullptr ? "\1" : std::string_view(*value));
  }
  const machine::Positional& words = machine.state.positional;
  mix(hash, words.size());
  for (size_t i = 0; i < words.size(); ++i) mix(hash, words[i]);
  mix(hash, static_cast<size_t>(machine.state.status));
  mix(hash, machine.state.directory);
  mix(hash, machine.fields.size());
  for (size_t i = 0; i < machine.fields.size(); ++i) mix(hash, machine.fields[i]);
  for (const machine::Frame& frame : machine.frames) {
    mix(hash, reinterpret_cast<size_t>(frame.node));
    mix(hash, position_of(frame));
  }
  return hash;
}

}  // namespace

void Watch::step(machine::Machine& machine, machine::Rule rule, world::SimulatedOs& os,
                 const Decider& decider) {
  const bool is_command =
      !machine.frames.empty() && note_command(machine, os.simulation().tree().version());
  if (is_command && known_ != nullptr && known_->has(machine, os, decider)) {
    is_merged_ = true;
    os.simulation().pause();
  }
  if (rule == machine::Rule::kWhileCond) check_loop(machine, os, decider);
}

bool Watch::note_command(const machine::Machine& machine, uint64_t version) {
  const machine::Frame& top = machine.frames.back();
  const bool is_command = top.kind() == machine::FrameKind::kSimple ||
                          top.kind() == machine::FrameKind::kConditional ||
                          top.kind() == machine::FrameKind::kArithmetic;
  if (!is_command || top.node == last_node_) return false;
  constexpr size_t kMaxShown = 120;
  last_node_ = top.node;
  if (version != version_) changed_ = last_;
  version_ = version;
  last_.line = top.node->line != 0 ? top.node->line : machine.state.line;
  last_.span = top.node->span;
  lines_.insert(last_.line);
  last_.text = top.node->text.substr(0, kMaxShown);
  if (const size_t end = last_.text.find('\n'); end != std::string::npos) last_.text.resize(end);
  return true;
}

// Another process may bring what the loop waits for; a shell that waits for this one does not.
static bool others_wait(world::SimulatedOs& os) {
  for (const auto& [pid, process] : os.simulation().processes()) {
    const bool is_waiting = process->state == world::Process::kZombie || process->waits_for != 0;
    if (pid != os.process().pid && !is_waiting) return false;
  }
  return true;
}

void Watch::check_loop(machine::Machine& machine, world::SimulatedOs& os, const Decider& decider) {
  const void* loop = nullptr;
  for (auto frame = machine.frames.rbegin(); frame != machine.frames.rend(); ++frame) {
    if (frame->kind() == machine::FrameKind::kWhile) {
      loop = frame->node;
      break;
    }
  }
  Head& head = heads_[{os.process().pid, loop, machine.frames.size()}];
  ++head.visits;
  constexpr uint64_t kFirstLook = 64;  // most loops end: their states are not worth a look
  if (head.visits < kFirstLook || !others_wait(os)) return;
  size_t state = hash_of(machine);
  mix(state, decider.decisions().size());
  mix(state, os.simulation().tree().version());
  mix(state, os.simulation().clock_reads);
  for (const auto& [fd, descriptor] : os.process().descriptors) {
    mix(state, static_cast<size_t>(fd));
    mix(state, reinterpret_cast<size_t>(descriptor.file.get()));
    mix(state, descriptor.file->offset);
    if (descriptor.file->pipe != nullptr) mix(state, descriptor.file->pipe->size());
  }
  if (head.state == state) {
    is_endless_ = true;
    os.simulation().pause();
  }
  const bool is_power = (head.visits & (head.visits - 1)) == 0;
  if (is_power) head.state = state;
}

}  // namespace nacre::explore
