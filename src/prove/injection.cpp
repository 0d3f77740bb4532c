// injection: no argument, variable, line of input or file name becomes code or an option.
#include <algorithm>
#include <fmt/format.h>

#include "flow/check.h"
#include "prove/subject.h"
#include "purify/quoting.h"
#include "purify/values.h"
#include "regular/decide.h"
#include "regular/parse_type.h"
#include "shell/builtins.h"
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

// A part whose value is not the script's own.
bool is_foreign(const Subject& subject, const Part& part) {
  if (part.kind == PartKind::kArithmetic) return false;
  const flow::ExpansionFact* fact = purify::expansion_of(*subject.script, part);
  if (fact == nullptr) return true;
  return !subject.script->facts().value(fact->value).text.has_value();
}

std::vector<const Part*> values_in(const Word& word) {
  std::vector<const Part*> result;
  for (const Part& part : word.parts()) {
    if (part.is_expansion()) result.push_back(&part);
    if (part.kind == PartKind::kDoubleQuoted) {
      for (const Part& inner : part.parts()) {
        if (inner.is_expansion()) result.push_back(&inner);
      }
    }
  }
  return result;
}

bool holds_foreign(const Subject& subject, const Word& word) {
  const auto values = values_in(word);
  return std::any_of(values.begin(), values.end(),
                     [&](const Part* part) { return is_foreign(subject, *part); });
}

// Values that are safe within a text of code: digits, names.
bool is_harmless(const Subject& subject, const Word& word, std::string_view type) {
  const auto values = values_in(word);
  return std::all_of(values.begin(), values.end(), [&](const Part* part) {
    return !is_foreign(subject, *part) || purify::is_of_type(*subject.script, *part, type);
  });
}

bool runs_code(const purify::Call& call, size_t index) {
  if (call.is("eval") || call.is("trap")) return index >= 1;
  const bool is_shell = call.is("sh") || call.is("bash") || call.is("dash");
  return is_shell && index >= 2 && call.words[index - 1].is_literal() &&
         call.words[index - 1].literal().ends_with("c");
}

bool is_program_text(const purify::Call& call, size_t index) {
  const bool has_program = call.is("awk") || call.is("sed") || call.is("perl") ||
                           call.is("python3") || call.is("jq") || call.is("bc");
  if (!has_program) return false;
  for (size_t i = 1; i < index; i++) {
    if (!call.words[i].is_literal() || !call.words[i].literal().starts_with('-')) return false;
  }
  return true;
}

// The words of the command are taken for options where they begin with a dash.
bool takes_options(const Subject& subject, const purify::Call& call) {
  const shell::BuiltinInfo* info = shell::builtin_named(call.name);
  if (info != nullptr)
    return call.is("read") || call.is("export") || call.is("unset") || call.is("cd");
  if (call.is("expr") || call.is("find")) return true;
  (void)subject;
  return true;
}

bool is_after_end_of_options(const purify::Call& call, size_t index) {
  for (size_t i = 1; i < index; i++) {
    if (call.words[i].is_literal() && call.words[i].literal() == "--") return true;
  }
  return false;
}

// The word may begin with a dash that the script has not written: yes, no, or not known.
Verdict may_begin_with_dash(const Subject& subject, const Word& word) {
  const auto parts = word.parts();
  if (parts.empty()) return Verdict::kProved;
  const Part* first = &parts[0];
  if (first->kind == PartKind::kDoubleQuoted) {
    if (first->parts().empty()) return Verdict::kOpen;
    first = &first->parts()[0];
  }
  if (first->kind == PartKind::kGlob)
    return parts.size() > 0 && (first->text() == "*" || first->text() == "?") ? Verdict::kRefuted
                                                                              : Verdict::kOpen;
  if (first->is_text()) return Verdict::kProved;
  if (!is_foreign(subject, *first)) return Verdict::kProved;
  if (purify::is_all_arguments(*first)) return Verdict::kRefuted;
  if (purify::is_of_type(*subject.script, *first, "[^-].*|")) return Verdict::kProved;
  const flow::ExpansionFact* fact = purify::expansion_of(*subject.script, *first);
  if (fact == nullptr) return Verdict::kOpen;
  const flow::Value& value = subject.script->facts().value(fact->value);
  if (!value.prefix.empty() && value.prefix[0] != '-' && !value.may_be_unset)
    return Verdict::kProved;
  // `set --` has put the script's own words there.
  const bool is_replaced =
      first->kind == PartKind::kParameter &&
      first->parameter().kind == shell::ParameterKind::kPositional &&
      std::any_of(subject.calls.begin(), subject.calls.end(), [](const purify::Call& each) {
        return each.is("set") && each.words.size() > 1 && each.words[1].is_literal() &&
               each.words[1].literal() == "--";
      });
  if (is_replaced) return Verdict::kOpen;
  const bool is_argument = value.source == flow::Source::kArgument ||
                           value.source == flow::Source::kInput ||
                           value.source == flow::Source::kEnvironment;
  auto dashes = regular::parse_type(subject.script->facts().languages(), "-[a-z].*");
  const bool can =
      dashes && regular::disjoint(fact->strings, *dashes).no() && fact->strings.is_exact();
  return is_argument && can ? Verdict::kRefuted : Verdict::kOpen;
}

// The word before it is an option that takes it for its argument, as far as the card knows.
bool is_option_argument(const Subject& subject, const purify::Call& call, size_t index) {
  const Word& before = call.words[index - 1];
  if (index < 2 || !before.is_literal() || before.literal().size() < 2 ||
      before.literal()[0] != '-')
    return false;
  const commands::Card* card = subject.cards.find(call.name);
  if (card == nullptr) return true;
  const std::string_view letter = before.literal().substr(before.literal().size() - 1);
  for (const commands::OptionSpec& each : card->options) {
    if (each.short_name == letter) return each.argument != commands::OptionArgument::kNone;
  }
  return true;
}

// printf -v NAME, read NAME: bash evaluates the subscript of a name.
bool names_variable(const Subject& subject, const purify::Call& call, size_t index) {
  if (!subject.is_bash()) return false;
  const bool is_target = call.is("printf") && index == 2 && call.words[1].is_literal() &&
                         call.words[1].literal() == "-v";
  return is_target || (call.is("read") && !is_option_argument(subject, call, index)) ||
         call.is("unset");
}

Sink sink_of_word(const Subject& subject, const purify::Call& call, size_t index) {
  const Word& word = call.words[index];
  Sink sink{Verdict::kProved, word.span, {}, {}};
  if (word.is_literal()) return sink;
  const bool is_code = runs_code(call, index), is_program = is_program_text(call, index);
  if (is_code || is_program) {
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
  if (names_variable(subject, call, index) && !is_harmless(subject, word, "[A-Za-z0-9_]*")) {
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
  if (!takes_options(subject, call) || is_after_end_of_options(call, index)) return sink;
  if (subject.script->has_function(call.name)) return sink;
  const bool follows_option = is_option_argument(subject, call, index);
  sink.verdict = may_begin_with_dash(subject, word);
  if (follows_option && sink.verdict == Verdict::kRefuted) sink.verdict = Verdict::kOpen;
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

// Names in arithmetic: a variable that may hold anything.
bool has_unknown_names(const Subject& subject, const shell::ArithmeticExpression* node,
                       const purify::Place* place) {
  if (node == nullptr || place == nullptr) return true;
  bool result = false;
  shell::walk(*node, shell::Visitor{[&](const shell::ArithmeticExpression& each) {
    if (each.kind != shell::ArithmeticKind::kVariable) return true;
    const flow::Value* value = purify::variable_before(*subject.script, *place, each.name);
    const bool is_number =
        value != nullptr && !value->is_opaque &&
        regular::included(value->strings,
                          regular::optional(flow::integers(subject.script->facts().languages())))
            .yes();
    const bool is_counter = each.name == "OPTIND";
    if (!is_number && !is_counter) result = true;
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
    if (call.is("xargs") || call.is("ssh") || call.is("sudo") || call.is("env"))
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
      note({Verdict::kOpen, place.command->span, "commands in backquotes are not looked at", {}});
  }
  shell::walk(subject.script->tree().program(), shell::Visitor{[&](const Part& part) {
                if (part.kind == PartKind::kArithmetic) {
                  note(sink_of_arithmetic(subject, part.arithmetic()));
                  const purify::WordPlace* at = subject.script->word_of(part);
                  if (subject.is_bash() && has_unknown_names(subject, part.arithmetic().expression,
                                                             at == nullptr ? nullptr : at->place))
                    note({Verdict::kOpen,
                          part.span,
                          "a variable in an arithmetic expression may hold code",
                          {}});
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
    if (node != nullptr && has_unknown_names(subject, node->arithmetic->expression, &place))
      note({Verdict::kOpen,
            place.command->span,
            "a variable in an arithmetic expression may hold code",
            {}});
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
