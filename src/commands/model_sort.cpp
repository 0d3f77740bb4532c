// sort and uniq: what they demand of their input, and what the order of lines is afterwards.
#include <algorithm>
#include <charconv>
#include <fmt/core.h>

#include "commands/line_formats.h"
#include "commands/models.h"
#include "regular/decide.h"

namespace nacre::commands {

namespace {

using regular::CharSet;

constexpr std::string_view kModes = "nghMVR";

// KEYDEF of -k: F[.C][OPTS][,F[.C][OPTS]].
struct Key {
  uint32_t field = 1;
  uint32_t character = 1;
  char mode = 0;  // one of kModes, 0: none of its own
  bool is_reversed = false;
};

std::optional<Key> parse_key(std::string_view text) {
  Key key;
  const char* at = text.data();
  const char* end = at + text.size();
  auto number = [&](uint32_t& value) {
    const auto [rest, status] = std::from_chars(at, end, value);
    at = rest;
    return status == std::errc();
  };
  if (!number(key.field) || key.field == 0) return std::nullopt;
  if (at != end && *at == '.') {
    at++;
    if (!number(key.character) || key.character == 0) return std::nullopt;
  }
  for (; at != end; at++) {
    if (kModes.find(*at) != std::string_view::npos)
      key.mode = *at;
    else if (*at == 'r')
      key.is_reversed = true;
    else if (std::string_view("bdfi,.0123456789").find(*at) == std::string_view::npos)
      return std::nullopt;
  }
  return key;
}

// The mode that -n, -h and so on set for all keys; 0: characters.
char global_mode(const Invocation& invocation) {
  for (char mode : kModes) {
    if (invocation.has(std::string{'-', mode})) return mode;
  }
  if (const GivenOption* given = invocation.last("--sort");
      given && given->argument && given->argument->text) {
    const std::string& word = *given->argument->text;
    if (word.starts_with("num")) return 'n';
    if (word.starts_with("gen")) return 'g';
    if (word.starts_with("hum")) return 'h';
    if (word.starts_with("mon")) return 'M';
    if (word.starts_with("ver")) return 'V';
    if (word.starts_with("ran")) return 'R';
  }
  return 0;
}

// What stands where there is no number: a dash, a question mark (`ls -s` of a broken link), or what
// has no letter at all (`[0-9.]*` also matches a dot).
Lang placeholder(Context& context) {
  const CharSet letters = CharSet::range('a', 'z') | CharSet::range('A', 'Z');
  const Lang signs = star(context.set(letters.complement(context.alphabet()) - CharSet::of('\n')));
  const Lang dash =
      context.set(CharSet::of("-?")) + context.set(CharSet::of(" \t")) + any_text(context);
  return blanks(context) + (dash | signs);
}

// Lines whose field `key.field` begins with `number`.
Lang begins_at(Context& context, const Key& key, std::optional<char> separator, Lang number) {
  const Lang skipped = repeat(context.set(CharSet::of('\n').complement(context.alphabet())),
                              key.character - 1, key.character - 1);
  Lang before = context.epsilon();
  if (separator) {
    const Lang field = star(
        context.set(CharSet::of("\n" + std::string(1, *separator)).complement(context.alphabet())));
    before =
        repeat(field + context.literal(std::string(1, *separator)), key.field - 1, key.field - 1);
  } else if (key.field > 1) {
    const Lang word = plus(context.set(CharSet::of(" \t\n").complement(context.alphabet())));
    const Lang gap = plus(context.set(CharSet::of(" \t")));
    before = blanks(context) + repeat(word + gap, key.field - 1, key.field - 1);
  }
  return before + skipped + number;
}

// Lines that have no such field, or an empty one: they count as 0, which is not a mistake.
Lang without_key(Context& context, const Key& key, std::optional<char> separator) {
  const std::string ends = separator ? std::string(1, *separator) : " \t";
  const Lang text = star(context.set(CharSet::of("\n" + ends).complement(context.alphabet())));
  const Lang end = context.set(CharSet::of(ends));
  const Lang gap = separator ? end : plus(end);
  const Lang shorter =
      key.field == 1 ? blanks(context) : text + repeat(gap + text, 0, key.field - 2);
  if (!separator) return blanks(context) + shorter + blanks(context);
  return shorter |
         (repeat(text + gap, key.field - 1, key.field - 1) + optional(gap + any_text(context)));
}

void demand_numbers(Behaviour& result, Lang numbers, Lang missing, char mode) {
  result.checks.push_back(
      {Check::Kind::kEvery, Asks::kForm, numbers,
       fmt::format("sort -{} compares numbers, and lines without one count as 0", mode),
       "without -n, sort orders by characters", false, true, missing});
  result.checks.back().spares_names = true;
}

// A number with a fraction or an exponent, as `bc` or `awk` print it.
Lang fractions(Context& context) {
  const Lang rest = optional(context.set(CharSet::of(" \t")) + any_text(context));
  const Lang fraction = context.set(CharSet::of(".,")) + digits(context);
  const Lang exponent = context.literal("e") + context.set(CharSet::of("+-")) + digits(context);
  return blanks(context) + optional(context.literal("-")) + digits(context) + optional(fraction) +
         optional(exponent) + rest;
}

// `0x1f`, perhaps with something after it.
Lang hexadecimal_first(Context& context) {
  const CharSet digits =
      CharSet::range('0', '9') | CharSet::range('a', 'f') | CharSet::range('A', 'F');
  const Lang rest = optional(context.set(CharSet::of(" \t:,;")) + any_text(context));
  return blanks(context) + context.literal("0") + context.set(CharSet::of("xX")) +
         plus(context.set(digits)) + rest;
}

// Lines that begin with this number.
Lang beginning(Context& context, std::string_view number) {
  return blanks(context) + context.literal(number) +
         optional(context.set(CharSet::of(" \t:,;")) + any_text(context));
}

// Versions: by characters 1.10 comes before 1.9, and by number 1.10 is 1.1.
void demand_version_order(Behaviour& result, const Stream& input, char mode) {
  if (mode != 0 && mode != 'n') return;
  Context& context = input.rest.context();
  const Lang number = digits(context);
  const Lang version = optional(context.set(CharSet::of("vV"))) + number +
                       plus(context.literal(".") + number) +
                       optional(context.set(CharSet::of("-+~:_")) + any_text(context));
  const auto is_version = [&](const LineKind& kind) {
    return kind.frequency == Frequency::kUsual && regular::included(kind.lines, version).yes();
  };
  if (std::none_of(input.kinds.begin(), input.kinds.end(), is_version)) return;
  result.checks.push_back({Check::Kind::kNotAll, Asks::kOrder, any_text(context),
                           "sort without -V compares versions as text: 1.10 comes before 1.9",
                           "sort -V orders them by their parts", true});
  result.checks.back().only_if_picked = true;
}

// Numbers compared by their characters, hexadecimal ones by their first digit, and sizes such as
// 12K by their characters or their digits.
void demand_fitting_order(Behaviour& result, const Stream& input, char mode) {
  // A heading, and what stands where there is no number, say nothing of the others.
  Context& context = input.rest.context();
  const Lang numbers = number_first(context);
  const Lang sizes = size_first(context);
  const Lang nothing = context.epsilon() | context.literal("-");
  const bool has_heading =
      !input.first.empty() && !regular::included(input.first[0], numbers | sizes).yes();
  const Lang lines = has_heading ? below_heading(input) : any_line(input);
  const auto demand = [&](Lang unfit, const char* message, const char* option) {
    result.checks.push_back({Check::Kind::kNotAll, Asks::kOrder, unfit | nothing, message,
                             fmt::format("sort {} orders them by value", option), true, true});
    if (mode == 0) result.checks.back().missing_option = option;  // sort refuses -n with -h
  };
  // Fractions alone may all have one width, as times have, or be versions.
  const bool has_whole = mode == 0 && !regular::disjoint(lines, numbers).yes();
  if (has_whole && !has_padded_numbers(lines)) {
    demand(numbers | fractions(context),
           "sort without -n orders these numbers by their characters: 10 comes before 9", "-n");
    result.checks.back().together = {beginning(context, "9"), beginning(context, "10")};
  }
  const bool has_sizes = regular::included(lines, sizes).yes() &&
                         regular::included(lines, numbers | fractions(context)).no();
  if (has_sizes && (mode == 0 || mode == 'n')) {
    demand(sizes, "sort without -h ignores size units: 2K comes before 100", "-h");
    result.checks.back().together = {beginning(context, "100"), beginning(context, "2K")};
  }
  demand_version_order(result, input, mode);
  const Lang hexadecimal = hexadecimal_first(context);
  if (mode == 'n' && !regular::disjoint(lines, hexadecimal).yes())
    demand(hexadecimal, "sort -n reads each of these as 0: it does not understand hexadecimal",
           "-g");
}

// `sort -k 4` of a column of numbers that are not padded to one width. The key goes on to the end
// of the line, but the numbers come first in it.
void demand_column_order(Behaviour& result, const Stream& input, const Key& key) {
  if (!input.producer || key.field > input.producer->columns.size()) return;
  const auto& columns = input.producer->columns;
  Context& context = input.rest.context();
  const Lang gap = any_text(context) + context.set(CharSet::of(" \t")) + any_text(context);
  for (size_t i = 0; i + 1 < key.field; i++) {
    if (!regular::disjoint(columns[i].cells, gap).yes()) return;  // its words are fields, too
  }
  const Lang cells = columns[key.field - 1].cells;
  const auto begins = [&](std::string_view number) {
    const Lang rest = optional(context.set(CharSet::of(" \t")) + any_text(context));
    return regular::disjoint(cells, context.literal(number) + rest).no();
  };
  const bool is_row =
      std::any_of(input.kinds.begin(), input.kinds.end(), [&](const LineKind& kind) {
        const auto row = kind.frequency == Frequency::kUsual
                             ? row_with(*input.producer, key.field - 1, "10")
                             : std::nullopt;
        return row && regular::contains(kind.lines, *row);
      });
  if (!is_row || columns[key.field - 1].is_right || !begins("9") || !begins("10")) return;
  result.checks.push_back(
      {Check::Kind::kNotAll, Asks::kOrder, any_text(context),
       "sort without -n orders these numbers by their characters: 10 comes before 9",
       fmt::format("sort -k {}n orders them by value", key.field), true});
}

// The first key is compared by its characters: it must be there, and is better no number. Only
// where a character separates are no blanks compared with it.
void demand_fitting_key(Behaviour& result, const Stream& input, const Key& key,
                        std::optional<char> separator) {
  Context& context = input.rest.context();
  if (key.field > 1) {
    result.checks.push_back(
        {Check::Kind::kNotAll, Asks::kForm, without_key(context, key, separator),
         fmt::format("field {} is empty in every line that sort reads", key.field), "", false,
         true});
  }
  if (!separator) return demand_column_order(result, input, key);
  if (key.character != 1) return;
  const Lang end = context.literal(std::string(1, *separator)) + any_text(context);
  const auto numbers = [&](uint32_t least, uint32_t most) {
    return begins_at(context, key, separator, digits(context, least, most) + optional(end));
  };
  const Lang lines = below_heading(input);
  if (regular::disjoint(lines, numbers(1, 1)).yes() ||
      regular::disjoint(lines, numbers(2, 2)).yes())
    return;
  result.checks.push_back(
      {Check::Kind::kNotAll, Asks::kOrder,
       begins_at(context, key, separator, digits(context) + optional(end)),
       "sort without -n orders these numbers by their characters: 10 comes before 9",
       "sort -n orders them by value", true, true});
  result.checks.back().missing_option = "-n";
  for (const std::string_view number : {"9", "10"}) {
    result.checks.back().together.push_back(
        begins_at(context, key, separator, context.literal(number) + optional(end)));
  }
}

struct SortPlan {
  std::vector<Key> keys;
  char mode = 0;
  std::optional<char> separator;
  bool is_known = true;  // all arguments are constants
};

SortPlan plan_of(const Invocation& invocation, Behaviour& result) {
  SortPlan plan;
  plan.mode = global_mode(invocation);
  if (const GivenOption* given = invocation.last("-t"); given && given->argument) {
    const auto& text = given->argument->text;
    if (!text)
      plan.is_known = false;
    else if (text->size() == 1)
      plan.separator = text->front();
    else if (*text == "\\0")
      plan.separator = '\0';
    else
      result.problems.push_back({Flaw::kProgram, given->argument->span,
                                 "sort: the field separator must be one character", ""});
  }
  for (const GivenOption& given : invocation.options) {
    if (given.spec->short_name != "k" || !given.argument) continue;
    if (!given.argument->text) {
      plan.is_known = false;
    } else if (auto key = parse_key(*given.argument->text)) {
      plan.keys.push_back(*key);
    } else {
      result.problems.push_back({Flaw::kProgram, given.argument->span,
                                 "sort: invalid key '" + *given.argument->text + "'", ""});
    }
  }
  return plan;
}

// What the order that is asked for wants of the lines.
void demand_fitting_lines(const Invocation& invocation, const SortPlan& plan, const Stream& lines,
                          Behaviour& result) {
  Context& context = lines.rest.context();
  if (!plan.is_known) return;
  const auto is_numeric = [](char mode) { return mode == 'n' || mode == 'g' || mode == 'h'; };
  if (plan.keys.empty() && is_numeric(plan.mode))
    demand_numbers(result, begins_with_number(context), placeholder(context), plan.mode);
  for (const Key& key : plan.keys) {
    const char mode = key.mode ? key.mode : plan.mode;
    if (!is_numeric(mode)) continue;
    demand_numbers(result, begins_at(context, key, plan.separator, begins_with_number(context)),
                   begins_at(context, key, plan.separator, placeholder(context)) |
                       without_key(context, key, plan.separator),
                   mode);
  }
  const bool only_distinct = plan.mode == 0 && invocation.has("-u");  // in whatever order
  // Lines of unknown content have no wrong order.
  if (only_distinct || any_line(lines) == any_text(context)) return;
  if (plan.keys.empty())
    demand_fitting_order(result, lines, plan.mode);
  else if (plan.mode == 0 && plan.keys[0].mode == 0)
    demand_fitting_key(result, lines, plan.keys[0], plan.separator);
}

// Any line may come first.
Stream without_heading(Stream lines) {
  lines.rest = any_line(lines);
  lines.first.clear();
  lines.may_lack_newline = false;
  return lines;
}

// -m: as sorted as what it merges.
void merge(const Invocation& invocation, Stream& lines) {
  if (invocation.operands.size() > 1 || lines.order != Order::kSorted)
    lines.order = Order::kUnknown;
  lines = without_heading(lines);
  lines.is_distinct = invocation.has("-u") && lines.order == Order::kSorted;
  lines.count.lower(1);
}

// result.output, which holds the lines that are read, becomes what is printed.
void put_in_order(const Invocation& invocation, const SortPlan& plan, bool uses_input,
                  Behaviour& result) {
  const auto has_any = [&](std::initializer_list<std::string_view> options) {
    return std::any_of(options.begin(), options.end(),
                       [&](std::string_view option) { return invocation.has(option); });
  };
  Stream& lines = result.output;
  const bool by_characters = plan.is_known && plan.keys.empty() && plan.mode == 0;
  const bool by_bytes = by_characters && !has_any({"-r", "-f", "-b", "-d", "-i"});
  const bool is_unique = invocation.has("-u");
  if (by_bytes && uses_input && lines.order == Order::kSorted && lines.count.most > 1 &&
      (!is_unique || lines.is_distinct)) {
    result.checks.push_back({Check::Kind::kNotAll, Asks::kEffect, any_text(lines.rest.context()),
                             "sort changes nothing: the lines are in this order already", "",
                             false});
  }
  lines = without_heading(lines);
  const bool keeps_groups = !invocation.has("-s") || (plan.keys.empty() && plan.mode == 0);
  const auto is_number = [](char mode) { return mode == 'n' || mode == 'g' || mode == 'h'; };
  lines.is_number_order = plan.is_known && is_number(plan.keys.empty()   ? plan.mode
                                                     : plan.keys[0].mode ? plan.keys[0].mode
                                                                         : plan.mode);
  lines.order = by_bytes ? Order::kSorted : keeps_groups ? Order::kGrouped : Order::kUnknown;
  lines.sorted_field = plan.is_known ? (plan.keys.empty() ? 1 : plan.keys[0].field) : 0;
  if (!is_unique) return;
  lines.is_distinct = true;
  lines.count.lower(1);
}

}  // namespace

Behaviour model_sort(const Invocation& invocation, const Surroundings& around) {
  const Source source = source_of(invocation.operands, around);
  Context& context = around.context();
  Behaviour result(source.lines);
  result.reads_input = source.uses_input;
  result.ignores_order = true;
  result.trace = LineMap{any_text(context), {}};
  const SortPlan plan = plan_of(invocation, result);
  if (invocation.has("-c") || invocation.has("-C") || invocation.has("-o")) {
    result.output = empty_stream(context);
    return result;
  }
  demand_fitting_lines(invocation, plan, source.lines, result);
  const bool is_plain = plan.is_known && plan.mode == 0 && plan.keys.empty();
  const bool compares_bytes = is_plain && !invocation.has("-f") && !invocation.has("-d") &&
                              !invocation.has("-i") && !invocation.has("-b");
  // If lines compare equal but differ, -u keeps the first.
  const bool is_stable =
      invocation.has("-s") || invocation.has("-m") || (invocation.has("-u") && !compares_bytes);
  result.discards_order = !is_stable;
  if (plan.is_known && (plan.mode == 'n' || plan.mode == 'h' || plan.mode == 'g') &&
      plan.keys.empty())
    result.puts_sums = invocation.has("-r") ? Place::kFirst : Place::kLast;
  result.needs_many = true;
  result.only_orders = !is_stable && !invocation.has("-u");
  result.is_plain_order = is_plain && !invocation.has("-r");
  if (invocation.has("-m"))
    merge(invocation, result.output);
  else
    put_in_order(invocation, plan, source.uses_input, result);
  return result;
}

Behaviour model_uniq(const Invocation& invocation, const Surroundings& around) {
  const auto files =
      std::span(invocation.operands).first(std::min<size_t>(invocation.operands.size(), 1));
  const Source source = source_of(files, around);
  Context& context = around.context();
  Behaviour result(source.lines);
  result.reads_input = source.uses_input;
  result.ignores_order = true;
  const bool compares_parts =
      invocation.has("-f") || invocation.has("-s") || invocation.has("-w") || invocation.has("-i");
  const bool repeats = invocation.has("-D") || invocation.has("--all-repeated");
  result.needs_grouped = !compares_parts;
  result.needs_many = !invocation.has("-c");
  if (invocation.operands.size() > 1) {
    result.output = empty_stream(context);
    return result;
  }
  const bool is_subset = invocation.has("-d") || invocation.has("-u") || repeats;
  const bool selects_repeated = invocation.has("-d") || repeats;
  if (source.lines.is_distinct && !compares_parts && selects_repeated) {
    result.output = empty_stream(context);
    result.is_filter = true;
    return result;
  }
  if (source.lines.is_distinct && !compares_parts && !invocation.has("-z") &&
      !invocation.has("--group")) {
    result.checks.push_back({Check::Kind::kNotAll, Asks::kEffect, any_text(context),
                             invocation.has("-c")
                                 ? "no line occurs twice here, so every count is 1"
                                 : "uniq changes nothing: no line occurs twice here",
                             "", false});
  }
  Stream& lines = result.output;
  lines.rest = any_line(source.lines);
  lines.may_lack_newline = false;
  lines.count.lower(is_subset ? 0 : 1);
  if (is_subset || compares_parts) lines.first.clear();
  if (lines.first.size() > 1) lines.first.erase(lines.first.begin() + 1, lines.first.end());
  lines.is_distinct = lines.order >= Order::kGrouped && !compares_parts && !repeats;
  if (invocation.has("--all-repeated") ||
      invocation.has("--group")) {  // empty lines between groups
    lines.rest = lines.rest | context.epsilon();
    lines.first.clear();
    lines.count = {};
    lines.is_distinct = false;
    lines.order = Order::kUnknown;
    return result;
  }
  result.trace = LineMap{any_text(context), {}};
  if (!invocation.has("-c")) return result;
  const Lang prefix = padded_number(context, 7) + context.literal(" ");
  if (source.lines.kinds.empty()) {  // counts are hardly ever wider than their column
    const Lang all = prefix + any_line(source.lines);
    lines.kinds = {{"row", Frequency::kUsual, Place::kAnywhere,
                    all & (context.literal(" ") + any_text(context))},
                   {"odd row", Frequency::kSometimes, Place::kAnywhere, all}};
  }
  for (Lang& line : lines.first) line = prefix + line;
  lines.rest = prefix + lines.rest;
  if (lines.order == Order::kSorted) lines.order = Order::kGrouped;
  lines.sorted_field = 0;
  lines.is_aligned = true;
  result.is_line_by_line = true;
  result.trace.reset();
  return result;
}

}  // namespace nacre::commands
