// bc: numbers, unless its program prints texts or counts in another base.
#include "commands/line_formats.h"
#include "commands/models.h"
#include "regular/decide.h"

namespace nacre::commands {

using regular::CharSet;

Behaviour model_bc(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  Behaviour result(opaque_stream(context));
  const bool is_followed = invocation.operands.empty() && !invocation.has("-h") &&
                           !invocation.has("-v") && !invocation.has("-i");
  if (!is_followed) return result;
  const Lang any = any_text(context);
  Lang others = context.literal("\"");
  for (const char* word : {"print", "base", "limits", "warranty"})
    others = others | context.literal(word);
  if (!regular::disjoint(any_line(around.input), any + others + any).yes()) return result;
  // A number of more than 69 digits goes on in the next line.
  const Lang digit = context.set(CharSet::range('0', '9'));
  const Lang number = optional(context.literal("-")) + star(digit) +
                      optional(context.literal(".") + star(digit)) +
                      optional(context.literal("\\"));
  result.output = Stream(number - context.epsilon());
  return result;
}

}  // namespace nacre::commands
