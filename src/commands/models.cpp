#include "commands/models.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "commands/card_type.h"

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

// The operands that the command reads: those behind the ones that are something else (`jq FILTER
// FILE…`).
std::span<const Argument> files_of(const Invocation& invocation) {
  size_t others = 0;
  for (const OperandSpec& spec : invocation.card->operands) {
    if (spec.kind == "file") break;
    others++;
  }
  return std::span(invocation.operands).subspan(std::min(others, invocation.operands.size()));
}

// What a command prints that prints the names of its operands: those that the script spells out.
Lang names_of(const Invocation& invocation, Context& context) {
  Lang result = context.empty();
  for (const Argument& operand : invocation.operands) {
    if (!operand.text && !operand.may_be_many) return any_text(context);
    result = result | (operand.text ? operand.value : operand.value & any_text(context));
  }
  return invocation.operands.empty() ? any_text(context) : result;
}

// `ignored`, `distinct`, `reversed`, `shuffled`, `drawn`, `open` (the last line has no newline);
// what `compared` means is for those who read what is printed before
void reorder(Behaviour& behaviour, std::string_view order) {
  Stream& lines = behaviour.output;
  const Choice choice = lines.choice;
  if (order == "ignored") behaviour.discards_order = true;
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
  const Property* reads = invocation.property("reads");
  Source source{around.input, true};
  if (reads && reads->value == "operands") source = source_of(files_of(invocation), around);
  if (reads && reads->value == "nothing") source = {empty_stream(context), false};

  Behaviour result(opaque_stream(context));
  result.reads_input = source.uses_input;
  if (const Property* output = invocation.property("output")) {
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
      if (output->value == ".*" || output->value == ".+") result.output.choice = Choice::kOpaque;
    }
  }
  if (const Property* header = invocation.property("header"); header && header->value != "{out}")
    result.output.first.push_back(card_type(context, header->value, any_line(source.lines)));
  result.output.may_lack_newline |= source.uses_input && source.lines.may_lack_newline;
  if (const Property* lines = invocation.property("lines"))
    result.output.count = parse_lines(lines->value);
  if (invocation.property("columns")) result.output.is_aligned = true;
  result.counts_lines = invocation.property("counts") != nullptr;
  if (const Property* order = invocation.property("order")) reorder(result, order->value);
  if (const Property* elsewhere = invocation.property("elsewhere"))
    result.elsewhere = card_type(context, elsewhere->value, any_line(source.lines));
  if (const Property* input = invocation.property("input")) {
    result.checks.push_back({Check::Kind::kEvery, Asks::kForm,
                             card_type(context, input->value, any_line(source.lines)),
                             invocation.card->name + " cannot read such a line", "", false});
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

Behaviour behaviour_of(const Invocation& invocation, const Surroundings& around) {
  const Model model = find_model(invocation.card->model);
  if (invocation.is_foreign && invocation.problems.empty())
    return Behaviour(opaque_stream(around.context()));
  Behaviour result = model ? model(invocation, around) : behaviour_by_card(invocation, around);
  if (invocation.property("beyond")) forget_output(result);
  const Property* order = invocation.property("order");
  result.compares = order && order->value == "compared";
  const Property* nul = invocation.property("nul");
  if (nul && nul->value != "input") end_lines_by_nul(result);
  if (invocation.is_uncertain) {
    // What looks like a file may be the argument of an option that the card does not know.
    const Property* reads = invocation.property("reads");
    if (reads && reads->value != "nothing") result.reads_input = true;
    // And such an option may ask for another output (JSON, columns).
    if (!model) forget_output(result);
  }
  count_operands(invocation, result);
  for (const OptionProblem& problem : invocation.problems) {
    result.problems.push_back(
        {Flaw::kUsage, problem.span, invocation.card->name + ": " + problem.message,
         problem.suggestion.empty() ? "" : "did you mean " + problem.suggestion + "?"});
  }
  // Refused, it prints nothing; but what later stages get is what it prints once that is mended.
  if (std::any_of(result.problems.begin(), result.problems.end(),
                  [](const Problem& problem) { return problem.is_certain; }))
    result.output = opaque_stream(around.context());
  return result;
}

}  // namespace nacre::commands
