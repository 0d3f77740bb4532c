#include "commands/line_formats.h"

#include "regular/decide.h"

namespace nacre::commands {

using regular::CharSet;

Lang blanks(Context& context) { return star(context.set(CharSet::of(" \t"))); }

Lang digits(Context& context) { return plus(context.set(CharSet::range('0', '9'))); }

Lang digits(Context& context, uint32_t least, uint32_t most) {
  return repeat(context.set(CharSet::range('0', '9')), least, most);
}

Lang begins_with_number(Context& context) {
  const Lang sign = optional(context.set(CharSet::of("+-")));
  const Lang point = optional(context.literal("."));
  return blanks(context) + sign + point + digits(context) + any_text(context);
}

Lang number_first(Context& context) {
  const Lang sign = optional(context.set(CharSet::of("+-")));
  const Lang rest = optional(context.set(CharSet::of(" \t")) + any_text(context));
  return blanks(context) + sign + digits(context) + rest;
}

Lang size_first(Context& context) {
  const Lang fraction = optional(context.set(CharSet::of(".,")) + digits(context));
  const Lang unit =
      optional(context.set(CharSet::of("KMGTPEZYk")) + optional(context.literal("i"))) +
      optional(context.literal("B"));
  const Lang rest = optional(context.set(CharSet::of(" \t")) + any_text(context));
  return blanks(context) + digits(context) + fraction + unit + rest;
}

bool has_padded_numbers(Lang lines) {
  Context& context = lines.context();
  const auto example = regular::shortest(lines);
  if (!example) return false;
  const size_t number = example->find_first_not_of(' ');
  if (number == std::string::npos) return false;
  const size_t end = example->find_first_not_of("0123456789", number);
  const auto width = static_cast<uint32_t>(end == std::string::npos ? example->size() : end);
  // Padded with blanks, a number that outgrows the width is of no concern; without blanks all have
  // the same width.
  const Lang same_width = repeat(context.set(CharSet::range('0', '9')), width, width);
  const bool has_blanks = regular::disjoint(lines, context.literal(" ") + any_text(context)).no();
  const Lang padded = has_blanks ? padded_number(context, width) : same_width;
  const Lang rest = optional(context.set(CharSet::of(" \t")) + any_text(context));
  return regular::included(lines, padded + rest).yes();
}

Lang mode_text(Context& context) {
  return context.set(CharSet::of("-bcCdDlMnpPsw?")) +
         repeat(context.set(CharSet::of("-rwxsStT")), 9, 9);
}

Lang json_number(Context& context) {
  const Lang exponent =
      context.set(CharSet::of("eE")) + optional(context.set(CharSet::of("+-"))) + digits(context);
  return optional(context.literal("-")) + digits(context) +
         optional(context.literal(".") + digits(context)) + optional(exponent);
}

void add_time_kind(Stream& lines) {
  Context& context = lines.rest.context();
  const Lang usual = context.set(CharSet::range('1', '9')) + digits(context, 8, 9);
  lines.kinds = {{"row", Frequency::kUsual, Place::kAnywhere, usual},
                 {"odd row", Frequency::kSometimes, Place::kAnywhere, any_line(lines)}};
}

Lang padded_number(Context& context, uint32_t width) {
  const Lang digit = context.set(CharSet::range('0', '9'));
  Lang result = repeat(digit, width, regular::kUnbounded);
  for (uint32_t count = 1; count < width; count++) {
    result = result | (repeat(context.literal(" "), width - count, width - count) +
                       repeat(digit, count, count));
  }
  return result;
}

}  // namespace nacre::commands
