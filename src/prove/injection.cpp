// injection: no argument, variable, line of input or file name becomes code or an option.
#include <algorithm>
#include <fmt/format.h>

#include "flow/check.h"
#include "prove/subject.h"
#include "purify/sinks.h"
#include "purify/values.h"
#include "regular/decide.h"
#include "shell/visitor.h"

namespace nacre::prove {

using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

struct Sink {
  Verdict verdict = Verdict::kProved;
  Span place;
  std::string reason;
  std::string witness;
};

bool is_foreign(const Subject& subject, const Part& part) {
  return purify::is_foreign(*subject.script, part);
}
using purify::values_in;

bool holds_foreign(const Subject& subject, const Word& word) {
  const auto values = values_in(word);
  return std::any_of(values.begin(), values.end(),
                     [&](const Part* part) { return is_foreign(subject, *part); });
}

// Values that are safe within a text of code: digits, names.
bool is_harmless(const Subject& subject, const Word& word, std::string_view type) {
  return purify::is_harmless(*subject.script, word, type);
}

// printf -v NAME: bash evaluates the subscript of a name.
bool is_target_of_printf(const purify::Call& call, size_t index) {
  return call.is("printf") && index == 2 && call.words[1].is_literal() &&
         call.words[1].literal() == "-v";
}

Verdict verdict_of(purify::Answer answer) {
  switch (answer) {
    case purify::Answer::kNo: return Verdict::kProved;
    case purify::Answer::kYes: return Verdict::kRefuted;
    case purify::Answer::kUnknown: break;
  }
  return Verdict::kOpen;
}

Sink sink_of_word(const Subject& subject, const purify::Call& call, size_t index) {
  const Word& word = call.words[index];
  Sink sink{Verdict::kProved, word.span, {}, {}};
  if (word.is_literal()) return sink;
  const purify::SinkKind kind = purify::sink_of(*subject.script, call, index);
  const bool is_program = kind == purify::SinkKind::kProgram;
  if (kind == purify::SinkKind::kShell || is_program) {
    if (is_harmless(subject, word, "[A-Za-z0-9_]*")) return sink;
    sink.verdict = holds_foreign(subject, word) ? Verdict::kRefuted : Verdict::kOpen;
    // A value that only this run of a command made is not chosen by others.
    for (const Part* part : values_in(word)) {
      const flow::ExpansionFact* fact = purify::expansion_of(*subject.script, *part);
      const bool is_command =
          fact != nullptr &&
          subject.script->facts().value(fact->value).source == flow::Source::kCommand;
      if (part->kind == PartKind::kCommand || is_command) sink.verdict = Verdict::kOpen;
    }
    sink.reason = fmt::format("the value becomes code of `{}`", call.name);
    sink.witness = is_program ? "\"; system(\"touch injected\"); \"" : "$(touch injected)";
    return sink;
  }
  const bool is_name =
      subject.is_bash() && (kind == purify::SinkKind::kNames || is_target_of_printf(call, index));
  if (is_name && !is_harmless(subject, word, "[A-Za-z0-9_]*")) {
    sink.verdict = holds_foreign(subject, word) ? Verdict::kRefuted : Verdict::kOpen;
    sink.reason =
        fmt::format("the value becomes code: `{}` evaluates the subscript of a name", call.name);
    sink.witness = "x[$(touch injected)]";
    return sink;
  }
  if (call.is("printf") && index == 1 && holds_foreign(subject, word)) {
    sink.verdict = Verdict::kOpen;
    sink.reason = "the format of `printf` is computed";
    return sink;
  }
  const bool may_be_option = kind == purify::SinkKind::kOption || kind == purify::SinkKind::kNames;
  if (!may_be_option || subject.script->has_function(call.name)) return sink;
  sink.verdict = verdict_of(purify::may_begin_with_dash(*subject.script, subject.calls, word));
  // Without a card, the word before it may be an option that takes it for its argument.
  const bool follows_dash = call.words[index - 1].is_literal() && index > 1 &&
                            call.words[index - 1].literal().starts_with('-');
  if (follows_dash && sink.verdict == Verdict::kRefuted && subject.cards.find(call.name) == nullptr)
    sink.verdict = Verdict::kOpen;
  sink.reason = fmt::format("a value that begins with a dash is an option of `{}`", call.name);
  sink.witness = "-x";
  return sink;
}

// Arithmetic evaluates what a variable holds; bash even runs the subscripts in it.
Sink sink_of_arithmetic(const Subject& subject, const shell::Arithmetic& node) {
  Sink sink{Verdict::kProved, node.word.span, {}, {}};
  for (const Part* part : values_in(node.word)) {
    if (!is_foreign(subject, *part) || purify::is_of_type(*subject.script, *part, "-?[0-9]*"))
      continue;
    const flow::ExpansionFact* fact = purify::expansion_of(*subject.script, *part);
    const bool is_argument = fact != nullptr && subject.script->facts().value(fact->value).source ==
                                                    flow::Source::kArgument;
    sink.verdict =
        is_argument && part->kind == PartKind::kParameter ? Verdict::kRefuted : Verdict::kOpen;
    sink.reason = "the value is evaluated as an arithmetic expression";
    sink.witness = "x=1";
  }
  return sink;
}

// Names in arithmetic: a variable that may hold anything. Refuted, if an argument gets there.
Verdict verdict_of_names(const Subject& subject, const shell::ArithmeticExpression* node,
                         const purify::Place* place) {
  if (node == nullptr || place == nullptr) return Verdict::kOpen;
  auto& languages = subject.script->facts().languages();
  const regular::Lang subscripts = languages.literal("x[$(") + languages.all();
  Verdict result = Verdict::kProved;
  shell::walk(*node, shell::Visitor{[&](const shell::ArithmeticExpression& each) {
    if (each.kind != shell::ArithmeticKind::kVariable) return true;
    const flow::Value* value = purify::variable_before(*subject.script, *place, each.name);
    const bool is_number =
        value != nullptr && !value->is_opaque &&
        regular::included(value->strings, regular::optional(flow::integers(languages))).yes();
    if (is_number || each.name == "OPTIND" || result == Verdict::kRefuted) return true;
    const bool is_given = value != nullptr && value->source == flow::Source::kArgument &&
                          value->strings.is_exact() &&
                          regular::disjoint(value->strings, subscripts).no();
    result = is_given ? Verdict::kRefuted : Verdict::kOpen;
    return true;
  }});
  return result;
}

}  // namespace

Finding injection(Subject& subject) {
  Sink worst;
  const auto note = [&](const Sink& sink) {
    const bool is_worse = sink.verdict == Verdict::kRefuted && worst.verdict != Verdict::kRefuted;
    if (is_worse || (sink.verdict == Verdict::kOpen && worst.verdict == Verdict::kProved))
      worst = sink;
  };
  for (const purify::Call& call : subject.calls) {
    for (size_t i = 1; i < call.words.size(); i++) note(sink_of_word(subject, call, i));
    const bool is_unread =
        call.is(".") || call.is("source") || call.is("xargs") || call.is("ssh") || call.is("find");
    if (call.is(".") || call.is("source"))
      note({Verdict::kOpen, call.span(), "a sourced file is not known", {}});
    const auto invocation = purify::invocation_of(*subject.script, call);
    const commands::Property* runs =
        invocation ? invocation->property(commands::CardKey::kSink) : nullptr;
    if (runs != nullptr && runs->value == "all command")
      note({Verdict::kOpen,
            call.span(),
            fmt::format("what `{}` runs is not followed", call.name),
            {}});
    if (is_unread && call.is("find")) {
      for (size_t i = 1; i + 1 < call.words.size(); i++) {
        if (call.words[i].is_literal() && call.words[i].literal() == "-c" &&
            !call.words[i + 1].is_literal())
          note({Verdict::kRefuted, call.words[i + 1].span, "the value becomes code of a shell",
                "$(touch injected)"});
      }
    }
  }
  for (const purify::Place& place : subject.script->places()) {
    const shell::SimpleCommand* simple = place.simple();
    const bool is_computed =
        simple != nullptr && !simple->words.empty() && !simple->words[0].is_literal();
    if (is_computed && holds_foreign(subject, simple->words[0]))
      note({Verdict::kOpen, simple->words[0].span, "the name of the command is computed", {}});
    if (place.is_in_backquotes)
      note({Verdict::kOpen, place.command->span, "commands in backquotes are not analysed", {}});
  }
  shell::walk(subject.script->tree().program(), shell::Visitor{[&](const Part& part) {
                if (part.kind == PartKind::kArithmetic) {
                  note(sink_of_arithmetic(subject, part.arithmetic()));
                  const purify::WordPlace* at = subject.script->word_of(part);
                  if (subject.is_bash())
                    note({verdict_of_names(subject, part.arithmetic().expression,
                                           at == nullptr ? nullptr : at->place),
                          part.span, "a variable in an arithmetic expression may hold code",
                          "x[$(touch injected)]"});
                }
                if (part.kind == PartKind::kParameter) {
                  const shell::Parameter& node = part.parameter();
                  const bool is_computed =
                      node.subscript != nullptr &&
                      node.subscript->kind == shell::SubscriptKind::kExpression &&
                      !node.subscript->word.is_literal();
                  if (is_computed || node.is_indirect)
                    note({Verdict::kOpen, part.span, "a subscript or name is computed", {}});
                }
                return true;
              }});
  for (const purify::Place& place : subject.script->places()) {
    if (!subject.is_bash()) break;
    const auto* node = std::get_if<shell::ArithmeticCommand>(&place.command->node);
    if (node != nullptr)
      note({verdict_of_names(subject, node->arithmetic->expression, &place), place.command->span,
            "a variable in an arithmetic expression may hold code", "x[$(touch injected)]"});
    if (const auto* test = std::get_if<shell::Conditional>(&place.command->node)) {
      shell::walk(*test->expression, shell::Visitor{[&](const shell::ConditionalExpression& each) {
        const bool is_number = each.kind == shell::ConditionalKind::kBinary &&
                               each.op >= shell::ConditionalOp::kNumberEqual &&
                               each.op <= shell::ConditionalOp::kNumberGreaterEqual;
        if (is_number && !(is_harmless(subject, each.left, "-?[0-9]*") &&
                           is_harmless(subject, each.right, "-?[0-9]*")))
          note({Verdict::kOpen, each.span, "an operand of a comparison is evaluated", {}});
        return true;
      }});
    }
  }
  if (worst.verdict == Verdict::kProved)
    return {{},
            Verdict::kProved,
            "no value of the outside gets into code or before the end of options",
            {},
            {},
            false};
  return {{}, worst.verdict, worst.reason, worst.place, worst.witness, false};
}

}  // namespace nacre::prove
