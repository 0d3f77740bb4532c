// cut: fields or characters of each line, by a list of numbers.
#include <fmt/core.h>

#include "commands/line_formats.h"
#include "commands/models.h"
#include "regular/decide.h"
#include "regular/field_select.h"

namespace nacre::commands {

namespace {

using regular::CharSet;

struct Cut {
  regular::Transducer transducer;
  Lang idle;     // lines that come out as they went in, because nothing divides them
  Lang printed;  // lines that print anything: all, without -s
};

// Lines without the delimiter pass whole (or not at all, with -s): that is what `cut` with a wrong
// delimiter looks like.
Cut by_fields(Context& context, const Invocation& invocation, regular::NumberList list,
              char delimiter) {
  regular::FieldOptions options;
  options.delimiter = static_cast<unsigned char>(delimiter);
  options.list = std::move(list);
  options.only_delimited = invocation.has("-s");
  if (const GivenOption* given = invocation.last("--output-delimiter"); given && given->argument) {
    options.output_delimiter = given->argument->text;
  }
  const CharSet others =
      CharSet::all(context.alphabet()) - CharSet::of(options.delimiter) - CharSet::of('\n');
  const Lang undelimited = star(context.set(others));
  const Lang any = any_text(context);
  if (options.only_delimited)
    return {regular::field_select(options), context.empty(), any - undelimited};
  return {regular::field_select(options), undelimited, any};
}

Cut by_positions(Context& context, const Invocation& invocation, regular::NumberList list) {
  regular::PositionOptions options;
  options.list = std::move(list);
  if (const GivenOption* given = invocation.last("--output-delimiter");
      given && given->argument && given->argument->text) {
    options.output_delimiter = *given->argument->text;
  }
  return {regular::position_select(options), context.empty(), any_text(context)};
}

// What sorted lines begin with is in order, too; a column within them may be, if what is before it
// is always the same.
Order order_after(const Stream& lines, const regular::NumberList& list, bool is_fields) {
  if (list.size() != 1) return Order::kScattered;
  const auto [first, last] = list[0];
  if (first == 1) return order_by_field(lines, 1);
  if (!is_fields) return lines.sorted_field == 1 ? Order::kUnknown : Order::kScattered;
  return first == last ? order_by_field(lines, static_cast<uint32_t>(first)) : Order::kScattered;
}

Behaviour refused(const Invocation& invocation, const Surroundings& around, Span span,
                  const std::string& message) {
  Behaviour result(empty_stream(around.context()));
  result.problems.push_back(
      {Flaw::kProgram, span.empty() ? invocation.name_span : span, "cut: " + message, ""});
  return result;
}

// A list that leaves nothing out.
bool takes_all(const Invocation& invocation, const regular::NumberList& list) {
  return list.size() == 1 && list[0].first == 1 && list[0].last == regular::NumberRange::kNoEnd &&
         !invocation.has("--output-delimiter") && !invocation.has("-s");
}

// Lines whose listed fields are all empty: they begin with enough delimiters.
Lang without_fields(Context& context, const regular::NumberList& list, char delimiter) {
  constexpr uint64_t kMaxFields = 64;
  if (list.back().last > kMaxFields) return context.empty();
  const auto count = static_cast<uint32_t>(list.back().last);
  return repeat(context.literal(std::string(1, delimiter)), count, count) + any_text(context);
}

// Columns that are filled up with blanks: which field is which differs from line to line, and
// before a column that is aligned to the right there are empty ones. A line that comes in every run
// and has the field (`total 12` of `ls -l`) is what was meant then.
void refuse_alignment(const regular::NumberList& list, char delimiter, const Stream& input,
                      Behaviour& result) {
  constexpr uint64_t kMaxFields = 32;
  const uint64_t field = list.back().first;
  if (delimiter != ' ' || !input.is_aligned || field > kMaxFields) return;
  Context& context = input.rest.context();
  const Lang sign = context.set(CharSet::of(" \n").complement(context.alphabet()));
  const auto before = static_cast<uint32_t>(field - 1);
  const Lang column = plus(sign) + context.literal(" ");
  const Lang reaching = repeat(column, before, before) + sign + any_text(context);
  const auto is_meant = [&](const LineKind& kind) {
    return kind.frequency == Frequency::kEvery && kind.name != "heading" && field > 1 &&
           regular::included(kind.lines, reaching).yes();
  };
  if (std::any_of(input.kinds.begin(), input.kinds.end(), is_meant)) return;
  const Lang ending = repeat(column, before, before);
  const Lang shorter = before == 0 ? context.empty() : repeat(column, 0, before - 1) + plus(sign);
  // Whatever the lines hold, the usual ones have blanks where the field should be.
  const auto is_padded = [&](const LineKind& kind) {
    return kind.frequency == Frequency::kUsual &&
           list.back().last != regular::NumberRange::kNoEnd &&
           regular::disjoint(kind.lines, reaching | ending | shorter).yes();
  };
  if (std::any_of(input.kinds.begin(), input.kinds.end(), is_padded)) {
    result.checks.push_back(
        {Check::Kind::kNotAll, Asks::kForm, any_text(context),
         "cut ends a field at each space, but these columns are padded with spaces",
         "squeeze them with tr -s ' ', or use awk", false});
    return;
  }
  result.checks.push_back(
      {Check::Kind::kEvery, Asks::kForm, reaching | ending | shorter,
       "cut ends a field at each space, but these columns are padded with spaces",
       "squeeze them with tr -s ' ', or use awk", false});
}

// A cut at a delimiter that the lines do not hold is a mistake.
void expect_delimiter(const Cut& cut, const regular::NumberList& list, char delimiter,
                      Behaviour& result) {
  const std::string shown = delimiter == '\t' ? "a tab" : fmt::format("'{}'", delimiter);
  result.checks.push_back(
      {Check::Kind::kNotAll, Asks::kEffect, cut.idle,
       fmt::format("cut changes nothing: no line that reaches it holds its delimiter, {}", shown),
       "", false});
  result.checks.back().vain_elsewhere = without_fields(cut.idle.context(), list, delimiter);
}

}  // namespace

Behaviour model_cut(const Invocation& invocation, const Surroundings& around) {
  const GivenOption* list_option = nullptr;
  for (std::string_view name : {"-b", "-c", "-f"}) {
    const GivenOption* given = invocation.last(name);
    if (given && list_option)
      return refused(invocation, around, given->span, "only one type of list may be specified");
    if (given) list_option = given;
  }
  if (!list_option) {
    return refused(invocation, around, {},
                   "you must specify a list of bytes, characters, or fields");
  }
  const Source source = source_of(invocation.operands, around);
  Behaviour unknown(opaque_stream(around.context()));
  unknown.reads_input = source.uses_input;
  if (!list_option->argument || !list_option->argument->text) return unknown;
  const bool is_fields = list_option->spec->short_name == "f";
  auto list = regular::parse_number_list(
      *list_option->argument->text,
      is_fields ? regular::ListKind::kFields : regular::ListKind::kPositions);
  if (!list) return refused(invocation, around, list_option->argument->span, list.error().message);
  if (invocation.has("--complement")) list = regular::complement(*list);

  char delimiter = '\t';
  if (const GivenOption* given = invocation.last("-d"); given && given->argument) {
    if (!is_fields) {
      return refused(invocation, around, given->span,
                     "an input delimiter may be specified only when operating on fields");
    }
    if (!given->argument->text) return unknown;
    if (given->argument->text->size() > 1) {
      return refused(invocation, around, given->argument->span,
                     "the delimiter must be a single character");
    }
    delimiter = given->argument->text->empty() ? '\0' : given->argument->text->front();
  }
  Context& context = around.context();
  const Cut cut = is_fields ? by_fields(context, invocation, *list, delimiter)
                            : by_positions(context, invocation, *list);
  Behaviour result(mapped(
      source.lines, [&](Lang line) { return regular::image(cut.transducer, line & cut.printed); },
      invocation.has("-s"), false, invocation.name_span));
  if (source.lines.order >= Order::kGrouped)
    result.output.order = order_after(source.lines, *list, is_fields);
  result.reads_input = source.uses_input;
  result.is_filter = true;
  result.takes_fields = !takes_all(invocation, *list);
  result.trace = LineMap{cut.printed, cut.transducer};
  if (takes_all(invocation, *list)) {
    result.checks.push_back({Check::Kind::kNotAll, Asks::kEffect, any_text(context),
                             "cut changes nothing: its list leaves nothing out", "", false});
  } else if (is_fields) {
    expect_delimiter(cut, *list, delimiter, result);
    refuse_alignment(*list, delimiter, source.lines, result);
  }
  return result;
}

}  // namespace nacre::commands
