// How a simulated system finds its programs; part of scene.h.
#pragma once

#include "commands/card_library.h"
#include "machine/builtin.h"
#include "simulate/scene.h"
#include "utilities/utility.h"

namespace nacre::simulate {

// A utility, a command by its card, a stub, or something that is not modelled: it says so and is
// remembered.
class UtilityProgram final : public world::Program {
 public:
  UtilityProgram(world::Invocation invocation, Stub stub, std::vector<std::string>* not_modelled)
      : invocation_(std::move(invocation)), stub_(std::move(stub)), not_modelled_(not_modelled) {}
  int run(world::SimulatedOs& os) override;
  std::unique_ptr<world::Program> fork_into(world::SimulatedOs&) override { return nullptr; }

 private:
  int run_without_model(utilities::Context& context);

  world::Invocation invocation_;
  Stub stub_;
  std::vector<std::string>* not_modelled_;
};

// `test`, `printf`, ...: `sh -c 'test "$@"' test ARGUMENTS`.
[[nodiscard]] world::Invocation as_shell_command(world::Invocation invocation);
// The shell command that a card gives for this one (`acts`); nothing if it gives none.
[[nodiscard]] std::optional<world::Invocation> as_script(const world::Invocation& invocation);
using commands::builtin_library;

// Runs as a shell that is observed.
[[nodiscard]] inline bool is_shell(std::string_view name) {
  return name == "sh" || name == "dash" || name == "nash" || name == "bash";
}

template <typename Observer>
world::ProgramLoader make_loader(Observer observer, const Scene& scene,
                                 std::vector<std::string>* not_modelled) {
  auto names = std::make_shared<machine::Names>();
  bool fine_steps = scene.fine_steps;
  auto plain_shell = [names](world::Invocation&& invocation) {
    return std::make_unique<ShellProgram<NoObserver>>(std::move(invocation), NoObserver{}, false,
                                                      names);
  };
  return [=, stub = scene.stub](world::Invocation&& invocation,
                                world::SimulatedOs&) -> std::unique_ptr<world::Program> {
    const std::string& name = invocation.name;
    if (is_shell(name)) {
      return std::make_unique<ShellProgram<Observer>>(std::move(invocation), observer, fine_steps,
                                                      names);
    }
    if (utilities::find_utility(name) == nullptr) {
      if (machine::find_builtin(name) != nullptr)
        return plain_shell(as_shell_command(std::move(invocation)));
      if (auto script = as_script(invocation)) return plain_shell(std::move(*script));
    }
    return std::make_unique<UtilityProgram>(std::move(invocation), stub, not_modelled);
  };
}

template <typename Observer>
Outcome play(const Scene& scene, Observer observer) {
  Outcome outcome;
  bool is_cut = false;
  auto into = [&](std::string& text) {
    constexpr size_t kMaxOutput = size_t{64} << 20;
    auto stream = std::make_shared<world::Stream>();
    stream->write = [&text, &is_cut](std::string_view piece) {
      is_cut |= text.size() + piece.size() > kMaxOutput;
      if (!is_cut) text += piece;
    };
    return stream;
  };
  auto input = scene.input ? scene.input : std::make_shared<world::Stream>();
  auto output = scene.output ? scene.output : into(outcome.output);
  auto errors = scene.errors ? scene.errors : into(outcome.errors);
  world::Simulation simulation(scene.tree, scene.limits,
                               make_loader(observer, scene, &outcome.not_modelled));
  world::Process& shell = simulation.start(scene.actor, input, output, errors);
  simulation.load(shell, invocation_of(scene), "/proc/self/exe");
  outcome.ending = simulation.run();
  outcome.memory_ran_out = simulation.memory_ran_out() || is_cut;
  outcome.fuel_used = scene.limits.fuel - simulation.fuel_left();
  if (const auto& exit = simulation.first_exit()) {
    outcome.has_ended = true;
    outcome.status = exit->kind == world::ChildEvent::kExited ? exit->value : 128 + exit->value;
  }
  outcome.tree = simulation.tree();
  return outcome;
}

}  // namespace nacre::simulate
