#include <fmt/format.h>

#include "commands/effect_words.h"
#include "simulate/scene.h"
#include "utilities/effect_store.h"
#include "world/simulated_os.h"

namespace nacre::simulate {

namespace {

// What is undecided below `id` is taken to be nothing.
void close_all(world::FileTree& tree, world::InodeId id) {
  if (tree.at(id).kind != world::FileKind::kDirectory) return;
  if (tree.at(id).open != nullptr) tree.close(id);
  for (const auto& [name, child] : std::map(tree.known_entries(id))) close_all(tree, child);
}

// `rm -r` by root: whatever is in the directories goes with them, so that nothing depends on it.
void close_removed(const world::Invocation& invocation, world::SimulatedOs& os) {
  if (invocation.name != "rm" || !os.process().actor.is_root()) return;
  const auto effect = commands::find_effect(builtin_library(), invocation.arguments);
  if (!effect || effect->kind != commands::Effect::kDoes) return;
  const commands::EffectWords& words = effect->words;
  const bool is_recursive = words.has("-r") || words.has("-R");
  if (!is_recursive || words.has("-i") || words.has("-I") || words.has("-v")) return;
  world::FileTree& tree = os.simulation().tree();
  for (const std::string& operand : words.operands) {
    world::InodeId id = world::kNoInode;
    const size_t name = operand.find_last_not_of('/');
    if (name == std::string::npos || operand[name] == '.') continue;  // refused
    if (tree.find(os.process().actor, operand, false, id) == 0) close_all(tree, id);
  }
}

}  // namespace

int UtilityProgram::run(world::SimulatedOs& os) {
  if (!invocation_.arguments.empty()) close_removed(invocation_, os);
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
