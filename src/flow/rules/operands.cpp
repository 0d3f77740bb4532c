#include "flow/rules/operands.h"

#include <algorithm>

#include "regular/decide.h"

namespace nacre::flow {

using shell::Part;
using shell::PartKind;

namespace {

void survey_parts(std::span<const Part> parts, Operands& out) {
  for (const Part& part : parts) {
    if (part.kind == PartKind::kDoubleQuoted) survey_parts(part.parts(), out);
    out.has_expansion |= part.is_expansion();
    if (part.kind == PartKind::kSingleQuoted && part.size > 1 && part.text()[0] == '$')
      out.has_dollar_text = true;
    out.has_command |= part.kind == PartKind::kCommand;
    if (part.kind != PartKind::kParameter) continue;
    const shell::Parameter& parameter = part.parameter();
    out.has_status |= parameter.name == "?";
    out.has_length |= parameter.op == shell::ParameterOp::kLength;
    out.has_case |= parameter.op == shell::ParameterOp::kUpperAll ||
                    parameter.op == shell::ParameterOp::kLowerAll;
    if (parameter.kind == shell::ParameterKind::kVariable) out.variables.push_back(&parameter);
  }
}

void survey_condition(const Condition& condition, Operands& out) {
  for (const Condition& part : condition.parts) survey_condition(part, out);
  for (const shell::Word* word : {condition.left, condition.right}) {
    const bool is_used =
        word && (word == condition.left || condition.kind == Condition::Kind::kBinary);
    if (is_used) survey_parts(word->parts(), out);
  }
}

// `[ "pgrep $x" ]`, `[ -n "a$x" ]`: the literal text is never empty. A word alone may be a constant
// that is meant (`while [ 1 ]`).
bool asks_of_own_text(const Condition& condition) {
  using Kind = Condition::Kind;
  const bool asks_emptiness =
      condition.kind == Kind::kWord ||
      (condition.kind == Kind::kUnary && (condition.letter == 'n' || condition.letter == 'z'));
  if (!asks_emptiness) return false;
  const std::string text = text_beside_expansions(*condition.left);
  // `[ -n WORD ]`, without the dollar sign. What a template puts there is quoted.
  const bool is_name = condition.kind == Kind::kUnary && condition.left->is_plain() &&
                       text.find_first_not_of("0123456789./-") == 0;
  return !text.empty() && (is_name || condition.left->has(shell::kWordHasExpansion) ||
                           text.find(' ') != std::string::npos);
}

// `[ "$(date +%N)" = N ]`: a date that does not know the directive prints its letter.
bool prints_nanoseconds(const shell::Word& word, const Environment& before, const RuleContext& in) {
  const auto has_directive = [&](Span span) {
    return in.text(span).find("%N") != std::string_view::npos;
  };
  const auto variables = operands_of(word.parts()).variables;
  return has_directive(word.span) ||
         std::any_of(variables.begin(), variables.end(), [&](const shell::Parameter* each) {
           return has_directive(in.value(each->name, before).origin);
         });
}

// A command that prints one text whatever happens was run to see what this system's commands do
// (`echo '\\t'`), and one that fails prints nothing: with both in mind, is it still constant?
bool asks_the_system(const Condition& condition, const Environment& before, const RuleContext& in) {
  if (condition.kind != Condition::Kind::kBinary) return false;
  const bool is_equality = condition.op == shell::ConditionalOp::kEqual ||
                           condition.op == shell::ConditionalOp::kNotEqual;
  for (const auto& [word, other] :
       {std::pair{condition.left, condition.right}, {condition.right, condition.left}}) {
    if (!word->has(shell::kWordHasExpansion)) continue;
    const Value asked = in.evaluator.value_again(*word, before);
    if (is_equality && other->is_literal() && other->literal().ends_with('N') &&
        prints_nanoseconds(*word, before, in))
      return true;
    const auto only = regular::shortest(asked.strings, in.budget);
    if (only && regular::included(asked.strings, in.languages.literal(*only), in.budget).yes())
      return true;
    if (is_equality && contains(expansion_of(in.evaluator.value_again(*other, before)),
                                text_beside_expansions(*word)))
      return true;
  }
  return false;
}

// The type of the values excludes the answer, and it is not a setting that another version of the
// script may change.
bool has_excluding_type(const Operands& operands, const Environment& before,
                        const RuleContext& in) {
  bool has_type = operands.has_command;
  for (const shell::Parameter* parameter : operands.variables) {
    if (parameter->op == shell::ParameterOp::kLength) {
      has_type = true;
      continue;
    }
    const Value& value = in.value(parameter->name, before);
    const bool is_setting = value.text && value.source == Source::kScript;
    if (value.is_opaque || (is_setting && operands.variables.size() > 1)) return false;
    has_type |= !value.text && value.source != Source::kScript;
  }
  return has_type;
}

// `[ "$(sha256sum f)" = "$wanted" ]`: what the command prints begins or ends with the setting and
// has more, so that no other setting would do.
bool compares_with_part(const Condition& condition, const Environment& before,
                        const RuleContext& in) {
  constexpr size_t kMinText = 3;
  const bool is_equality = condition.op == shell::ConditionalOp::kEqual ||
                           condition.op == shell::ConditionalOp::kNotEqual;
  if (condition.kind != Condition::Kind::kBinary || !is_equality) return false;
  for (const auto& [word, other] :
       {std::pair{condition.left, condition.right}, {condition.right, condition.left}}) {
    if (operands_of(other->parts()).variables.size() != 1) continue;
    const Value setting = in.evaluator.value_again(*other, before);
    if (!setting.text || setting.source != Source::kScript || setting.text->size() < kMinText)
      continue;
    const Operands taken = operands_of(word->parts());
    if (!taken.has_command && taken.variables.empty()) continue;
    const Value printed = in.evaluator.value_again(*word, before);
    if (printed.is_opaque || printed.text || printed.source != Source::kCommand) continue;
    const Lang part = in.languages.literal(*setting.text), any = in.languages.all();
    if (regular::disjoint(printed.strings, part + any, in.budget).no() ||
        regular::disjoint(printed.strings, any + part, in.budget).no())
      return true;
  }
  return false;
}

// `[ "$1" = "" ]`: an argument may be given and be empty, though hardly one is.
bool asks_for_empty_argument(const Condition& condition) {
  if (std::any_of(condition.parts.begin(), condition.parts.end(), asks_for_empty_argument))
    return true;
  const bool is_equality = condition.op == shell::ConditionalOp::kEqual ||
                           condition.op == shell::ConditionalOp::kNotEqual;
  if (condition.kind != Condition::Kind::kBinary || !is_equality) return false;
  const auto is_empty = [](const shell::Word& word) {
    return word.is_literal() && word.literal().empty();
  };
  const auto is_argument = [](const shell::Word& word) {
    const auto parts = word.parts();
    const auto inner =
        parts.size() == 1 && parts[0].kind == PartKind::kDoubleQuoted ? parts[0].parts() : parts;
    return inner.size() == 1 && inner[0].kind == PartKind::kParameter &&
           inner[0].parameter().kind == shell::ParameterKind::kPositional;
  };
  return (is_empty(*condition.left) && is_argument(*condition.right)) ||
         (is_empty(*condition.right) && is_argument(*condition.left));
}

}  // namespace

Operands operands_of(const Condition& condition) {
  Operands result;
  survey_condition(condition, result);
  return result;
}

Operands operands_of(std::span<const Part> parts) {
  Operands result;
  survey_parts(parts, result);
  return result;
}

std::string text_beside_expansions(const shell::Word& word) {
  std::string result;
  const auto add = [&](std::span<const Part> parts, const auto& self) -> void {
    for (const Part& part : parts) {
      if (part.kind == PartKind::kDoubleQuoted) self(part.parts(), self);
      if (part.is_text()) result += part.text();
    }
  };
  add(word.parts(), add);
  return result;
}

bool is_several_lines(const Value& value, const RuleContext& in) {
  if (value.is_opaque || value.text || value.source != Source::kCommand) return false;
  const Lang broken = in.languages.all() + in.languages.literal("\n") + in.languages.all();
  return regular::included(value.strings, broken, in.budget).yes();
}

bool is_constant_by_mistake(const Condition& condition, const Environment& before,
                            const RuleContext& in) {
  if (asks_for_empty_argument(condition)) return false;
  const Operands operands = operands_of(condition);
  if (operands.has_dollar_text) return true;
  // That is not a number, which the rule about numbers reports.
  const auto is_broken = [&](const shell::Word& word) {
    return is_several_lines(in.evaluator.value_again(word, before), in);
  };
  if (compares_numbers(condition) && (is_broken(*condition.left) || is_broken(*condition.right)))
    return false;
  if (asks_of_own_text(condition)) return true;
  if (!operands.has_expansion) return false;
  if (refused_operand(condition) || operands.has_status) return true;
  // `[[ ${x,,} = Yes ]]`, whatever x is; of a setting, another one would do.
  if (operands.has_case && operands.variables.size() <= 1) {
    const bool is_setting =
        !operands.variables.empty() && in.value(operands.variables[0]->name, before).text;
    return !is_setting && condition.kind == Condition::Kind::kBinary;
  }
  if (condition.kind == Condition::Kind::kWord ||
      (condition.kind == Condition::Kind::kUnary && !operands.has_length))
    return false;  // a command that fails prints nothing, whatever its type
  // `[ $rc -lt $worst ]` is a template, and the first of several.
  if (operands.variables.size() == 1 && in.value(operands.variables[0]->name, before).is_status)
    return true;
  if (compares_with_part(condition, before, in)) return true;
  return !asks_the_system(condition, before, in) && has_excluding_type(operands, before, in);
}

}  // namespace nacre::flow
