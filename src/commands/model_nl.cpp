// nl: numbers in a column of their own before the lines.
#include <charconv>

#include "commands/line_formats.h"
#include "commands/models.h"
#include "regular/decide.h"

namespace nacre::commands {

namespace {

struct Numbering {
  uint32_t width = 6;
  std::string separator = "\t";
  std::string format = "rn";  // ln: to the left, rn: to the right, rz: with zeros
  bool counts_empty = false;  // -b a
};

const std::string* constant(const Invocation& invocation, std::string_view option) {
  static const std::string kUnknown;
  const GivenOption* given = invocation.last(option);
  if (!given) return nullptr;
  return given->argument && given->argument->text ? &*given->argument->text : &kUnknown;
}

// Nothing if what the options ask for is not followed: patterns, negative numbers, headers.
std::optional<Numbering> numbering_of(const Invocation& invocation) {
  for (const char* option : {"-d", "-f", "-h", "-i", "-l", "-v"}) {
    if (invocation.has(option)) return std::nullopt;
  }
  Numbering result;
  if (const std::string* style = constant(invocation, "-b")) {
    if (*style != "a" && *style != "t") return std::nullopt;
    result.counts_empty = *style == "a";
  }
  if (const std::string* width = constant(invocation, "-w")) {
    const auto [end, status] =
        std::from_chars(width->data(), width->data() + width->size(), result.width);
    if (status != std::errc() || result.width == 0 || result.width > 40) return std::nullopt;
  }
  if (const std::string* text = constant(invocation, "-s")) {
    if (text->empty() || text->find('\n') != std::string::npos) return std::nullopt;
    result.separator = *text;
  }
  if (const std::string* format = constant(invocation, "-n")) {
    if (*format != "ln" && *format != "rn" && *format != "rz") return std::nullopt;
    result.format = *format;
  }
  return result;
}

Lang number_column(Context& context, const Numbering& numbering) {
  if (numbering.format == "rn") return padded_number(context, numbering.width);
  const Lang digit = context.set(regular::CharSet::range('0', '9'));
  if (numbering.format == "rz") return repeat(digit, numbering.width, regular::kUnbounded);
  Lang result = repeat(digit, numbering.width, regular::kUnbounded);
  for (uint32_t count = 1; count < numbering.width; count++) {
    result = result | (repeat(digit, count, count) +
                       context.literal(std::string(numbering.width - count, ' ')));
  }
  return result;
}

}  // namespace

Behaviour model_nl(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  const Source source = source_of(invocation.operands, around);
  Behaviour result(opaque_stream(context));
  result.reads_input = source.uses_input;
  if (const std::string* style = constant(invocation, "-b");
      style && !style->empty() && *style != "a" && *style != "t" && *style != "n" &&
      style->front() != 'p') {
    result.problems.push_back({Flaw::kProgram, invocation.last("-b")->argument->span,
                               "nl: invalid body numbering style", ""});
    return result;
  }
  const auto numbering = numbering_of(invocation);
  if (!numbering) return result;
  const Lang lines = any_line(source.lines);
  // A line such as `\:\:` begins a section: it is printed empty, and numbering may stop there.
  const Lang sections = context.literal("\\:") + star(context.literal("\\:"));
  const bool has_sections = !regular::disjoint(lines, sections).yes();
  const Lang prefix = number_column(context, *numbering) + context.literal(numbering->separator);
  const Lang empty =
      context.literal(std::string(numbering->width + numbering->separator.size(), ' '));
  const auto numbered = [&](Lang line) {
    if (has_sections) return ((prefix | empty) + line) | empty | context.epsilon();
    if (numbering->counts_empty) return prefix + line;
    const Lang some = regular::disjoint(line, context.epsilon()).yes() ? context.empty() : empty;
    return (prefix + (line - context.epsilon())) | some;
  };
  result.output = mapped(source.lines, numbered, false, true, invocation.name_span);
  result.output.may_lack_newline = false;
  result.output.is_distinct = numbering->counts_empty && !has_sections;
  if (result.output.order != Order::kUnknown) result.output.order = Order::kScattered;
  const Lang padded = any_line(result.output) & (context.literal(" ") + any_text(context));
  if (source.lines.kinds.empty() && !regular::is_empty(padded).yes()) {
    result.output.kinds = {
        {"row", Frequency::kUsual, Place::kAnywhere, padded},
        {"odd row", Frequency::kSometimes, Place::kAnywhere, any_line(result.output)}};
    result.output.is_aligned = true;
  }
  result.is_line_by_line = true;
  return result;
}

}  // namespace nacre::commands
