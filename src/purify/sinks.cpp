#include "purify/sinks.h"

#include <algorithm>

#include "purify/quoting.h"
#include "purify/values.h"
#include "regular/decide.h"
#include "regular/parse_type.h"
#include "shell/builtins.h"

namespace nacre::purify {

using commands::CardKey;
using commands::Invocation;
using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

bool is_at(const commands::Argument& argument, const Word& word) {
  return argument.span.begin == word.span.begin && argument.span.end == word.span.end;
}

// Among the operands; their number if it is none of them.
size_t operand_index(const Invocation& call, const Word& word) {
  const auto found = std::find_if(call.operands.begin(), call.operands.end(),
                                  [&](const auto& each) { return is_at(each, word); });
  return static_cast<size_t>(found - call.operands.begin());
}

// The option whose argument the word is.
const commands::GivenOption* option_of(const Invocation& call, const Word& word) {
  for (const commands::GivenOption& each : call.options) {
    if (each.argument && is_at(*each.argument, word)) return &each;
  }
  return nullptr;
}

// The word that comes before the code is in a condition: `sink word:-c : option shell`.
bool is_named(const commands::Property& property, std::string_view word) {
  return std::any_of(property.conditions.begin(), property.conditions.end(), [&](const auto& each) {
    return std::find(each.words.begin(), each.words.end(), word) != each.words.end();
  });
}

SinkKind code_of(const Invocation& call, const Word& word) {
  const commands::Property* sink = call.property(CardKey::kSink);
  if (sink == nullptr) return SinkKind::kNone;
  const std::string_view value = sink->value;
  const size_t operand = operand_index(call, word);
  const bool is_operand = operand < call.operands.size();
  if (value == "all shell") return is_operand ? SinkKind::kShell : SinkKind::kNone;
  if (value == "all names") return is_operand ? SinkKind::kNames : SinkKind::kNone;
  if (value == "option shell") {
    const commands::GivenOption* option = option_of(call, word);
    const bool is_argument = option != nullptr && is_named(*sink, option->spec->spelling());
    if (is_argument) return SinkKind::kProgram;
    const bool is_code = is_operand && operand > 0 && call.operands[operand - 1].text &&
                         is_named(*sink, *call.operands[operand - 1].text);
    return is_code ? SinkKind::kShell : SinkKind::kNone;
  }
  if (!value.starts_with("first ") || !is_operand || operand != 0) return SinkKind::kNone;
  return value == "first code" && call.card->model.empty() ? SinkKind::kShell : SinkKind::kProgram;
}

bool takes_options(const commands::Card& card) {
  if (card.style == commands::OptionStyle::kNone) return false;
  const shell::BuiltinInfo* builtin = shell::builtin_named(card.name);
  if (builtin == nullptr) return true;
  return builtin->is(shell::kAssigns) ||
         std::any_of(card.operands.begin(), card.operands.end(),
                     [](const auto& each) { return commands::is_path(each.kind); });
}

bool is_after_end_of_options(const Call& call, size_t index) {
  return std::any_of(call.words.begin() + 1, call.words.begin() + static_cast<ptrdiff_t>(index),
                     [](const Word& word) { return word.is_literal() && word.literal() == "--"; });
}

}  // namespace

SinkKind sink_of(const Script& script, const Call& call, size_t index) {
  const Word& word = call.words[index];
  if (index == 0 || word.is_literal()) return SinkKind::kNone;
  const bool is_after_end = is_after_end_of_options(call, index);
  const auto invocation = invocation_of(script, call);
  if (!invocation) return is_after_end ? SinkKind::kNone : SinkKind::kOption;
  const SinkKind code = code_of(*invocation, word);
  if (code != SinkKind::kNone) return code;
  if (is_after_end || !takes_options(*invocation->card)) return SinkKind::kNone;
  if (option_of(*invocation, word) != nullptr) return SinkKind::kNone;
  const bool is_builtin = shell::builtin_named(call.name) != nullptr;
  const bool ends_at_first = is_builtin || invocation->card->style == commands::OptionStyle::kPosix;
  // An operand that the script has written ends the options.
  const size_t operand = operand_index(*invocation, word);
  for (size_t i = 0; ends_at_first && i < std::min(operand, invocation->operands.size()); i++) {
    const auto& text = invocation->operands[i].text;
    if (text && !text->starts_with('-')) return SinkKind::kNone;
  }
  return SinkKind::kOption;
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

bool is_foreign(const Script& script, const Part& part) {
  if (part.kind == PartKind::kArithmetic) return false;
  const flow::ExpansionFact* fact = expansion_of(script, part);
  return fact == nullptr || !script.facts().value(fact->value).text.has_value();
}

bool is_harmless(const Script& script, const Word& word, std::string_view type) {
  const auto values = values_in(word);
  return std::all_of(values.begin(), values.end(), [&](const Part* part) {
    return !is_foreign(script, *part) || is_of_type(script, *part, type);
  });
}

namespace {

// a/$x: without quotes, what follows a blank in the value is a word of its own.
Answer may_split_into_dash(const Script& script, const Word& word) {
  Answer result = Answer::kNo;
  auto dashes = regular::parse_type(script.facts().languages(), ".*[ \\t]-.*");
  if (!dashes) return Answer::kUnknown;
  for (const Part& part : word.parts().subspan(word.parts().empty() ? 0 : 1)) {
    if (!part.is_expansion()) continue;
    const flow::ExpansionFact* fact = expansion_of(script, part);
    if (fact == nullptr) continue;
    if (!fact->is_split() || regular::disjoint(fact->strings, *dashes).yes()) continue;
    const flow::Source source = script.facts().value(fact->value).source;
    const bool is_given = source == flow::Source::kArgument || source == flow::Source::kInput ||
                          source == flow::Source::kEnvironment;
    if (is_given && fact->strings.is_exact() && !script.mentions("IFS")) return Answer::kYes;
    result = Answer::kUnknown;
  }
  return result;
}

}  // namespace

Answer may_begin_with_dash(const Script& script, const std::vector<Call>& calls, const Word& word) {
  const auto parts = word.parts();
  if (parts.empty()) return Answer::kNo;
  if (const Answer later = may_split_into_dash(script, word); later != Answer::kNo) return later;
  const Part* first = &parts[0];
  if (first->kind == PartKind::kDoubleQuoted) {
    if (first->parts().empty()) return Answer::kUnknown;
    first = &first->parts()[0];
  }
  if (first->kind == PartKind::kGlob)
    return first->text() == "*" || first->text() == "?" ? Answer::kYes : Answer::kUnknown;
  if (first->is_text() || !is_foreign(script, *first)) return Answer::kNo;
  if (is_all_arguments(*first)) return Answer::kYes;
  if (is_of_type(script, *first, "[^-].*|")) return Answer::kNo;
  const flow::ExpansionFact* fact = expansion_of(script, *first);
  if (fact == nullptr) return Answer::kUnknown;
  const flow::Value& value = script.facts().value(fact->value);
  if (!value.prefix.empty() && value.prefix[0] != '-' && !value.may_be_unset) return Answer::kNo;
  // `set --` has put the script's own words there.
  const bool is_replaced = first->kind == PartKind::kParameter &&
                           first->parameter().kind == shell::ParameterKind::kPositional &&
                           std::any_of(calls.begin(), calls.end(), [](const Call& each) {
                             return each.is("set") && each.words.size() > 1 &&
                                    each.words[1].is_literal() && each.words[1].literal() == "--";
                           });
  if (is_replaced) return Answer::kUnknown;
  const bool is_given = value.source == flow::Source::kArgument ||
                        value.source == flow::Source::kInput ||
                        value.source == flow::Source::kEnvironment;
  auto dashes = regular::parse_type(script.facts().languages(), "-[a-z].*");
  const bool can =
      dashes && regular::disjoint(fact->strings, *dashes).no() && fact->strings.is_exact();
  return is_given && can ? Answer::kYes : Answer::kUnknown;
}

}  // namespace nacre::purify
