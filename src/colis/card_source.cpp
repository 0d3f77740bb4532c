#include "colis/card_source.h"

#include "commands/effect_words.h"
#include "simulate/loader.h"

namespace nacre::colis {

std::optional<std::string> card_source(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const commands::CardLibrary& library = simulate::builtin_library();
  const commands::Card* card = library.find(name);
  if (card == nullptr || !card->has_property("acts")) return std::nullopt;
  const std::vector<std::string> words = {name};
  auto effect = commands::find_effect(library, words);
  if (!effect || effect->kind != commands::Effect::kActs) return std::nullopt;
  return std::string(effect->script);
}

}  // namespace nacre::colis
