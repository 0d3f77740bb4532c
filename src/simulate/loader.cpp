#include <fmt/format.h>

#include "simulate/scene.h"
#include "utilities/effect_store.h"

namespace nacre::simulate {

int UtilityProgram::run(world::SimulatedOs& os) {
  utilities::Context context(os, invocation_.arguments, invocation_.environment);
  if (context.arguments.empty()) context.arguments.push_back(invocation_.name);
  utilities::Utility utility = utilities::find_utility(invocation_.name);
  int status =
      utility == nullptr ? run_without_model(context) : utilities::run_utility(utility, context);
  if (status == utilities::kNotModelled && not_modelled_ != nullptr) {
    not_modelled_->push_back(fmt::format("{}", fmt::join(context.arguments, " ")));
  }
  return status;
}

int UtilityProgram::run_without_model(utilities::Context& context) {
  // A program that is called so is the card of that name, also where there is a model.
  constexpr std::string_view kCard = "card:";
  if (invocation_.name.starts_with(kCard))
    context.arguments[0] = invocation_.name.substr(kCard.size());
  auto status = utilities::run_card(builtin_library(), context);
  if (!status && stub_) {
    if (auto result = stub_(context.arguments)) {
      context.out(result->output);
      status = result->status;
    }
  }
  context.flush();
  return status ? *status : context.not_modelled("this command");
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

std::optional<world::Invocation> as_script(const world::Invocation& invocation) {
  std::vector<std::string> words = invocation.arguments;
  if (words.empty()) words.push_back(invocation.name);
  words[0] = invocation.name;
  const commands::Card* card = builtin_library().find(invocation.name);
  if (card == nullptr || !card->has_property(commands::CardKey::kActs)) return std::nullopt;
  auto effect = commands::find_effect(builtin_library(), words);
  if (!effect || effect->kind != commands::Effect::kActs) return std::nullopt;
  world::Invocation script = invocation;
  script.arguments = {"sh", "-c", std::string(effect->script), invocation.name};
  script.arguments.insert(script.arguments.end(), words.begin() + 1, words.end());
  return script;
}

}  // namespace nacre::simulate
