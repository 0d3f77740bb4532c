// The types that cards name: Nacre's type syntax, in which {in} is the language of the lines that
// the command reads, and {operand} that of its operands.
#pragma once

#include <string_view>

#include "commands/stream.h"

namespace nacre::commands {

// The text must be a valid type; the tests parse every card's.
Lang card_type(Context& context, std::string_view text);
Lang card_type(Context& context, std::string_view text, Lang input);
Lang card_type(Context& context, std::string_view text, Lang input, Lang operand);

}  // namespace nacre::commands
