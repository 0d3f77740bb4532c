// stat -c and --printf: attributes of files in a format.
#include "commands/date_text.h"
#include "commands/format_text.h"
#include "commands/line_formats.h"
#include "commands/models.h"

namespace nacre::commands {

namespace {

using regular::CharSet;

// What one letter stands for; nothing if it is not followed.
std::optional<Lang> attribute_of(Context& context, char letter, Lang name) {
  const auto word = [&] {
    return plus(context.set(CharSet::of(" \t\n").complement(context.alphabet())));
  };
  switch (letter) {
    case '%': return context.literal("%");
    case 'a': return plus(context.set(CharSet::range('0', '7')));
    case 'A': return mode_text(context);
    case 'b':
    case 'B':
    case 'd':
    case 'g':
    case 'h':
    case 'i':
    case 'o':
    case 's':
    case 'u': return digits(context);
    case 'D':
    case 'f':
    case 't':
    case 'T': return plus(context.set(CharSet::range('0', '9') | CharSet::range('a', 'f')));
    case 'F': return plus(context.set(CharSet::range('a', 'z') | CharSet::of(" ")));
    case 'G':
    case 'U': return word();
    case 'n': return name;
    case 'w': return date_text(context, "%Y-%m-%d %H:%M:%S.%N %z") | context.literal("-");
    case 'x':
    case 'y':
    case 'z': return date_text(context, "%Y-%m-%d %H:%M:%S.%N %z");
    case 'W':
    case 'X':
    case 'Y':
    case 'Z':
      return optional(context.literal("-")) + digits(context) +
             optional(context.literal(".") + digits(context));
    default: return std::nullopt;
  }
}

std::optional<Lang> formatted(Context& context, std::string_view format, Lang name, bool escapes) {
  Lang result = context.epsilon();
  for (size_t i = 0; i < format.size();) {
    const size_t end = std::min(format.find('%', i), format.size());
    const std::string_view text = format.substr(i, end - i);
    const Unescaped plain =
        escapes ? unescape(text, EscapeStyle::kPrintf) : Unescaped{std::string(text)};
    if (!plain.is_known) return std::nullopt;
    result = result + context.literal(plain.text);
    if (end == format.size()) break;
    const Directive directive = parse_directive(format, end, "-+ #0'I");
    const auto value = attribute_of(context, directive.letter, name);
    if (!value) return std::nullopt;
    result = result + padded(*value, directive);
    i = directive.end;
  }
  return result;
}

}  // namespace

Behaviour model_stat(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  Behaviour result(opaque_stream(context));
  result.reads_input = false;
  const bool escapes = invocation.has("--printf");
  const GivenOption* given = invocation.last(escapes ? "--printf" : "-c");
  const bool is_followed = given && given->argument && given->argument->text &&
                           !invocation.has("-f") && !(escapes && invocation.has("-c"));
  if (!is_followed) return result;
  Lang name = context.empty();
  // If names that are not known had newlines, every line would be any text.
  for (const Argument& operand : invocation.operands)
    name = name | (operand.text ? operand.value : operand.value & any_text(context));
  auto text = formatted(context, *given->argument->text, name, escapes);
  if (!text) return result;
  if (!escapes) text = *text + context.literal("\n");
  // A file that is not there gets no line.
  const auto& operands = invocation.operands;
  const bool is_one = operands.size() == 1 && operands[0].text;
  result.output = lines_of_text(is_one ? optional(*text) : star(*text), false);
  const std::string& format = *given->argument->text;
  if (format == "%X" || format == "%Y" || format == "%Z") add_time_kind(result.output);
  return result;
}

}  // namespace nacre::commands
