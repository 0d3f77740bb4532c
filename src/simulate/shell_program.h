// The shell as a program of a simulated world. The observer is called after every step; it is part
// of the type, so that one which does nothing costs nothing.
//
//   struct Observer { void operator()(machine::Machine&, machine::Rule, world::SimulatedOs&); };
#pragma once

#include <string>
#include <vector>

#include "machine/machine.h"
#include "machine/start_shell.h"
#include "world/simulated_os.h"

namespace nacre::simulate {

constexpr size_t kBytesPerStep = 64;  // a step that expands more costs more fuel
// A step adds at most about as much memory as its buffers hold, so memory is counted whenever they
// have held this many bytes in sum.
constexpr size_t kBytesPerCount = size_t{1} << 20;

// The words that are being expanded, arguments, what is being read.
[[nodiscard]] inline size_t buffers_of(const machine::Machine& machine) {
  size_t result = machine.text.capacity() + machine.fields.bytes() + machine.read_buffer.capacity();
  return machine.captures.empty() ? result : result + machine.captures.back().capacity();
}
// All that a script can make large: buffers, parameters, variables.
[[nodiscard]] size_t memory_of(const machine::Machine& machine);
// Ends the calling process.
[[noreturn]] void end_out_of_memory(machine::Machine& machine, world::SimulatedOs& os);

struct NoObserver {
  void operator()(machine::Machine&, machine::Rule, world::SimulatedOs&) {}
};

template <typename Observer>
class ShellProgram final : public world::Program {
 public:
  ShellProgram(world::Invocation invocation, Observer observer, bool fine_steps,
               std::shared_ptr<machine::Names> names)
      : invocation_(std::move(invocation)),
        observer_(observer),
        fine_steps_(fine_steps),
        names_(std::move(names)) {}

  int run(world::SimulatedOs& os) override {
    if (machine_ == nullptr) {
      machine_ = std::make_unique<machine::Machine>(os, names_);
      machine_->fine_steps = fine_steps_;
      std::vector<char*> argv = pointers(invocation_.arguments);
      int argc = static_cast<int>(argv.size()) - 1;
      std::vector<char*> environment = pointers(invocation_.environment);
      int status = machine::start_shell(*machine_, argc, argv.data(), environment.data());
      if (status >= 0) return status;
    }
    machine::Machine& machine = *machine_;
    while (!machine.is_done()) {
      machine::Rule rule = machine.step();
      observer_(machine, rule, os);
      size_t expanded = rule == machine::Rule::kCmdSubstRead ? 0 : machine.text.size();
      os.tick(1 + expanded / kBytesPerStep);
      uncounted_ += buffers_of(machine);
      if (uncounted_ < kBytesPerCount) continue;
      uncounted_ = 0;
      if (!os.hold(memory_of(machine))) end_out_of_memory(machine, os);
    }
    return machine.state.status;
  }

  std::unique_ptr<world::Program> fork_into(world::SimulatedOs& child) override {
    if (!child.hold(memory_of(*machine_))) return nullptr;
    auto copy = std::make_unique<ShellProgram>(invocation_, observer_, fine_steps_, names_);
    copy->machine_ = std::make_unique<machine::Machine>(*machine_);
    machine::Machine& machine = *copy->machine_;
    machine.os = &child;
    machine.signal_flag = child.pending_flag();
    machine.fork_result = 0;
    // The parent goes on reading; the child only needs the code that it is in.
    for (auto* list : {&machine.sources, &machine.child_code}) {
      for (auto& running : *list) {
        auto own = std::make_shared<machine::Machine::Running>();
        own->code = running->code;
        running = std::move(own);
      }
    }
    return copy;
  }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& strings) {
    std::vector<char*> result;
    for (std::string& text : strings) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
  }

  world::Invocation invocation_;
  Observer observer_;
  bool fine_steps_;
  std::shared_ptr<machine::Names> names_;
  std::unique_ptr<machine::Machine> machine_;
  size_t uncounted_ = 0;  // sum of buffers_of() since memory was counted
};

}  // namespace nacre::simulate
