#include "explore/known_states.h"

#include <algorithm>

namespace nacre::explore {

namespace {

using machine::FrameKind;

// Frames that hold nothing but how far they have come: everything else about them is in the script.
std::optional<size_t> progress_of(const machine::Frame& frame) {
  switch (frame.kind()) {
    case FrameKind::kSequence: return frame.as<machine::SequenceFrame>().next;
    case FrameKind::kAndOr: return frame.as<machine::AndOrFrame>().next;
    case FrameKind::kIf: return frame.as<machine::IfFrame>().arm;
    case FrameKind::kFor: return frame.as<machine::ForFrame>().next;
    case FrameKind::kCase: return frame.as<machine::CaseFrame>().arm;
    case FrameKind::kWhile:
    case FrameKind::kNot:
    case FrameKind::kGroup:
    case FrameKind::kSimple:
    case FrameKind::kConditional:
    case FrameKind::kArithmetic:
    case FrameKind::kEnd: return 0;
    default: return std::nullopt;
  }
}

bool add_frames(Digest& digest, const machine::Machine& machine) {
  bool has_source = false;
  for (const machine::Frame& frame : machine.frames) {
    if (frame.kind() == FrameKind::kSource) {
      if (has_source) return false;
      has_source = true;
      continue;
    }
    const auto progress = progress_of(frame);
    if (!progress) return false;
    mix(digest, static_cast<uint64_t>(frame.kind()));
    mix(digest, *progress);
    if (frame.node != nullptr)
      mix(digest, uint64_t{frame.node->span.begin} << 32 | frame.node->span.end);
  }
  mix(digest, machine.fields.size());
  for (size_t i = 0; i < machine.fields.size(); ++i) mix(digest, machine.fields[i]);
  return true;
}

void add_shell(Digest& digest, machine::Machine& machine) {
  machine::State& state = machine.state;
  const machine::Names& names = machine.names();
  for (machine::NameId name : state.variables.sorted()) {
    const std::string* value = state.variables.get(name);
    mix(digest, names.text(name));
    mix(digest, value == nullptr ? "\1" : std::string_view(*value));
  }
  for (size_t i = 0; i < state.functions.size(); ++i) {
    const machine::Node* definition = state.functions[i].definition;
    if (definition == nullptr) continue;
    mix(digest, names.text(static_cast<machine::NameId>(i)));
    mix(digest, uint64_t{definition->span.begin} << 32 | definition->span.end);
    mix(digest, definition->text);
  }
  for (const auto& [name, text] : state.aliases) {
    mix(digest, name);
    mix(digest, text);
  }
  for (const auto& action : state.traps.actions)
    mix(digest, action ? std::string_view(*action) : "\1");
  for (const auto& [name, found] : state.hashed) {
    mix(digest, names.text(name));
    mix(digest, found.path);
  }
  mix(digest, state.positional.size());
  for (size_t i = 0; i < state.positional.size(); ++i) mix(digest, state.positional[i]);
  mix(digest, state.options.bits().to_string());
  mix(digest, static_cast<uint64_t>(state.status));
  mix(digest, state.directory);
  mix(digest, state.getopts_offset);
}

void add_memory(Digest& digest, const Memory& memory) {
  for (const auto& [path, text] : memory.contents) {
    mix(digest, path);
    mix(digest, text);
  }
  for (const auto& [words, result] : memory.commands) {
    mix(digest, words);
    mix(digest, static_cast<uint64_t>(result.status));
    mix(digest, result.output);
  }
  for (const auto& [name, place] : memory.programs) {
    mix(digest, name);
    mix(digest, place);
  }
}

bool has_only_standard_files(world::SimulatedOs& os) {
  const auto& descriptors = os.process().descriptors;
  return std::all_of(descriptors.begin(), descriptors.end(),
                     [](const auto& entry) { return static_cast<int>(entry.first) <= 2; });
}

bool is_alone(world::SimulatedOs& os) { return os.simulation().processes().size() == 1; }

unsigned rank_of(const std::vector<Decision>& decisions) {
  unsigned rank = 0;
  for (const Decision& decision : decisions) rank += decision.answer().rank;
  return rank;
}

}  // namespace

// A file that no run has changed. (A place in the table that was freed and taken again holds
// another object.)
bool KnownStates::is_of_start(const world::FileTree& tree, world::InodeId id) const {
  return static_cast<size_t>(id) < start_.inode_count() && &tree.at(id) == &start_.at(id);
}

void KnownStates::add_inode(Digest& digest, const world::FileTree& tree, world::InodeId id) const {
  const world::Inode& inode = tree.at(id);
  mix(digest, uint64_t{inode.mode} << 8 | static_cast<uint64_t>(inode.kind));
  mix(digest, uint64_t{inode.owner} << 32 | inode.group);
  mix(digest, inode.open != nullptr ? std::string_view(*inode.open) : std::string_view());
  if (inode.kind != world::FileKind::kDirectory) return mix(digest, inode.bytes);
  for (const std::string& name : inode.absent) {
    if (!inode.entries.contains(name)) mix(digest, name);
  }
  mix(digest, inode.entries.size());
  for (const auto& [name, child] : inode.entries) {
    mix(digest, name);
    if (static_cast<size_t>(child) < start_.inode_count())
      mix(digest, static_cast<uint64_t>(child));  // add_tree looks at it, if it has changed
    else
      add_inode(digest, tree, child);
  }
}

// What differs from the start: a run changes few files of many.
void KnownStates::add_tree(Digest& digest, const world::FileTree& tree) const {
  for (size_t i = 0; i < start_.inode_count(); ++i) {
    const world::InodeId id{static_cast<uint32_t>(i)};
    if (is_of_start(tree, id) || tree.at(id).links == 0) continue;
    mix(digest, i);
    add_inode(digest, tree, id);
  }
}

bool KnownStates::has(machine::Machine& machine, world::SimulatedOs& os, const Decider& decider) {
  if (decider.decisions().size() < choices_ || machine.state.is_subshell) return false;
  if (!is_alone(os) || !has_only_standard_files(os)) return false;
  Digest digest{3, 4};
  if (!add_frames(digest, machine)) return false;
  add_shell(digest, machine);
  add_memory(digest, decider.memory());
  mix(digest, os.simulation().clock_reads);
  add_tree(digest, os.simulation().tree());
  const Visit visit{run_, rank_of(decider.decisions())};
  auto [known, is_new] = visits_.emplace(digest, visit);
  if (is_new || known->second.run == run_) return false;
  if (known->second.rank <= visit.rank) return true;
  known->second = visit;  // more unlikely answers may follow than after the first visit
  return false;
}

}  // namespace nacre::explore
