#include <fmt/format.h>

#include "simulate/scene.h"

namespace nacre::simulate {

int UtilityProgram::run(world::SimulatedOs& os) {
  utilities::Context context(os, invocation_.arguments, invocation_.environment);
  if (context.arguments.empty()) context.arguments.push_back(invocation_.name);
  utilities::Utility utility = utilities::find_utility(invocation_.name);
  int status = utility == nullptr ? context.not_modelled("this command")
                                  : utilities::run_utility(utility, context);
  if (status == utilities::kNotModelled && not_modelled_ != nullptr) {
    not_modelled_->push_back(fmt::format("{}", fmt::join(context.arguments, " ")));
  }
  return status;
}

world::Invocation as_shell_command(world::Invocation invocation) {
  std::string name = invocation.name;
  std::vector<std::string> arguments = {"sh", "-c", name + " \"$@\"", name};
  if (invocation.arguments.size() > 1) {
    arguments.insert(arguments.end(), invocation.arguments.begin() + 1, invocation.arguments.end());
  }
  invocation.arguments = std::move(arguments);
  return invocation;
}

}  // namespace nacre::simulate
