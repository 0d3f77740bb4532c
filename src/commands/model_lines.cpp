// Commands that pass lines on: cat, head, tail.
#include <charconv>

#include "commands/line_formats.h"
#include "commands/models.h"

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
  // A stream that is surely longer than its first lines and `count` together ends in its other
  // lines.
  if (input.count.least >= input.first.size() + count) {
    result.first.clear();
  } else {
    result.rest = any_line(input);
    result.first.clear();
  }
  return result;
}

Behaviour passed_on(const Source& source, Stream lines) {
  Behaviour result(std::move(lines));
  result.reads_input = source.uses_input;
  result.trace = LineMap{any_text(source.lines.rest.context()), {}};
  return result;
}

Behaviour bad_count(const Invocation& invocation, const Surroundings& around, Span span) {
  Behaviour result(empty_stream(around.context()));
  result.problems.push_back(
      {"T109", span, invocation.card->name + ": invalid number of lines", ""});
  return result;
}

}  // namespace

Behaviour model_head(const Invocation& invocation, const Surroundings& around) {
  const Source source = source_of(invocation.operands, around);
  const LineArgument argument = line_argument(invocation);
  if (argument.is_bad) return bad_count(invocation, around, argument.span);
  Stream lines = source.lines;
  if (argument.count && argument.count->sign != '-') {
    lines = first_of(source.lines, argument.count->value);
  } else {
    lines.count.least = 0;
    // Cut by bytes, the last line may be a piece of one.
    if (invocation.has("-c")) lines = opaque_stream(around.context());
  }
  return passed_on(source, std::move(lines));
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
  const Source source = source_of(files, around);
  Stream lines = source.lines;
  if (!argument.count) {
    lines = invocation.has("-c") ? opaque_stream(around.context()) : source.lines;
    lines.count.least = 0;
  } else if (argument.count->sign == '+') {
    lines = without_first(source.lines, argument.count->value);
  } else {
    lines = last_of(source.lines, argument.count->value);
  }
  return passed_on(source, std::move(lines));
}

Behaviour model_cat(const Invocation& invocation, const Surroundings& around) {
  const Source source = source_of(invocation.operands, around);
  Context& context = around.context();
  const bool numbers = invocation.has("-n") || invocation.has("-b");
  const bool shows = invocation.has("-A") || invocation.has("-E") || invocation.has("-e") ||
                     invocation.has("-T") || invocation.has("-t") || invocation.has("-v");
  if (shows) {  // the output is for the eye: `$` at line ends, `^I` for tabs
    Behaviour result(Stream(any_text(context)));
    result.output.count = source.lines.count;
    result.output.choice = source.lines.choice;
    result.reads_input = source.uses_input;
    return result;
  }
  if (!numbers) return passed_on(source, source.lines);
  const Lang prefix = padded_number(context, 6) + context.literal("\t");
  Behaviour result(mapped(
      source.lines, [&](Lang line) { return prefix + line; }, false, true, invocation.name_span));
  if (invocation.has("-b")) result.output.rest = result.output.rest | context.epsilon();
  result.reads_input = source.uses_input;
  return result;
}

}  // namespace nacre::commands
