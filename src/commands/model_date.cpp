// date: what its format can print, in the C locale.
#include <algorithm>

#include "commands/date_text.h"
#include "commands/format_text.h"
#include "commands/line_formats.h"
#include "commands/models.h"

namespace nacre::commands {

namespace {

using regular::CharSet;

Lang any_of_words(Context& context, std::initializer_list<std::string_view> words) {
  Lang result = context.empty();
  for (std::string_view word : words) result = result | context.literal(word);
  return result;
}

// The directives that stand for several others.
constexpr std::pair<char, std::string_view> kLong[] = {{'F', "%Y-%m-%d"},
                                                       {'T', "%H:%M:%S"},
                                                       {'D', "%m/%d/%y"},
                                                       {'R', "%H:%M"},
                                                       {'x', "%m/%d/%y"},
                                                       {'X', "%H:%M:%S"},
                                                       {'c', "%a %b %e %H:%M:%S %Y"},
                                                       {'r', "%I:%M:%S %p"}};

// One directive without flags; nothing if there is no such one, which prints itself.
std::optional<Lang> date_directive(Context& context, char directive) {
  switch (directive) {
    case 'Y':
    case 'G': return digits(context, 4, 4);
    case 'm':
      return any_of_words(context,
                          {"01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"});
    case 'd':
      return (context.set(CharSet::range('0', '2')) + digits(context, 1, 1)) |
             any_of_words(context, {"30", "31"});
    case 'H':
      return (context.set(CharSet::range('0', '1')) + digits(context, 1, 1)) |
             (context.literal("2") + context.set(CharSet::range('0', '3')));
    case 'M': return context.set(CharSet::range('0', '5')) + digits(context, 1, 1);
    case 'S':
      return (context.set(CharSet::range('0', '5')) + digits(context, 1, 1)) |
             context.literal("60");
    case 'y':
    case 'g':
    case 'C':
    case 'U':
    case 'V':
    case 'W':
    case 'I': return digits(context, 2, 2);
    case 'j': return digits(context, 3, 3);
    case 'e':
    case 'k':
    case 'l': return padded_number(context, 2);
    case 's': return optional(context.literal("-")) + digits(context);
    case 'N': return digits(context, 9, 9);
    case 'u':
    case 'w':
    case 'q': return digits(context, 1, 1);
    case 'a': return any_of_words(context, {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"});
    case 'A':
      return any_of_words(
          context, {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"});
    case 'b':
    case 'h':
      return any_of_words(context, {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep",
                                    "Oct", "Nov", "Dec"});
    case 'B':
      return any_of_words(context, {"January", "February", "March", "April", "May", "June", "July",
                                    "August", "September", "October", "November", "December"});
    case 'p': return any_of_words(context, {"AM", "PM"});
    case 'P': return any_of_words(context, {"am", "pm"});
    case 'z': return context.set(CharSet::of("+-")) + digits(context, 4, 4);
    case 'Z':
      return plus(
          context.set(CharSet::range('A', 'Z') | CharSet::range('0', '9') | CharSet::of("+-")));
    case 'n': return context.literal("\n");
    case 't': return context.literal("\t");
    case '%': return context.literal("%");
    default: return std::nullopt;
  }
}

// %-d drops the fill, %_d fills with blanks, %^a is in capitals, %10Y is wider: any of these makes
// it the directive's characters in some number.
Lang changed(Lang value, const Directive& directive) {
  Context& context = value.context();
  const CharSet letters =
      regular::symbols_of(value) | CharSet::range('A', 'Z') | CharSet::range('a', 'z');
  const CharSet digits_only = CharSet::range('0', '9');
  const bool is_number = digits_only.contains(regular::symbols_of(value));
  if (!is_number) return star(context.set(letters | CharSet::of(" 0")));
  const Lang number = digits(context);
  if (directive.has_flag('_') || directive.width) return star(context.literal(" ")) + number;
  return number;
}

}  // namespace

Lang date_text(Context& context, std::string_view format) {
  std::vector<Lang> parts;
  for (size_t i = 0; i < format.size();) {
    if (format[i] != '%') {
      parts.push_back(context.literal(format.substr(i++, 1)));
      continue;
    }
    Directive directive = parse_directive(format, i, "-_0^#+");
    while (directive.letter == ':' && directive.end < format.size() &&
           (format[directive.end] == ':' || format[directive.end] == 'z'))
      directive.letter = format[directive.end++] == 'z' ? 'z' : ':';
    const std::string_view written = format.substr(i, directive.end - i);
    i = directive.end;
    const auto* found = std::find_if(std::begin(kLong), std::end(kLong), [&](const auto& entry) {
      return entry.first == directive.letter;
    });
    const auto value = found != std::end(kLong) ? date_text(context, found->second)
                                                : date_directive(context, directive.letter);
    if (!value)
      parts.push_back(written.size() <= 2 ? context.literal(written) : any_text(context));
    else if (written.find(':') != std::string_view::npos)
      parts.push_back(context.set(CharSet::of("+-")) +
                      star(context.set(CharSet::range('0', '9') | CharSet::of(':'))));
    else
      parts.push_back(directive.is_plain() ? *value : changed(*value, directive));
  }
  return concat(context, parts);
}

Behaviour model_date(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  std::string format = "%a %b %e %H:%M:%S %Z %Y";
  if (invocation.has("-R") || invocation.has("--rfc-822") || invocation.has("--rfc-2822"))
    format = "%a, %d %b %Y %H:%M:%S %z";
  const auto option = [&](std::string_view name, std::string_view otherwise) {
    const GivenOption* given = invocation.last(name);
    return given && given->argument && given->argument->text ? *given->argument->text
                                                             : std::string(otherwise);
  };
  bool is_known = true;
  if (invocation.has("-I") || invocation.has("--rfc-3339")) {
    const bool is_rfc = invocation.has("--rfc-3339");
    const std::string unit = is_rfc ? option("--rfc-3339", "date") : option("-I", "date");
    const std::string between = is_rfc ? " " : "T";
    format = "%Y-%m-%d";
    if (unit == "seconds" || unit == "s")
      format += between + "%H:%M:%S%:z";
    else
      is_known = unit == "date";
  }
  const Argument* given_format = nullptr;
  for (const Argument& operand : invocation.operands) {
    if (operand.prefix.starts_with('+')) given_format = &operand;
  }
  if (given_format) {
    is_known = given_format->text.has_value();
    if (is_known) format = given_format->text->substr(1);
  }
  const bool reads_dates = invocation.has("-f");
  Behaviour result(Stream(any_text(context)));
  if (is_known) {
    result.output = lines_of_text(date_text(context, format) + context.literal("\n"), false);
  } else {
    result.output.choice = Choice::kOpaque;
  }
  // In another locale names of days and months, and the default format, are other words.
  if (!given_format && is_known && format.find("%a") != std::string::npos)
    result.output.choice = Choice::kOpaque;
  const bool is_one_line =
      is_known && format.find("%n") == std::string::npos && format.find('\n') == std::string::npos;
  if (is_one_line && !reads_dates) result.output.count = {0, 1};
  if (format == "%s" && is_known) add_time_kind(result.output);
  result.reads_input = reads_dates;
  // Only GNU's knows nanoseconds.
  if (format.find("%N") != std::string::npos) result.elsewhere = any_text(context);
  return result;
}

}  // namespace nacre::commands
