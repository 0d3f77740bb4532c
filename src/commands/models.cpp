#include "commands/models.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "commands/card_type.h"
#include "commands/check_arguments.h"
#include "commands/jq_shape.h"
#include "commands/line_formats.h"
#include "commands/rows.h"
#include "commands/templates.h"
#include "regular/decide.h"
#include "regular/transducer.h"

namespace nacre::commands {

namespace {

constexpr std::pair<std::string_view, Model> kModels[] = {
    {"awk", model_awk},     {"cat", model_cat},       {"cut", model_cut},
    {"date", model_date},   {"echo", model_echo},     {"expr", model_expr},
    {"find", model_find},   {"grep", model_grep},     {"head", model_head},
    {"ls", model_ls},       {"printf", model_printf}, {"sed", model_sed},
    {"seq", model_seq},     {"sort", model_sort},     {"tail", model_tail},
    {"tr", model_tr},       {"ps", model_ps},         {"uniq", model_uniq},
    {"xargs", model_xargs}, {"paste", model_paste},   {"comm", model_comm},
    {"join", model_join},   {"nl", model_nl},         {"basename", model_basename},
    {"bc", model_bc},       {"column", model_column}, {"dirname", model_dirname},
    {"jq", model_jq},       {"rg", model_rg},         {"stat", model_stat},
};

// `1`, `0..1`, `2..`
LineCount parse_lines(std::string_view text) {
  LineCount result;
  const char* end = text.data() + text.size();
  const char* rest = std::from_chars(text.data(), end, result.least).ptr;
  if (rest == end) return {result.least, result.least};
  rest += 2;
  if (rest < end) std::from_chars(rest, end, result.most);
  return result;
}

// The operands that the command reads: those after the ones that are something else (`jq FILTER
// FILE…`).
std::span<const Argument> files_of(const Invocation& invocation) {
  size_t others = 0;
  for (const OperandSpec& spec : invocation.card->operands) {
    if (spec.kind == OperandKind::kFile) break;
    others++;
  }
  return std::span(invocation.operands).subspan(std::min(others, invocation.operands.size()));
}

// `none`, `ignored`, `distinct`, `reversed`, `shuffled`, `drawn`, `open` (no newline at the end);
// what `compared` means is for those who read what is printed before
void reorder(Behaviour& behaviour, std::string_view order) {
  Stream& lines = behaviour.output;
  const Choice choice = lines.choice;
  if (order == "ignored") behaviour.discards_order = true;
  if (order == "none") lines.order = Order::kScattered;
  if (order == "distinct") lines.is_distinct = true;
  if (order == "open") lines.may_lack_newline = true;
  if (order == "shuffled" || order == "drawn") {
    const bool is_distinct = lines.is_distinct && order == "shuffled";
    lines = Stream(any_line(lines));
    lines.order = Order::kScattered;
    lines.choice = choice;
    lines.is_distinct = is_distinct;
    behaviour.discards_order = true;
    behaviour.needs_many = order == "shuffled" && behaviour.reads_input;
  }
  if (order != "reversed") return;
  lines.rest = any_line(lines);
  if (lines.may_lack_newline) {  // the last line, now the first, joins the next
    lines.rest = lines.rest | (lines.rest + lines.rest);
    lines.count.lower(1);
    behaviour.trace.reset();
  }
  lines.first.clear();
  if (lines.order == Order::kSorted) lines.order = Order::kGrouped;
}

}  // namespace

Behaviour behaviour_by_card(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  const Property* reads = invocation.property(CardKey::kReads);
  Source source{around.input, true};
  if (reads && reads->value == "operands") source = source_of(files_of(invocation), around);
  if (reads && reads->value == "nothing") source = {empty_stream(context), false};

  Behaviour result(opaque_stream(context));
  result.reads_input = source.uses_input;
  if (const Property* output = invocation.property(CardKey::kOutput)) {
    const bool is_polymorphic = output->value.find("{in}") != std::string::npos;
    if (output->value == "{in}") {
      result.output = source.lines;
      result.trace = LineMap{any_text(context), {}};
    } else {
      result.output = Stream(
          card_type(context, output->value, any_line(source.lines), names_of(invocation, context)));
      result.output.order =
          source.lines.order == Order::kUnknown ? Order::kUnknown : Order::kScattered;
      if (is_polymorphic || output->value == ".*") result.output.choice = source.lines.choice;
      // Any line at all: nothing is known of it.
      if (output->value == ".*" || output->value == ".+") {
        result.output.choice = Choice::kOpaque;
        if (!is_polymorphic && !source.uses_input) result.output.order = Order::kUnknown;
      }
    }
  }
  if (auto printed = template_of(invocation, context))
    result.output = std::move(*printed);
  else if (auto rows = rows_of(
               invocation, context,
               invocation.property(CardKey::kOutput) ? std::optional(result.output) : std::nullopt))
    result.output = std::move(*rows);
  if (const Property* header = invocation.property(CardKey::kHeader);
      header && header->value != "{out}")
    result.output.first.push_back(card_type(context, header->value, any_line(source.lines)));
  result.output.may_lack_newline |= source.uses_input && source.lines.may_lack_newline;
  if (const Property* lines = invocation.property(CardKey::kLines))
    result.output.count = parse_lines(lines->value);
  if (const Property* missing = invocation.property(CardKey::kMissing))
    add_missing(context.literal(missing->value), invocation.card->name, result.output);
  end_lines(invocation, result.output);
  if (const Property* json = invocation.property(CardKey::kJson))
    result.output.json = jq::parse_shape(context, json->value);
  if (invocation.property(CardKey::kColumns)) result.output.is_aligned = true;
  result.counts_lines = invocation.property(CardKey::kCounts) != nullptr;
  if (const Property* order = invocation.property(CardKey::kOrder)) reorder(result, order->value);
  if (const Property* elsewhere = invocation.property(CardKey::kElsewhere))
    result.elsewhere = card_type(context, elsewhere->value, any_line(source.lines));
  if (const Property* input = invocation.property(CardKey::kInput)) {
    result.checks.push_back({Check::Kind::kEvery, Asks::kForm,
                             card_type(context, input->value, any_line(source.lines)),
                             invocation.card->name + " cannot read a line like this", "", false});
  }
  return result;
}

static void forget_output(Behaviour& behaviour) {
  behaviour.output = opaque_stream(behaviour.output.rest.context());
  behaviour.output.may_lack_newline = true;
  behaviour.checks.clear();
  behaviour.trace.reset();
  behaviour.never_selects = behaviour.is_filter = false;
}

// -z: what the command takes for lines ends with a NUL, so of the real lines nothing is known.
static void end_lines_by_nul(Behaviour& behaviour) {
  if (behaviour.output.count.most == 0) return;
  behaviour.output = opaque_stream(behaviour.output.rest.context());
  behaviour.output.may_lack_newline = true;
  behaviour.checks.clear();
  behaviour.trace.reset();
  behaviour.needs_grouped = behaviour.needs_many = false;
}

Model find_model(std::string_view name) {
  for (const auto& [known, model] : kModels) {
    if (known == name) return model;
  }
  return nullptr;
}

// `counted` cards: too few or too many operands. Words that are not constant may be none or many.
static void count_operands(const Invocation& invocation, Behaviour& result) {
  const Card& card = *invocation.card;
  const auto is_constant = [](const Argument& operand) { return operand.text.has_value(); };
  if (!card.is_counted || !result.problems.empty() ||
      !std::all_of(invocation.operands.begin(), invocation.operands.end(), is_constant))
    return;
  const auto is_required = [](const OperandSpec& spec) { return !spec.is_optional; };
  const auto least =
      static_cast<size_t>(std::count_if(card.operands.begin(), card.operands.end(), is_required));
  const size_t given = invocation.operands.size();
  if (given < least)
    result.problems.push_back(
        {Flaw::kUsage, invocation.name_span, card.name + ": missing operand", ""});
  else if (given > card.operands.size() && !card.operands.back().repeats)
    result.problems.push_back({Flaw::kUsage, invocation.operands[card.operands.size()].span,
                               card.name + ": extra operand", ""});
}

// More kinds than this are followed only through commands that map line by line.
constexpr size_t kMaxRerunKinds = 8;

// A stream of nothing but lines of this kind, each where it stands in the whole one.
static Stream only_kind(const LineKind& kind, bool has_first) {
  Context& context = kind.lines.context();
  if (kind.place != Place::kFirst) {
    Stream result(kind.lines);
    if (has_first) result.first.push_back(context.empty());
    return result;
  }
  Stream result(context.empty());
  result.first.push_back(kind.lines);
  result.count = {1, 1};
  return result;
}

// A pattern that one kind surely holds (`Cpu(s)` in top's summary) is meant for that one: rows that
// hold it by chance are rare.
static void lower_chance_hits(std::vector<LineKind>& kinds, Lang kept) {
  const auto is_meant = [&](const LineKind& kind) {
    return kind.frequency == Frequency::kEvery && kind.name != "heading" &&
           regular::included(kind.lines, kept).yes();
  };
  if (std::none_of(kinds.begin(), kinds.end(), is_meant)) return;
  for (LineKind& kind : kinds) {
    if (kind.frequency <= Frequency::kUsual && !regular::included(kind.lines, kept).yes())
      kind.frequency = Frequency::kRare;
  }
}

// `head -n 1`, `tail -n 1`: if one kind surely stands there, nothing else comes out.
static void keep_picked(Behaviour& result) {
  auto& kinds = result.output.kinds;
  if (!result.picks_by_place || result.output.count.most != 1) return;
  const auto only = std::find_if(kinds.begin(), kinds.end(), [&](const LineKind& kind) {
    return kind.place == result.picked && kind.frequency == Frequency::kEvery;
  });
  if (only == kinds.end()) return;
  result.output.rest = only->lines;
  result.output.first.clear();
  kinds = {*only};
}

// A count of lines is never less than the number of those that come in every run: of headings and
// totals that were not meant to be counted.
static void count_frames(const Stream& input, Behaviour& result) {
  if (!result.counts_lines || !result.reads_input) return;
  const auto frames =
      std::count_if(input.kinds.begin(), input.kinds.end(),
                    [](const LineKind& kind) { return kind.frequency == Frequency::kEvery; });
  if (frames == 0) return;
  Context& context = result.output.rest.context();
  result.output.kinds = {{std::string(kFramesCounted), Frequency::kUsual, Place::kAnywhere,
                          any_line(result.output) - context.literal("0")}};
  result.output.producer = input.producer;
}

// The one file that it reads instead of its input.
static std::optional<Argument> only_file_of(const Invocation& invocation) {
  std::optional<Argument> result;
  const auto& operands = invocation.operands;
  for (size_t i = 0; i < operands.size(); i++) {
    const OperandSpec* spec = operand_spec(*invocation.card, i, operands.size());
    if (!spec || spec->kind != OperandKind::kFile) continue;
    if (result) return std::nullopt;
    result = operands[i];
  }
  return result;
}

// What became of each kind of line that was read. A kind that a command like head or tail may or
// may not choose counts as rare from then on.
static void carry_kinds(const Invocation& invocation, const Surroundings& around, Model model,
                        Behaviour& result) {
  const bool is_new = !result.output.kinds.empty() && !result.reads_input;
  const bool is_origin = (result.output.producer || is_new) &&
                         (is_new || result.output.producer != around.input.producer) &&
                         !result.trace && !result.is_line_by_line;
  if (is_origin) return;  // it is what prints them at first
  const bool are_new = result.is_line_by_line && !result.trace && !result.output.kinds.empty();
  if (are_new && around.input.kinds.empty()) return;  // uniq -c aligns its counts
  const std::optional<Argument> file = result.reads_input ? std::nullopt : only_file_of(invocation);
  std::vector<LineKind> kinds = file ? around.file_content(*file).kinds : around.input.kinds;
  if (!result.reads_input && !file) kinds.clear();
  result.output.kinds.clear();
  const bool is_carried = result.is_line_by_line || result.trace;
  if (!is_carried) result.output.producer.reset();
  if (kinds.empty() || !is_carried || around.wanted == Wanted::kMistakes) return;
  const Lang printed = any_line(result.output);
  const auto is_usual = [](const LineKind& kind) { return kind.frequency <= Frequency::kUsual; };
  const auto is_first = [](const LineKind& kind) { return kind.place == Place::kFirst; };
  const bool had_usual = std::any_of(kinds.begin(), kinds.end(), is_usual);
  const bool has_first = std::any_of(kinds.begin(), kinds.end(), is_first);
  if (const auto kept = result.trace ? std::optional(result.trace->keeps) : result.chosen)
    lower_chance_hits(kinds, *kept);
  // Where the place of a line counts, the command is asked again with lines of one kind only.
  const bool counts_places = result.picks_by_place || result.is_line_by_line || model == model_sed;
  const bool is_costly = kinds.size() > kMaxRerunKinds;
  if ((is_costly || !counts_places) && !result.trace) return;
  for (LineKind& kind : kinds) {
    if (counts_places && !is_costly) {
      Surroundings alone = around;
      const Stream only = only_kind(kind, has_first);
      if (file)
        alone.file_content = [&](const Argument&) { return only; };
      else
        alone.input = only;
      const Behaviour part =
          model ? model(invocation, alone) : behaviour_by_card(invocation, alone);
      kind.lines = any_line(part.output);
    } else {
      kind.lines = regular::image(result.trace->map, kind.lines & result.trace->keeps);
    }
    kind.lines = kind.lines & printed;
    const bool is_chosen = result.picked == Place::kAnywhere || kind.place == result.picked;
    if (result.picks_by_place && !is_chosen && kind.frequency == Frequency::kEvery)
      kind.frequency = Frequency::kRare;
    const bool is_sum = kind.name == "total" &&
                        regular::included(kind.lines, begins_with_number(around.context())).yes();
    if (result.puts_sums && is_sum)
      kind.place = *result.puts_sums;
    else if (result.discards_order)
      kind.place = Place::kAnywhere;
    if (!regular::is_empty(kind.lines).yes()) result.output.kinds.push_back(kind);
  }
  keep_picked(result);
  const auto& left = result.output.kinds;
  const auto is_seen = [](const LineKind& kind) { return kind.frequency <= Frequency::kSometimes; };
  result.drops_usual =
      result.chooses_lines && had_usual && std::none_of(left.begin(), left.end(), is_seen);
  if (result.output.producer) return;
  result.output.producer = file ? around.file_content(*file).producer : around.input.producer;
}

// Every `errors` line that holds counts.
static void note_errors(const Invocation& invocation, Context& context, Behaviour& result) {
  for (const Property& property : invocation.card->properties) {
    const auto& conditions = property.conditions;
    if (property.key != CardKey::kErrors ||
        !std::all_of(conditions.begin(), conditions.end(),
                     [&](const Condition& each) { return invocation.holds(each); }))
      continue;
    if (property.value == "progress")
      result.shows_progress = true;
    else
      result.errors.push_back(card_type(context, property.value));
  }
}

Behaviour behaviour_of(const Invocation& invocation, const Surroundings& around) {
  const Model model = find_model(invocation.card->model);
  if (invocation.is_foreign && invocation.problems.empty())
    return Behaviour(opaque_stream(around.context()));
  Behaviour result = model ? model(invocation, around) : behaviour_by_card(invocation, around);
  if (invocation.property(CardKey::kBeyond)) forget_output(result);
  carry_kinds(invocation, around, model, result);
  count_frames(around.input, result);
  const bool is_carried = result.is_line_by_line || result.trace;
  const bool may_find_nothing =
      result.chooses_lines || invocation.property(CardKey::kAnswers) != nullptr;
  result.output.is_filtered = (may_find_nothing && result.output.count.least == 0) ||
                              (is_carried && result.reads_input && around.input.is_filtered);
  const Property* order = invocation.property(CardKey::kOrder);
  result.compares = order && order->value == "compared";
  const Property* nul = invocation.property(CardKey::kNul);
  if (nul && nul->value != "input") end_lines_by_nul(result);
  if (invocation.is_uncertain) {
    // What looks like a file may be the argument of an option that the card does not know.
    const Property* reads = invocation.property(CardKey::kReads);
    if (reads && reads->value != "nothing") result.reads_input = true;
    // And such an option may ask for another output (JSON, columns).
    if (!model) forget_output(result);
  }
  note_errors(invocation, around.context(), result);
  count_operands(invocation, result);
  check_arguments(invocation, result.problems);
  for (const OptionProblem& problem : invocation.problems) {
    result.problems.push_back(
        {Flaw::kUsage, problem.span, invocation.card->name + ": " + problem.message,
         problem.suggestion.empty() ? "" : "did you mean " + problem.suggestion + "?",
         problem.is_certain});
  }
  // Refused, it prints nothing; but what later stages get is what it prints once that is mended.
  if (std::any_of(result.problems.begin(), result.problems.end(),
                  [](const Problem& problem) { return problem.is_certain; }))
    result.output = opaque_stream(around.context());
  return result;
}

}  // namespace nacre::commands
