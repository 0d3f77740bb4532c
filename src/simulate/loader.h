// How a simulated system finds its programs; part of scene.h.
#pragma once

#include "machine/builtin.h"
#include "utilities/utility.h"

namespace nacre::simulate {

// A utility, or something that nobody models; it says so and is remembered.
class UtilityProgram final : public world::Program {
 public:
  UtilityProgram(world::Invocation invocation, std::vector<std::string>* not_modelled)
      : invocation_(std::move(invocation)), not_modelled_(not_modelled) {}
  int run(world::SimulatedOs& os) override;
  std::unique_ptr<world::Program> fork_into(world::SimulatedOs&) override { return nullptr; }

 private:
  world::Invocation invocation_;
  std::vector<std::string>* not_modelled_;
};

// `test`, `printf`, ...: `sh -c 'test "$@"' test ARGUMENTS`.
[[nodiscard]] world::Invocation as_shell_command(world::Invocation invocation);

// Runs as a shell that is observed.
[[nodiscard]] inline bool is_shell(std::string_view name) {
  return name == "sh" || name == "dash" || name == "nash";
}

template <typename Observer>
world::ProgramLoader make_loader(Observer observer, bool fine_steps,
                                 std::vector<std::string>* not_modelled) {
  auto names = std::make_shared<machine::Names>();
  return
      [=](world::Invocation&& invocation, world::SimulatedOs&) -> std::unique_ptr<world::Program> {
        const std::string& name = invocation.name;
        if (is_shell(name)) {
          return std::make_unique<ShellProgram<Observer>>(std::move(invocation), observer,
                                                          fine_steps, names);
        }
        if (utilities::find_utility(name) == nullptr && machine::find_builtin(name) != nullptr) {
          return std::make_unique<ShellProgram<NoObserver>>(as_shell_command(std::move(invocation)),
                                                            NoObserver{}, false, names);
        }
        return std::make_unique<UtilityProgram>(std::move(invocation), not_modelled);
      };
}

}  // namespace nacre::simulate
