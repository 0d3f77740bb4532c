// Commands that put lines of several files together: paste, comm, join.
#include <algorithm>
#include <fmt/core.h>

#include "commands/format_text.h"
#include "commands/models.h"
#include "regular/lower.h"

namespace nacre::commands {

namespace {

using regular::CharSet;

struct Sources {
  std::vector<Stream> streams;
  bool uses_input = false;
};

Sources sources_of(const Invocation& invocation, const Surroundings& around) {
  Sources result;
  for (const Argument& operand : invocation.operands) {
    Source source = source_of({&operand, 1}, around);
    result.uses_input |= source.uses_input;
    result.streams.push_back(std::move(source.lines));
  }
  return result;
}

Choice choice_of(const Sources& sources) {
  const auto is_opaque = [](const Stream& stream) { return stream.choice == Choice::kOpaque; };
  return std::any_of(sources.streams.begin(), sources.streams.end(), is_opaque) ? Choice::kOpaque
                                                                                : Choice::kFormat;
}

// comm and join read their files side by side: each must be in order. What was sorted by another
// order than that of whole lines (`needs_bytes`) will not do either.
void demand_sorted(const Invocation& invocation, const Sources& sources, bool needs_bytes,
                   Behaviour& result) {
  for (size_t i = 0; i < sources.streams.size(); i++) {
    const Stream& lines = sources.streams[i];
    const bool is_scattered = lines.order == Order::kScattered;
    const bool is_by_number = lines.is_number_order && lines.order >= Order::kGrouped;
    if (lines.count.most <= 1 ||
        (!is_scattered && !is_by_number && !(needs_bytes && lines.order == Order::kGrouped)))
      continue;
    result.problems.push_back({Flaw::kUnsorted, invocation.operands[i].span,
                               fmt::format("{} needs sorted input, but {}", invocation.card->name,
                                           is_scattered ? "these lines are not sorted"
                                                        : "these lines are not in byte order"),
                               "sort it first", false});
  }
}

// --- paste

// -d: a list of delimiters that take turns; `\0` is none.
std::optional<std::vector<std::string>> delimiters_of(const Invocation& invocation) {
  const GivenOption* given = invocation.last("-d");
  if (!given) return std::vector<std::string>{"\t"};
  if (!given->argument || !given->argument->text) return std::nullopt;
  const std::string& list = *given->argument->text;
  std::vector<std::string> result;
  for (size_t i = 0; i < list.size(); i++) {
    if (list[i] != '\\' || i + 1 == list.size()) {
      result.emplace_back(1, list[i]);
      continue;
    }
    i++;
    if (list[i] == '0')
      result.emplace_back();
    else
      result.push_back(unescape("\\" + std::string(1, list[i]), EscapeStyle::kPrintf).text);
  }
  if (result.empty()) result.emplace_back();
  return result;
}

// -s: all lines of one file in one.
Lang in_one_line(const Stream& file, const std::vector<std::string>& delimiters) {
  Context& context = file.rest.context();
  Lang between = context.empty();
  for (const std::string& delimiter : delimiters) between = between | context.literal(delimiter);
  const Lang line = any_line(file);
  return optional(line + star(between + line));
}

// Line by line, side by side; a file that has ended gives empty lines.
Stream side_by_side(const Sources& sources, const std::vector<std::string>& delimiters) {
  Context& context = sources.streams[0].rest.context();
  Lang row = context.epsilon();
  uint64_t most = 0;
  for (size_t i = 0; i < sources.streams.size(); i++) {
    if (i > 0) row = row + context.literal(delimiters[(i - 1) % delimiters.size()]);
    row = row + optional(any_line(sources.streams[i]));
    most = std::max(most, sources.streams[i].count.most);
  }
  Stream result(row);
  result.count.most = most;
  return result;
}

}  // namespace

Behaviour model_paste(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  Sources sources = sources_of(invocation, around);
  if (invocation.operands.empty()) sources = {{around.input}, true};
  Behaviour result(opaque_stream(context));
  result.reads_input = sources.uses_input;
  const auto delimiters = delimiters_of(invocation);
  const auto ends_line = [](const std::string& delimiter) { return delimiter == "\n"; };
  if (!delimiters || std::any_of(delimiters->begin(), delimiters->end(), ends_line)) return result;
  if (invocation.has("-s")) {
    Stream lines = empty_stream(context);
    for (const Stream& file : sources.streams) {
      Stream one(in_one_line(file, *delimiters));
      one.count = {1, 1};
      lines = concatenated(lines, one);
    }
    result.output = lines;
  } else {
    result.output = side_by_side(sources, *delimiters);
  }
  result.output.choice = choice_of(sources);
  result.output.order = result.output.count.most <= 1 ? Order::kSorted : Order::kUnknown;
  return result;
}

// Three columns: lines of the first file only, of the second only, of both. A column is indented by
// a tab for each one before it that is shown.
Behaviour model_comm(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  const Sources sources = sources_of(invocation, around);
  Behaviour result(opaque_stream(context));
  result.reads_input = sources.uses_input;
  if (sources.streams.size() != 2) return result;
  if (!invocation.has("--nocheck-order")) demand_sorted(invocation, sources, true, result);
  if (invocation.has("--output-delimiter") || invocation.has("--total")) return result;
  const Lang first = any_line(sources.streams[0]), second = any_line(sources.streams[1]);
  Lang indent = context.epsilon();
  Stream lines(context.empty());
  int columns = 0;
  const auto show = [&](const char* hidden_by, Lang column) {
    if (invocation.has(hidden_by)) return;
    lines.rest = lines.rest | (indent + column);
    indent = indent + context.literal("\t");
    columns++;
  };
  show("-1", first);
  show("-2", second);
  show("-3", first & second);
  lines.choice = choice_of(sources);
  const bool is_sorted = sources.streams[0].order == Order::kSorted &&
                         sources.streams[1].order == Order::kSorted && columns == 1;
  lines.order = is_sorted ? Order::kSorted : Order::kUnknown;
  result.output = lines;
  return result;
}

// Fields of both files, put together with a blank, or with -t's character.
Behaviour model_join(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  const Sources sources = sources_of(invocation, around);
  Behaviour result(opaque_stream(context));
  result.reads_input = sources.uses_input;
  if (sources.streams.size() != 2) return result;
  if (!invocation.has("--nocheck-order")) {
    Sources unsorted = sources;
    for (Stream& stream : unsorted.streams) {
      // A stage that drops or changes fields may keep the key in order.
      if (!stream.scattered_by.empty()) stream.order = Order::kUnknown;
    }
    demand_sorted(invocation, unsorted, false, result);
  }
  CharSet letters = CharSet::of(' ');
  for (const Stream& stream : sources.streams)
    letters = letters | regular::symbols_of(any_line(stream));
  for (const char* name : {"-t", "-e"}) {
    const GivenOption* given = invocation.last(name);
    if (!given) continue;
    if (!given->argument || !given->argument->text) return result;
    letters = letters | CharSet::of(*given->argument->text);
  }
  Stream lines(star(context.set(letters - CharSet::of('\n'))));
  lines.choice = Choice::kOpaque;  // which of these lines there are is a matter of the keys
  result.output = lines;
  return result;
}

}  // namespace nacre::commands
