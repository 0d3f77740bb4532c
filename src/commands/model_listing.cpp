// Commands that make lines from nothing but their arguments and the machine: seq, expr, ls.
#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/core.h>

#include "commands/date_text.h"
#include "commands/format_text.h"
#include "commands/line_formats.h"
#include "commands/models.h"

namespace nacre::commands {

namespace {

using regular::CharSet;
using namespace std::string_view_literals;

std::optional<int64_t> integer_of(const Argument& argument) {
  int64_t value = 0;
  if (!argument.text) return std::nullopt;
  const char* end = argument.text->data() + argument.text->size();
  const auto [rest, status] = std::from_chars(argument.text->data(), end, value);
  if (status != std::errc() || rest != end) return std::nullopt;
  return value;
}

constexpr int64_t kMaxNumbers = 4096;  // that are listed one by one

Lang number_text(Context& context) {
  return optional(context.literal("-")) + digits(context) +
         optional(context.literal(".") + digits(context));
}

// Devices, which have two numbers in the place of a size, are in /dev.
bool may_list_devices(const Invocation& invocation) {
  return std::any_of(
      invocation.operands.begin(), invocation.operands.end(), [](const Argument& operand) {
        const bool is_unknown = !operand.text && !operand.may_be_many && operand.prefix.empty();
        return is_unknown || operand.prefix.starts_with("/dev");
      });
}

bool has_any(const Invocation& invocation, std::span<const std::string_view> options) {
  return std::any_of(options.begin(), options.end(),
                     [&](std::string_view option) { return invocation.has(option); });
}

// What is in a directory has no slash in its name, unless an option marks directories by one.
Lang names_within(Context& context, const Invocation& invocation) {
  constexpr auto kMarks = std::to_array<std::string_view>(
      {"-F", "-p", "--classify", "--file-type", "--indicator-style", "--hyperlink"});
  const CharSet others =
      has_any(invocation, kMarks) ? CharSet::of("\n\0"sv) : CharSet::of("\n\0/"sv);
  return plus(context.set(others.complement(context.alphabet())));
}

// The names that ls prints: with -d its operands, unless an option writes them in another way.
Lang listed_names(Context& context, const Invocation& invocation) {
  if (invocation.operands.empty()) return names_within(context, invocation);
  const Lang name = plus(context.set(CharSet::of("\n\0"sv).complement(context.alphabet())));
  constexpr auto kRewriting = std::to_array<std::string_view>(
      {"-b", "-C", "-m", "-N", "-q", "-Q", "-x", "-Z", "--color", "--file-type", "--hyperlink",
       "--indicator-style", "--quoting-style"});
  if (!invocation.has("-d") || has_any(invocation, kRewriting)) return name;
  const bool is_marked = invocation.has("-F") || invocation.has("-p");
  Lang result = context.empty();
  for (const Argument& operand : invocation.operands) result = result | operand.value;
  return (is_marked ? result + optional(context.set(CharSet::of("/@*|=>"))) : result) & name;
}

Lang listed_time(Context& context, const Invocation& invocation) {
  const Lang gap = plus(context.literal(" "));
  if (const GivenOption* style = invocation.last("--time-style")) {
    const bool is_format =
        style->argument && style->argument->text && style->argument->text->starts_with('+');
    if (is_format) return date_text(context, style->argument->text->substr(1)) & any_text(context);
  } else if (!invocation.has("--full-time")) {
    return date_text(context, "%b") + gap + digits(context, 1, 2) + gap +
           (date_text(context, "%H:%M") | digits(context, 4, 4));
  }
  const Lang word = plus(context.set(CharSet::of(" \n").complement(context.alphabet())));
  return word + optional(gap + word) + optional(gap + word);
}

// A size for people (`4.0K`), or in the unit that was asked for (`5kB`).
Lang size_with_unit(Context& context, const Invocation& invocation) {
  const Lang size = digits(context) + optional(context.literal(".") + digits(context)) +
                    optional(context.set(CharSet::of("KMGTPEk")));
  if (!invocation.has("--block-size")) return size;
  return size + optional(context.literal("i")) + optional(context.literal("B"));
}

// -i and -s: the number of the file and its blocks.
Lang numbers_before(Context& context, const Invocation& invocation) {
  const bool has_units =
      invocation.has("-h") || invocation.has("--si") || invocation.has("--block-size");
  const Lang blocks = has_units ? size_with_unit(context, invocation) : digits(context);
  const Lang question = context.literal("?");
  Lang result = context.epsilon();
  if (invocation.has("-i"))
    result = blanks(context) + (digits(context) | question) + context.literal(" ");
  if (invocation.has("-s")) {
    result = result + blanks(context) + (blocks | question) + context.literal(" ");
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
  const Lang mode = mode_text(context) + optional(context.set(CharSet::of(".+@")));
  const bool has_units =
      invocation.has("-h") || invocation.has("--si") || invocation.has("--block-size");
  const Lang bytes = digits(context);
  const Lang device = digits(context) + context.literal(",") + gap + digits(context);
  Lang size = has_units ? size_with_unit(context, invocation) : bytes;
  if (may_list_devices(invocation)) size = size | device;
  Lang row = mode + gap + digits(context);
  const Lang owner = words(" \t");
  if (!invocation.has("-g")) row = row + gap + owner;
  if (!invocation.has("-o") && !invocation.has("-G")) row = row + gap + owner;
  if (invocation.has("--author")) row = row + gap + owner;
  if (invocation.has("-Z")) row = row + gap + owner;
  row =
      row + gap + size + gap + listed_time(context, invocation) + context.literal(" ") + words("");
  // With -L, of a link that leads nowhere nothing is known.
  if (invocation.has("-L"))
    row = row | (context.set(CharSet::of("l?")) + plus(context.literal("?")) + gap + words(""));
  return numbers_before(context, invocation) + row;
}

// -f has one directive of printf's for numbers, -s makes one line of all.
Stream formatted_sequence(const Invocation& invocation, Context& context) {
  Lang number = number_text(context);
  if (const GivenOption* given = invocation.last("-f"); given && given->argument) {
    if (!given->argument->text) return opaque_stream(context);
    const std::string_view format = *given->argument->text;
    const size_t at = format.find('%');
    if (at == std::string_view::npos || format.find('%', at + 1) != std::string_view::npos)
      return opaque_stream(context);
    const Directive directive = parse_directive(format, at, "-+ #0'");
    const Lang exponent = context.literal("e") + context.set(CharSet::of("+-")) + digits(context);
    const Lang value = optional(context.set(CharSet::of("+ "))) + number + optional(exponent);
    number = context.literal(format.substr(0, at)) + padded(value, directive) +
             context.literal(format.substr(directive.end));
  }
  Stream result(number);
  result.order = Order::kScattered;
  const GivenOption* separator = invocation.last("-s");
  if (!separator) return result;
  if (!separator->argument || !separator->argument->text ||
      separator->argument->text->find('\n') != std::string::npos)
    return opaque_stream(context);
  result.rest = number + star(context.literal(*separator->argument->text) + number);
  result.count = {0, 1};
  return result;
}

}  // namespace

Behaviour model_seq(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  Behaviour result(Stream(number_text(context)));
  result.reads_input = false;
  result.output.is_distinct = true;
  result.output.order = Order::kGrouped;
  if (invocation.has("-f") || invocation.has("-s")) {
    result.output = formatted_sequence(invocation, context);
    return result;
  }
  const auto& operands = invocation.operands;
  for (const Argument& operand : operands) {
    if (!operand.text || operand.text->find_first_of("0123456789") != std::string::npos ||
        operand.text->find("inf") != std::string::npos)
      continue;
    result.problems.push_back({Flaw::kProgram, operand.span,
                               "seq: invalid floating point argument '" + *operand.text + "'", ""});
    return result;
  }
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
  if (count > kMaxNumbers) return result;
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
  const auto& operands = invocation.operands;
  constexpr std::string_view kOperators = "+-*/%:=<>|&";
  if (operands.size() == 2 && operands[0].text && operands[1].text &&
      operands[1].text->size() == 1 &&
      kOperators.find(*operands[1].text) != std::string_view::npos &&
      operands[0].text != "length" && operands[0].text != "+") {
    result.problems.push_back({Flaw::kProgram, operands[1].span,
                               "expr: missing argument after '" + *operands[1].text + "'", ""});
  }
  return result;
}

Behaviour model_ls(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  const bool is_long = invocation.has("-l") || invocation.has("-g") || invocation.has("-o") ||
                       invocation.has("-n") || invocation.has("--full-time");
  const bool has_headings =
      !invocation.has("-d") && (invocation.has("-R") || invocation.operands.size() > 1);
  const Lang name = listed_names(context, invocation);
  Behaviour result(Stream(is_long ? long_row(context, invocation) : name));
  result.reads_input = false;
  result.prints_names = !is_long && !invocation.has("-i") && !invocation.has("-s");
  if (!is_long) result.output.rest = numbers_before(context, invocation) + name;
  if (is_long || invocation.has("-s")) {
    const Lang total = context.literal("total ") + size_with_unit(context, invocation);
    // `ls -l FILE` has no total, and with -d there is none.
    if (invocation.has("-d"))
      result.output.order = Order::kUnknown;
    else if (has_headings)
      result.output.rest = result.output.rest | total;
    else
      result.output.first.push_back(invocation.operands.empty() ? total
                                                                : total | result.output.rest);
  }
  const auto& first = result.output.first;
  if (!first.empty() && invocation.operands.empty()) {
    result.output.kinds = {{"row", Frequency::kUsual, Place::kAnywhere, result.output.rest},
                           {"total", Frequency::kEvery, Place::kFirst, first.front()}};
    auto producer = std::make_shared<Producer>();
    producer->command = "ls";
    result.output.producer = producer;
  }
  if (has_headings) {
    result.output.rest =
        result.output.rest | (any_text(context) + context.literal(":")) | context.epsilon();
  }
  // Names alone come in sort's order, unless an option asks for another.
  const auto reorders = [&](const char* option) { return invocation.has(option); };
  constexpr auto kOrders =
      std::to_array({"-c", "-f", "-r", "-R", "-S", "-t", "-u", "-U", "-v", "-X", "--sort"});
  const bool is_sorted = !is_long && !has_headings && !invocation.has("-i") &&
                         !invocation.has("-s") &&
                         std::none_of(kOrders.begin(), kOrders.end(), reorders);
  result.output.order = is_sorted ? Order::kUnknown : Order::kScattered;
  // One file alone has columns of its own width.
  result.output.is_aligned =
      is_long && std::all_of(invocation.operands.begin(), invocation.operands.end(),
                             [](const Argument& operand) { return operand.may_be_many; });
  return result;
}

}  // namespace nacre::commands
