// Commands that pass lines on: cat, head, tail.
#include <charconv>
#include <fmt/core.h>

#include "commands/line_formats.h"
#include "commands/models.h"
#include "regular/quotient.h"

namespace nacre::commands {

namespace {

// A count as head and tail read it: "+5", "-5", "5", with a suffix (k, K, M, …) that multiplies it.
struct Count {
  char sign = 0;
  uint64_t value = 0;
};

std::optional<Count> parse_count(std::string_view text) {
  Count result;
  if (text.starts_with('+') || text.starts_with('-')) {
    result.sign = text[0];
    text.remove_prefix(1);
  }
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), result.value);
  if (status != std::errc()) return std::nullopt;
  const std::string_view suffix(end, static_cast<size_t>(text.data() + text.size() - end));
  if (suffix.empty()) return result;
  if (suffix == "k" || suffix == "K" || suffix == "KiB")
    result.value *= 1024;
  else if (suffix == "b")
    result.value *= 512;
  else if (suffix == "M" || suffix == "MiB")
    result.value *= 1024 * 1024;
  else
    return std::nullopt;
  return result;
}

// The number of lines: from -n N, from -N (`number_option`), or 10; nothing if it is not a
// constant, or counts bytes.
struct LineArgument {
  std::optional<Count> count;
  bool is_bad = false;
  Span span;
};

LineArgument line_argument(const Invocation& invocation) {
  if (invocation.has("-c")) return {};
  const GivenOption* given = invocation.last("-n");
  if (!given) given = invocation.last("-NUM");
  if (!given) return {Count{0, 10}, false, {}};
  if (!given->argument || !given->argument->text) return {};
  auto count = parse_count(*given->argument->text);
  return {count, !count, given->argument->span};
}

Lang line_at(const Stream& stream, size_t index) {
  return index < stream.first.size() ? stream.first[index] : stream.rest;
}

Stream first_of(const Stream& input, uint64_t count) {
  Stream result = input;
  if (result.first.size() > count)
    result.first.erase(result.first.begin() + static_cast<std::ptrdiff_t>(count),
                       result.first.end());
  if (count <= input.first.size()) result.rest = input.rest.context().empty();
  result.count = {std::min(input.count.least, count), std::min(input.count.most, count)};
  return result;
}

// `tail -n +COUNT`: without the first count-1 lines.
Stream without_first(const Stream& input, uint64_t count) {
  const uint64_t skipped = count == 0 ? 0 : count - 1;
  Stream result = input;
  result.first.clear();
  for (size_t i = skipped; i < input.first.size(); i++) result.first.push_back(line_at(input, i));
  const auto less = [skipped](uint64_t n) {
    return n == kManyLines ? n : n - std::min(n, skipped);
  };
  result.count = {less(input.count.least), less(input.count.most)};
  return result;
}

Stream last_of(const Stream& input, uint64_t count) {
  const uint64_t known = input.first.size();
  // Every line is known: the last ones are, too.
  if (input.count.least == known && input.count.most == known)
    return without_first(input, known - std::min(known, count) + 1);
  Stream result = input;
  result.count = {std::min(input.count.least, count), std::min(input.count.most, count)};
  if (input.count.least == input.count.most && input.count.most <= input.first.size()) {
    // Every line is known: the last ones are.
    const auto kept = static_cast<std::ptrdiff_t>(result.count.most);
    const auto end = input.first.begin() + static_cast<std::ptrdiff_t>(input.count.most);
    result.first.assign(end - kept, end);
    result.rest = input.rest.context().empty();
    return result;
  }
  // The lines that cannot be among the last ones are those before all that are surely there.
  const uint64_t least = input.count.least_of_some();
  if (input.count.most <= known) result.rest = input.rest.context().empty();
  for (uint64_t i = least - std::min(least, count); i < std::min(known, input.count.most); i++)
    result.rest = result.rest | input.first[i];
  result.first.clear();
  return result;
}

Behaviour bad_count(const Invocation& invocation, const Surroundings& around, Span span) {
  Behaviour result(empty_stream(around.context()));
  result.problems.push_back(
      {Flaw::kProgram, span, invocation.card->name + ": invalid number of lines", ""});
  return result;
}

// head and tail of one file each; with several files a heading goes before each, and all that is
// known is the lines.
template <typename Part>
Stream part_of_each(const Invocation& invocation, std::span<const Argument> files,
                    const Surroundings& around, Part part) {
  Context& context = around.context();
  bool has_headings = files.size() > 1;
  for (const GivenOption& given : invocation.options) {  // the last one wins
    const std::string name = given.spec->spelling();
    if (name == "-q" || name == "--silent") has_headings = false;
    if (name == "-v") has_headings = true;
  }
  if (files.size() <= 1 && !has_headings) return part(source_of(files, around).lines);
  Stream result = empty_stream(context);
  for (size_t i = 0; i < std::max<size_t>(files.size(), 1); i++) {
    const auto one = files.empty() ? files : files.subspan(i, 1);
    result = concatenated(result, part(source_of(one, around).lines));
  }
  if (!has_headings) return result;
  const Lang heading = context.literal("==> ") + any_text(context) + context.literal(" <==");
  result.rest = any_line(result) | heading | context.epsilon();
  result.first.assign({heading});
  result.count = {};
  result.order = Order::kUnknown;
  result.is_distinct = false;
  return result;
}

// Cut by bytes, the first or the last line may be a piece of one.
Stream bytes_of(const Stream& input, Lang pieces) {
  Stream result(pieces);
  result.choice = input.choice;
  result.count.most = input.count.most;
  result.may_lack_newline = true;
  return result;
}

Behaviour cut_short(const Invocation& invocation, std::span<const Argument> files,
                    const Surroundings& around, const LineArgument& argument, Stream lines) {
  Behaviour result(std::move(lines));
  const Source source = source_of(files, around);
  result.reads_input = source.uses_input;
  result.is_filter = !invocation.has("-f") && !invocation.has("-F");
  result.picks_by_place = true;
  const bool is_tail = invocation.card->model == "tail";
  if (argument.count && argument.count->sign == 0)
    result.picked = is_tail ? Place::kLast : Place::kFirst;
  if (argument.count && argument.count->sign == 0 && source.lines.count.most != 0 &&
      source.lines.count.most < argument.count->value) {
    result.checks.push_back(
        {Check::Kind::kNotAll, Asks::kEffect, any_text(around.context()),
         fmt::format("{} leaves nothing out: there are never more than {} lines",
                     invocation.card->name, source.lines.count.most),
         "", false});
  }
  // `head -n -0`, `tail -n +1`; of several files the latter shows the names.
  const bool keeps_all = argument.count && argument.count->sign != 0 &&
                         argument.count->value <= (argument.count->sign == '+' ? 1U : 0U);
  if (keeps_all && source.uses_input && files.empty() && !invocation.has("-v"))
    result.checks.push_back({Check::Kind::kNotAll, Asks::kEffect, any_text(around.context()),
                             invocation.card->name + " leaves no line out", "", false});
  const bool is_whole_lines =
      !invocation.has("-c") && !invocation.has("-z") && !invocation.has("-v") && files.size() <= 1;
  if (is_whole_lines) result.trace = LineMap{any_text(around.context()), {}};
  if (invocation.has("-z")) {
    result.output = bytes_of(result.output, any_text(around.context()));
    result.output.choice = Choice::kOpaque;
  }
  return result;
}

}  // namespace

Behaviour model_head(const Invocation& invocation, const Surroundings& around) {
  const LineArgument argument = line_argument(invocation);
  if (argument.is_bad) return bad_count(invocation, around, argument.span);
  const auto first_lines = [&](const Stream& input) {
    if (invocation.has("-c")) return bytes_of(input, regular::prefixes_of(any_line(input)));
    if (argument.count && argument.count->sign != '-')
      return first_of(input, argument.count->value);
    Stream lines = input;
    lines.count.lower(0);
    return lines;
  };
  return cut_short(invocation, invocation.operands, around, argument,
                   part_of_each(invocation, invocation.operands, around, first_lines));
}

Behaviour model_tail(const Invocation& invocation, const Surroundings& around) {
  std::vector<Argument> files = invocation.operands;
  LineArgument argument = line_argument(invocation);
  // The old `tail +5`, which GNU tail still reads as a count.
  if (!files.empty() && files[0].text && files[0].text->starts_with('+') &&
      parse_count(*files[0].text)) {
    argument = {parse_count(*files[0].text), false, files[0].span};
    files.erase(files.begin());
  }
  if (argument.is_bad) return bad_count(invocation, around, argument.span);
  const auto last_lines = [&](const Stream& input) {
    if (invocation.has("-c")) return bytes_of(input, regular::suffixes_of(any_line(input)));
    if (!argument.count) {
      Stream lines = input;
      lines.rest = any_line(input);
      lines.first.clear();
      lines.count.lower(0);
      return lines;
    }
    return argument.count->sign == '+' ? without_first(input, argument.count->value)
                                       : last_of(input, argument.count->value);
  };
  return cut_short(invocation, files, around, argument,
                   part_of_each(invocation, files, around, last_lines));
}

// -n and -b: the number is in a column of six, before a tab.
Stream numbered(const Invocation& invocation, const Stream& lines) {
  Context& context = lines.rest.context();
  const Lang prefix = padded_number(context, 6) + context.literal("\t");
  const bool skips_blank = invocation.has("-b");
  const bool shows_ends = invocation.has("-A") || invocation.has("-E") || invocation.has("-e");
  // A last line without its newline has no `$`; it is not empty either.
  const Lang blank = shows_ends ? context.literal("$") | context.epsilon() : context.epsilon();
  const auto number = [&](Lang line) {
    return skips_blank ? (prefix + (line - context.epsilon())) | (line & blank) : prefix + line;
  };
  Stream result = mapped(lines, number, false, true, invocation.name_span);
  result.is_distinct = !skips_blank || lines.is_distinct;
  result.order = result.order == Order::kUnknown ? Order::kUnknown : Order::kScattered;
  return result;
}

// -E ends lines with `$`, -T shows tabs as ^I, -v other bytes as ^X and M-X.
Stream shown(const Invocation& invocation, const Stream& lines) {
  Context& context = lines.rest.context();
  const bool shows_all = invocation.has("-A");
  const bool shows_ends = shows_all || invocation.has("-E") || invocation.has("-e");
  Lang line = any_text(context);
  if (shows_all) {
    line = star(context.set(regular::CharSet::range(' ', '~')));
  }
  if (shows_ends) line = line + context.literal("$");
  Stream result(lines.may_lack_newline ? any_text(context) : line);
  result.count = lines.count;
  result.choice = lines.choice;
  result.order = lines.order == Order::kUnknown ? Order::kUnknown : Order::kScattered;
  result.may_lack_newline = lines.may_lack_newline;
  return result;
}

Behaviour model_cat(const Invocation& invocation, const Surroundings& around) {
  const Source source = source_of(invocation.operands, around);
  Behaviour result(source.lines);
  result.reads_input = source.uses_input;
  bool is_plain = true;
  const auto has_any = [&](std::initializer_list<std::string_view> options) {
    return std::any_of(options.begin(), options.end(),
                       [&](std::string_view option) { return invocation.has(option); });
  };
  if (invocation.has("-s")) {  // runs of empty lines become one
    Stream& lines = result.output;
    lines.rest = any_line(lines);
    lines.first.clear();
    lines.count.lower(1);
  }
  if (has_any({"-A", "-E", "-e", "-T", "-t", "-v"})) {
    is_plain = false;
    result.output = shown(invocation, result.output);
  }
  if (has_any({"-n", "-b"})) {
    is_plain = false;
    result.output = numbered(invocation, result.output);
  }
  if (is_plain && invocation.operands.size() <= 1)
    result.trace = LineMap{any_text(around.context()), {}};
  return result;
}

}  // namespace nacre::commands
