#include "commands/card_type.h"

#include <cassert>

#include "regular/parse_type.h"

namespace nacre::commands {

Lang card_type(Context& context, std::string_view text, Lang input) {
  const auto type =
      regular::parse_type(context, text, {.lookup = [&](Context&, std::string_view name) {
                            return name == "in" ? std::optional(input) : std::nullopt;
                          }});
  assert(type);
  return *type;
}

}  // namespace nacre::commands
