// T306: a command reads input that was not meant for it.
//
//   T306: while read -r host; do ssh "$host" uptime; done < hosts
//   quiet: while read -r host; do ssh "$host" uptime < /dev/null; done < hosts
//   T306: logs=$(find /var/log -name '*.err')\ncat $logs
//   quiet: logs=$(find /var/log -name '*.err')\ncat $logs /dev/null
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/advice.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// How many operands come before the files: the pattern of grep, unless an option gives it.
size_t program_operands(const commands::Invocation& invocation) {
  const auto& operands = invocation.card->operands;
  const bool has_program =
      !operands.empty() && (operands[0].kind == commands::OperandKind::kPattern ||
                            operands[0].kind == commands::OperandKind::kScript);
  return has_program && !invocation.has("-e") && !invocation.has("-f") ? 1 : 0;
}

// A list of names that a command has printed.
bool may_be_lines(const Value& value) {
  return value.source == Source::kCommand && !value.is_opaque &&
         symbols_of(value.strings).intersects(regular::CharSet::of('\n'));
}

// It looks like the name of a file, and not like a pattern.
bool names_file(const Field& field) {
  const auto& text = field.argument.text;
  return text && text->find_first_of("/.") != text->npos &&
         text->find_first_of("*[\\^$|") == text->npos;
}

// The expansion that takes the last file with it if it is empty; null if there is none.
const Fragment* vanishing_file(const InvocationEvent& event) {
  const commands::Invocation& invocation = event.invocation;
  const size_t first_file = program_operands(invocation);
  size_t sure = 0, lost = 0;
  const Fragment* vanishing = nullptr;
  for (const Field& field : std::span(event.call.fields).subspan(1)) {
    const auto at =
        std::find_if(invocation.operands.begin(), invocation.operands.end(),
                     [&](const auto& operand) { return operand.span == field.argument.span; });
    if (at == invocation.operands.end()) continue;
    if (!field.may_vanish || field.fragments.size() != 1) {
      sure++;
      continue;
    }
    const Fragment& fragment = field.fragments[0];
    const bool is_file = sure + lost++ >= first_file;
    if (fragment.kind != FragmentKind::kExpansion) return nullptr;
    const bool is_asked_for = fragment.value.source == Source::kEnvironment;
    if (is_file ? !may_be_lines(fragment.value)
                : is_asked_for || !names_file(event.call.fields.back()))
      return nullptr;
    vanishing = &fragment;
  }
  return sure > first_file || sure + lost <= first_file ? nullptr : vanishing;
}

}  // namespace

// A command in the body of `while read` that reads what was meant for the loop.
void loop_input(const InvocationEvent& event, RuleContext& in) {
  const commands::Invocation& invocation = event.invocation;
  if (event.call.io.reading_loop.empty() || !event.behaviour.reads_input) return;
  const commands::Property* reads = invocation.property(commands::CardKey::kReads);
  const bool has_own_syntax = invocation.card->style == commands::OptionStyle::kNone;
  const bool is_known =
      !invocation.card->model.empty() ||
      (reads && (reads->value == "input" || (reads->value == "operands" && !has_own_syntax)));
  if (!is_known || invocation.is_uncertain) return;
  const Span place = event.call.node.span;
  Diagnostic result = in.finding(
      "T306", place,
      fmt::format("{} consumes the rest of the loop's input: the loop ends after this line",
                  invocation.card->name));
  result.fixes.push_back(
      {"give it an input of its own", {{{place.end, place.end}, " < /dev/null"}}, false});
  in.report(std::move(result));
}

// `cat $files` without any file, `grep $word list` without a word: the command then reads the input
// of the script. An author who names files in $1 may well mean that.
void vanishing_file_name(const InvocationEvent& event, RuleContext& in) {
  const Io& io = event.call.io;
  const commands::Property* reads = event.invocation.property(commands::CardKey::kReads);
  const bool is_own = !io.is_piped && !io.has_own_input && io.is_typed;
  if (!is_own || !reads || reads->value != "operands") return;
  const Fragment* vanishing = vanishing_file(event);
  if (!vanishing) return;
  const std::string_view text = in.text(vanishing->span);
  if (!in.is_first(fmt::format("vanishing {}", text))) return;
  Diagnostic result =
      in.finding("T306", event.call.node.span,
                 fmt::format("if {} is empty, {} reads the script's standard input instead", text,
                             event.invocation.card->name));
  result.counterexample = "";
  show_origin(result, vanishing->value, in);
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
