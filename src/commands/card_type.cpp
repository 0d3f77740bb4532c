#include "commands/card_type.h"

#include <cassert>

#include "commands/argument_types.h"
#include "regular/parse_type.h"

namespace nacre::commands {

Lang card_type(Context& context, std::string_view text) {
  return card_type(context, text, any_text(context));
}

Lang card_type(Context& context, std::string_view text, Lang input) {
  return card_type(context, text, input, any_text(context));
}

Lang card_type(Context& context, std::string_view text, Lang input, Lang operand) {
  const auto lookup = [&](Context&, std::string_view name) -> std::optional<Lang> {
    if (name == "in") return input;
    if (name == "operand") return operand;
    return named_argument_type(context, name);
  };
  const auto type = regular::parse_type(context, text, {.lookup = lookup});
  assert(type);
  return *type;
}

}  // namespace nacre::commands
