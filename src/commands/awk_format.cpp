// printf and sprintf of awk.
#include <cmath>

#include "commands/awk_run.h"
#include "commands/format_text.h"
#include "commands/line_formats.h"

namespace nacre::awk {

namespace {

using regular::CharSet;

}  // namespace

// The text of printf and sprintf, when the format is a constant.
Value Run::format(const Exprs& arguments) {
  std::vector<Value> values;
  for (ExprId id : arguments) values.push_back(evaluate(id));
  const auto* text =
      arguments.empty() ? nullptr : std::get_if<String>(&program_[ungrouped(arguments[0])].node);
  if (!text) return anything();
  Value result = constant("");
  size_t next = 1;
  const std::string& format = text->value;
  for (size_t i = 0; i < format.size();) {
    if (format[i] != '%') {
      result.text = result.text + context_.literal(format.substr(i++, 1));
      continue;
    }
    const commands::Directive directive = commands::parse_directive(format, i, "-+ #0'");
    i = directive.end;
    if (directive.letter == '%') {
      result.text = result.text + context_.literal("%");
      continue;
    }
    if (directive.has_star_width) next++;
    if (directive.has_star_precision) next++;
    const Value value = converted(directive, next < values.size() ? values[next] : constant(""));
    next++;
    result.text = result.text + value.text;
    result.is_opaque |= value.is_opaque;
  }
  return result;
}

Value Run::converted(const commands::Directive& directive, Value value) {
  const Lang sign = optional(context_.set(CharSet::of("+- ")));
  const Lang digits = commands::digits(context_);
  switch (directive.letter) {
    case 'd':
    case 'i':
    case 'u': value = {sign + digits, true, false}; break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G': value = {sign + float_text(), true, false}; break;
    case 'x': value = {plus(context_.set(CharSet::of("0123456789abcdefx-"))), false, false}; break;
    case 'X': value = {plus(context_.set(CharSet::of("0123456789ABCDEFX-"))), false, false}; break;
    case 'o': value = {optional(context_.literal("-")) + digits, true, false}; break;
    case 'c':
      // The first character, or the one with that number, which may be several bytes of UTF-8.
      value = {repeat(context_.set(CharSet::all(context_.alphabet())), 0, 4), false,
               value.is_opaque};
      break;
    case 's':
      if (directive.precision || directive.has_star_precision)
        value.text = star(context_.set(regular::symbols_of(value.text)));
      break;
    default: return anything();
  }
  const Lang blanks = star(context_.literal(" "));
  if (directive.has_star_width) value.text = blanks + value.text + blanks;
  value.text = commands::padded(value.text, directive);
  return value;
}

// What %f, %e and %g print.
Lang Run::float_text() {
  const Lang digits = commands::digits(context_);
  const Lang exponent = context_.set(CharSet::of("eE")) + context_.set(CharSet::of("+-")) + digits;
  const Lang fraction = context_.literal(".") + optional(digits);
  return digits + optional(fraction) + optional(exponent);
}

}  // namespace nacre::awk
