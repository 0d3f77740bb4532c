// Commands that make lines from nothing but their arguments and the machine: seq, expr, date, ls.
#include <charconv>
#include <fmt/core.h>
#include <map>

#include "commands/line_formats.h"
#include "commands/models.h"

namespace nacre::commands {

namespace {

using regular::CharSet;

Lang digit(Context& context, uint32_t least, uint32_t most) {
  return repeat(context.set(CharSet::range('0', '9')), least, most);
}

Lang any_of_words(Context& context, std::initializer_list<std::string_view> words) {
  Lang result = context.empty();
  for (std::string_view word : words) result = result | context.literal(word);
  return result;
}

std::optional<int64_t> integer_of(const Argument& argument) {
  int64_t value = 0;
  if (!argument.text) return std::nullopt;
  const char* end = argument.text->data() + argument.text->size();
  const auto [rest, status] = std::from_chars(argument.text->data(), end, value);
  if (status != std::errc() || rest != end) return std::nullopt;
  return value;
}

constexpr int64_t kMostNumbers = 4096;  // that are listed one by one

Lang number_text(Context& context) {
  return optional(context.literal("-")) + digits(context) +
         optional(context.literal(".") + digits(context));
}

// %X of date: what it can print in the C locale.
Lang date_directive(Context& context, char directive) {
  switch (directive) {
    case 'Y':
    case 'G': return digit(context, 4, 4);
    case 'm':
      return any_of_words(context,
                          {"01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"});
    case 'd':
      return (context.set(CharSet::range('0', '2')) + digit(context, 1, 1)) |
             any_of_words(context, {"30", "31"});
    case 'H':
      return (context.set(CharSet::range('0', '1')) + digit(context, 1, 1)) |
             (context.literal("2") + context.set(CharSet::range('0', '3')));
    case 'M': return context.set(CharSet::range('0', '5')) + digit(context, 1, 1);
    case 'S':
      return (context.set(CharSet::range('0', '5')) + digit(context, 1, 1)) | context.literal("60");
    case 'y':
    case 'g':
    case 'C':
    case 'U':
    case 'V':
    case 'W':
    case 'I': return digit(context, 2, 2);
    case 'j': return digit(context, 3, 3);
    case 'e':
    case 'k':
    case 'l': return padded_number(context, 2);
    case 's': return digits(context);
    case 'N': return digit(context, 9, 9);
    case 'u':
    case 'w':
    case 'q': return digit(context, 1, 1);
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
    case 'z': return context.set(CharSet::of("+-")) + digit(context, 4, 4);
    case 'Z':
      return plus(
          context.set(CharSet::range('A', 'Z') | CharSet::range('0', '9') | CharSet::of("+-")));
    case 'n': return context.literal("\n");
    case 't': return context.literal("\t");
    case '%': return context.literal("%");
    default: return any_text(context);
  }
}

Lang date_text(Context& context, std::string_view format) {
  static constexpr std::pair<char, std::string_view> kLong[] = {{'F', "%Y-%m-%d"},
                                                                {'T', "%H:%M:%S"},
                                                                {'D', "%m/%d/%y"},
                                                                {'R', "%H:%M"},
                                                                {'x', "%m/%d/%y"},
                                                                {'X', "%H:%M:%S"},
                                                                {'c', "%a %b %e %H:%M:%S %Y"},
                                                                {'r', "%I:%M:%S %p"}};
  Lang result = context.epsilon();
  for (size_t i = 0; i < format.size(); i++) {
    if (format[i] != '%' || i + 1 == format.size()) {
      result = result + context.literal(format.substr(i, 1));
      continue;
    }
    const bool has_flag = std::string_view("-_0^#").find(format[i + 1]) != std::string_view::npos &&
                          i + 2 < format.size();
    const char directive = format[i + (has_flag ? 2 : 1)];
    i += has_flag ? 2 : 1;
    const auto* found = std::find_if(std::begin(kLong), std::end(kLong),
                                     [&](const auto& entry) { return entry.first == directive; });
    if (found != std::end(kLong))
      result = result + date_text(context, found->second);
    else if (has_flag)
      result = result + plus(context.set(CharSet::range('0', '9') | CharSet::range('a', 'z') |
                                         CharSet::range('A', 'Z') | CharSet::of(" ")));
    else
      result = result + date_directive(context, directive);
  }
  return result;
}

// A row of `ls -l`: mode, links, owner, group, size, date, name.
Lang long_row(Context& context, const Invocation& invocation) {
  const auto words = [&](std::string_view without) {
    return plus(
        context.set(CharSet::of(without).complement(context.alphabet()) - CharSet::of('\n')));
  };
  const Lang gap = plus(context.literal(" "));
  const Lang mode = context.set(CharSet::of("-dlbcpsD")) +
                    repeat(context.set(CharSet::of("-rwxsStT")), 9, 9) +
                    optional(context.set(CharSet::of(".+@")));
  const Lang unit = optional(context.set(CharSet::of("KMGTPE")));
  const Lang size = (digits(context) + optional(context.literal(".") + digits(context)) + unit) |
                    (digits(context) + context.literal(",") + gap + digits(context));
  const Lang time = date_text(context, "%b") + gap + digit(context, 1, 2) + gap +
                    (date_text(context, "%H:%M") | digit(context, 4, 4));
  const Lang other_time = words(" ") + optional(gap + words(" ")) + optional(gap + words(" "));
  const bool has_style = invocation.has("--time-style") || invocation.has("--full-time");
  Lang row = mode + gap + digits(context);
  if (!invocation.has("-g")) row = row + gap + words(" ");
  if (!invocation.has("-o") && !invocation.has("-G")) row = row + gap + words(" ");
  row = row + gap + size + gap + (has_style ? other_time : time) + context.literal(" ") + words("");
  if (invocation.has("-i") || invocation.has("-s"))
    row = blanks(context) + digits(context) + context.literal(" ") + row;
  return row;
}

}  // namespace

Behaviour model_seq(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  Behaviour result(Stream(number_text(context)));
  result.reads_input = false;
  result.output.is_distinct = true;
  result.output.order = Order::kGrouped;
  if (invocation.has("-f") || invocation.has("-s")) {
    result.output = opaque_stream(context);
    return result;
  }
  const auto& operands = invocation.operands;
  if (operands.empty() || operands.size() > 3) return result;
  const auto last = integer_of(operands.back());
  const auto first = operands.size() > 1 ? integer_of(operands[0]) : std::optional<int64_t>(1);
  const auto step = operands.size() > 2 ? integer_of(operands[1]) : std::optional<int64_t>(1);
  if (!first || !last || !step || *step == 0) return result;
  const int64_t count = (*last - *first) / *step + 1;
  if (count <= 0) {
    result.output = empty_stream(context);
    return result;
  }
  result.output.count = {static_cast<uint64_t>(count), static_cast<uint64_t>(count)};
  if (count > kMostNumbers) return result;
  std::vector<std::string> texts;
  const size_t width = invocation.has("-w") ? std::max(fmt::format("{}", *first).size(),
                                                       fmt::format("{}", *last).size())
                                            : 0;
  for (int64_t i = 0; i < count; i++)
    texts.push_back(fmt::format("{:0{}}", *first + i * *step, width));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  result.output.rest = context.words(views);
  return result;
}

// Arithmetic and comparisons give integers; `:`, `substr` and `|` give pieces of their operands.
Behaviour model_expr(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  bool gives_text = invocation.operands.size() < 2;
  for (const Argument& operand : invocation.operands) {
    const std::string_view word =
        operand.text ? std::string_view(*operand.text) : std::string_view();
    gives_text |= word == ":" || word == "substr" || word == "match" || word == "|" || word == "&";
  }
  Behaviour result(
      Stream(gives_text ? any_text(context) : optional(context.literal("-")) + digits(context)));
  result.reads_input = false;
  result.output.count = {0, 1};
  return result;
}

Behaviour model_date(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  Behaviour result(Stream(date_text(context, "%a %b %e %H:%M:%S %Z %Y") | any_text(context)));
  result.reads_input = invocation.last("-f") != nullptr;
  result.output.count = {0, 1};
  for (const Argument& operand : invocation.operands) {
    if (operand.text && operand.text->starts_with('+')) {
      result.output.rest = date_text(context, std::string_view(*operand.text).substr(1));
    }
  }
  return result;
}

Behaviour model_ls(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  const bool is_long = invocation.has("-l") || invocation.has("-g") || invocation.has("-o") ||
                       invocation.has("-n") || invocation.has("--full-time");
  const bool has_headings = invocation.has("-R") || invocation.operands.size() > 1;
  const Lang name = plus(context.set(CharSet::of('\n').complement(context.alphabet())));
  Behaviour result(Stream(is_long ? long_row(context, invocation) : name));
  result.reads_input = false;
  if (!is_long && (invocation.has("-i") || invocation.has("-s"))) {
    result.output.rest = blanks(context) + digits(context) + context.literal(" ") + name;
  }
  if (is_long) {
    const Lang total = context.literal("total ") + digits(context) +
                       optional(context.literal(".") + digits(context)) +
                       optional(context.set(CharSet::of("KMGTPE")));
    // `ls -l FILE` has no total, and with -d there is none.
    if (invocation.has("-d"))
      result.output.order = Order::kUnknown;
    else if (has_headings)
      result.output.rest = result.output.rest | total;
    else
      result.output.first.push_back(total | result.output.rest);
  }
  if (has_headings && !invocation.has("-d")) {
    result.output.rest = result.output.rest | (name + context.literal(":")) | context.epsilon();
  }
  result.output.order = Order::kScattered;
  return result;
}

}  // namespace nacre::commands
