// What in a card can only be known to be wrong with the rest of the program at hand: types that do
// not parse, models that do not exist. Cards that pass can be used without looking back.
#pragma once

#include <optional>
#include <string>

#include "commands/card.h"

namespace nacre::commands {

struct CardMistake {
  uint32_t line = 1;  // in the text that the card was parsed from
  std::string message;
};

std::optional<CardMistake> find_mistake(const Card& card);

}  // namespace nacre::commands
