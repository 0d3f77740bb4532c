// column -t: cells, filled up to the width of their columns.
#include "commands/line_formats.h"
#include "commands/models.h"

namespace nacre::commands {

using regular::CharSet;

Behaviour model_column(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  Behaviour result = behaviour_by_card(invocation, around);
  for (const GivenOption& given : invocation.options) {
    const std::string_view name = given.spec->short_name;
    if (name != "t" && name != "s") return result;
  }
  const Source source = source_of(invocation.operands, around);
  const CharSet symbols = symbols_of(any_line(source.lines));
  // What is not printable comes out as an escape.
  if (!invocation.has("-t") || !(CharSet::range(' ', '~') | CharSet::of('\t')).contains(symbols))
    return result;
  CharSet separators = CharSet::of(" \t");
  if (const GivenOption* given = invocation.last("-s")) {
    if (!given->argument || !given->argument->text) return result;
    separators = CharSet::of(*given->argument->text);
  }
  const bool splits_at_blanks = !invocation.has("-s");
  const Lang inside = context.set(symbols - separators);
  const Lang cell = splits_at_blanks ? plus(inside) : star(inside);
  const Lang gap = context.literal("  ") + star(context.literal(" "));
  result.output = Stream(cell + star(gap + cell) + star(context.literal(" ")));
  result.output.choice = source.lines.choice;
  return result;
}

}  // namespace nacre::commands
