// Conditions that always go one way, arms of `case` that nothing reaches, loops that run once.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "base/codes.h"
#include "flow/interpreter.h"
#include "regular/decide.h"

namespace nacre::flow {

using shell::Part;
using shell::PartKind;

namespace {

// What the operands of a condition are made of.
struct Operands {
  bool has_status = false;       // $?
  bool has_dollar_text = false;  // '$1': a name that was meant to be expanded
  bool has_expansion = false;
  bool has_length = false;   // ${#x}
  bool has_command = false;  // $(...)
  bool has_case = false;     // ${x,,}
  std::vector<const shell::Parameter*> variables;
};

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

// Why a condition is never `wanted`, for people.
std::string reason_of(const Condition& condition, const Operands& operands, const Status& status,
                      const Value* only, bool wanted) {
  if (operands.has_dollar_text) return "in single quotes nothing is expanded";
  if (const shell::Word* word = refused_operand(condition))
    return fmt::format("'{}' is no number", word->literal());
  if (operands.has_status && !status.can_fail) return "$? is 0 here";
  const std::string_view answer = wanted ? "true" : "false";
  if (operands.variables.size() != 1 || operands.has_command || operands.has_status)
    return fmt::format("no value that can occur here makes it {}", answer);
  if (only && only->text && !only->may_be_unset)
    return fmt::format("{} is {} here", operands.variables[0]->name,
                       only->text->empty() ? "empty" : *only->text);
  return fmt::format("no value that {} can have here makes it {}", operands.variables[0]->name,
                     answer);
}

// `[ "$user" -ne root ]`: = and != compare texts.
void compare_texts(const Condition& condition, Diagnostic& diagnostic) {
  const bool is_equal = condition.op == shell::ConditionalOp::kNumberEqual;
  if (!refused_operand(condition) ||
      (!is_equal && condition.op != shell::ConditionalOp::kNumberNotEqual))
    return;
  const Span between{condition.left->span.end, condition.right->span.begin};
  diagnostic.fixes.push_back({"compare texts", {{between, is_equal ? " = " : " != "}}, false});
}

// What is left of `x$y` if y is empty.
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

// x = a, or x != a.
bool asks_for_text(const Condition& condition, bool is_equal) {
  using shell::ConditionalOp;
  if (condition.kind != Condition::Kind::kBinary) return false;
  return is_equal
             ? condition.op == ConditionalOp::kEqual || condition.op == ConditionalOp::kNumberEqual
             : condition.op == ConditionalOp::kNotEqual ||
                   condition.op == ConditionalOp::kNumberNotEqual;
}

// `for x in "a b c"`; of a path the blanks may be a part.
bool is_quoted_list(const shell::Word& word) {
  if (word.has(shell::kWordHasExpansion) || !word.is_quoted()) return false;
  const std::string text = text_beside_expansions(word);
  const size_t first = text.find_first_not_of(" \n"), last = text.find_last_not_of(" \n");
  return first != text.npos && text.find_first_of(" \n", first) < last &&
         text.find_first_of("/.\\") == text.npos;
}

// `for x in "{1..9}"`, `for x in "*.txt"`. What stands in single quotes is meant as it stands.
bool is_quoted_pattern(const shell::Word& word) {
  const auto parts = word.parts();
  if (!word.is_literal() || parts.empty() || parts[0].kind != PartKind::kDoubleQuoted) return false;
  const std::string_view text = word.literal();
  const bool is_range = text.starts_with('{') && text.ends_with('}') &&
                        (text.find("..") != text.npos || text.find(',') != text.npos);
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  return is_range ||
         (text.find('*') != text.npos && std::any_of(text.begin(), text.end(), is_letter));
}

// `[ "pgrep $x" ]`, `[ -n "a$x" ]`: the text that stands there is never empty. A word alone may be
// a constant that is meant (`while [ 1 ]`).
bool asks_of_own_text(const Condition& condition) {
  using Kind = Condition::Kind;
  const bool asks_emptiness =
      condition.kind == Kind::kWord ||
      (condition.kind == Kind::kUnary && (condition.letter == 'n' || condition.letter == 'z'));
  if (!asks_emptiness) return false;
  const std::string text = text_beside_expansions(*condition.left);
  return !text.empty() &&
         (condition.left->has(shell::kWordHasExpansion) || text.find(' ') != std::string::npos);
}

}  // namespace

// The part of `a -a b` that alone makes it false, or of `a -o b` that makes it true; the whole, if
// no part does.
const Condition& Interpreter::deciding_part(const Condition& condition, const Environment& before,
                                            bool is_true) {
  using Kind = Condition::Kind;
  if (condition.kind != (is_true ? Kind::kOr : Kind::kAnd)) return condition;
  for (const Condition& part : condition.parts) {
    const Branches branches = decide_again(part, {}, before);
    const bool decides = is_true ? !branches.failure.is_reachable : !branches.success.is_reachable;
    if (decides) return deciding_part(part, before, is_true);
  }
  return condition;
}

// A value that the script writes itself may well be constant (a setting, a flag for debugging); a
// constant status, a type that excludes the question or a name in single quotes is a mistake.
bool Interpreter::is_constant_by_mistake(const Condition& condition, const Environment& before) {
  Operands operands;
  survey_condition(condition, operands);
  if (operands.has_dollar_text) return true;
  // That is no number, which is said of the operand itself.
  if (compares_numbers(condition) && (is_several_lines(value_again(*condition.left, before)) ||
                                      is_several_lines(value_again(*condition.right, before))))
    return false;
  if (asks_of_own_text(condition)) return true;
  if (!operands.has_expansion) return false;
  if (refused_operand(condition)) return true;
  if (operands.has_status) return true;
  // `[[ ${x,,} = Yes ]]`, whatever x is; of a setting, another one would do.
  if (operands.has_case && operands.variables.size() <= 1) {
    const bool is_setting =
        !operands.variables.empty() && value(names_[operands.variables[0]->name], before).text;
    return !is_setting && condition.kind == Condition::Kind::kBinary;
  }
  if (condition.kind == Condition::Kind::kWord ||
      (condition.kind == Condition::Kind::kUnary && !operands.has_length)) {
    return false;  // a command that fails prints nothing, whatever its type
  }
  const auto is_status = [&](const shell::Parameter* parameter) {
    return value(names_[parameter->name], before).is_status;
  };
  // `[ $rc -lt $worst ]` is a template, and the first of several.
  if (operands.variables.size() == 1 && is_status(operands.variables[0])) return true;
  if (asks_the_system(condition, before)) return false;
  bool has_type = operands.has_command;
  for (const shell::Parameter* parameter : operands.variables) {
    if (parameter->op == shell::ParameterOp::kLength) {
      has_type = true;
      continue;
    }
    const Value& value = this->value(names_[parameter->name], before);
    // A setting of the script that another version of it may change.
    const bool is_setting = value.text && value.source == Source::kScript;
    if (value.is_opaque || (is_setting && operands.variables.size() > 1)) return false;
    has_type |= !value.text && value.source != Source::kScript;
  }
  return has_type;
}

// `cp a b; echo copied; [ $? -eq 0 ]`: echo has succeeded, whatever cp has done.
bool Interpreter::asks_printed_status(const Condition& condition, const Environment& before) {
  Operands operands;
  survey_condition(condition, operands);
  return operands.has_status && operands.variables.empty() && before.status.is_printed;
}

// A command that prints one text whatever happens was run to see what this system's commands do
// (`echo '\\t'`), and one that fails prints nothing: with both in mind, is it still constant?
bool Interpreter::asks_the_system(const Condition& condition, const Environment& before) {
  if (condition.kind != Condition::Kind::kBinary) return false;
  const bool is_equality = condition.op == shell::ConditionalOp::kEqual ||
                           condition.op == shell::ConditionalOp::kNotEqual;
  const auto value = [&](const shell::Word& word) { return value_again(word, before); };
  for (const auto& [word, other] :
       {std::pair{condition.left, condition.right}, {condition.right, condition.left}}) {
    if (!word->has(shell::kWordHasExpansion)) continue;
    const Value asked = value(*word);
    const auto only = regular::shortest(asked.strings, options_.budget);
    if (only && regular::included(asked.strings, context_.literal(*only), options_.budget).yes())
      return true;
    if (is_equality && contains(expansion_of(value(*other)), text_beside_expansions(*word)))
      return true;
  }
  return false;
}

// `[ -z "$x" ] || [ "$x" != yes ]`, where x is empty or "yes": who makes sure is not mistaken. But
// `[ "$x" != a ] || [ "$x" != b ]` is always true, and one of its parts is to blame.
bool Interpreter::is_idle(const Condition& condition, Span span, const Branches& branches,
                          const Listed& listed) {
  const Environment& ruled_out = listed.idle ? branches.failure : branches.success;
  Operands operands;
  survey_condition(condition, operands);
  // A status that is asked for is that of the command before, within the list.
  if (!listed.before || ruled_out.is_reachable || operands.has_status) return false;
  const Branches alone = decide_again(condition, span, *listed.before);
  return alone.success.is_reachable && alone.failure.is_reachable;
}

// `[ "$x" = a ] && [ "$x" = b ]`, `[[ $x != a || $x != b ]]`: each part alone may go either way,
// but the first excludes what the second asks for. `[ "$x" = a ] || [ "$x" = b ]` may well name all
// that there is.
bool Interpreter::is_excluded(const Condition& condition, Span span, const Environment& before,
                              const Listed& listed) {
  const auto is_open = [&](const Condition& part, const Environment& state) {
    const Branches alone = decide_again(part, span, state);
    return alone.success.is_reachable && alone.failure.is_reachable;
  };
  Operands operands;
  survey_condition(condition, operands);
  if (operands.has_status) return false;  // that of the command before, within the list
  const auto is_plain = [](const shell::Parameter* parameter) {
    return parameter->op == shell::ParameterOp::kNone;
  };
  if (!std::all_of(operands.variables.begin(), operands.variables.end(), is_plain)) return false;
  if (listed.is_and_or && asks_for_text(condition, listed.idle))
    return is_open(condition, *listed.before);
  const auto& parts = condition.parts;
  const bool is_and = condition.kind == Condition::Kind::kAnd;
  const bool is_list = is_and || condition.kind == Condition::Kind::kOr;
  return is_list && asks_for_text(parts.back(), is_and) &&
         std::all_of(parts.begin(), parts.end(),
                     [&](const Condition& part) { return is_open(part, before); });
}

// `[ -n $x ]`: without quotes an empty value is no word, and `[ -n ]` asks whether "-n" is empty.
bool Interpreter::judge_unquoted(const Condition& condition, Span span, const Environment& before) {
  if (condition.kind == Condition::Kind::kNot)
    return judge_unquoted(condition.parts[0], span, before);
  if (condition.kind != Condition::Kind::kUnary || condition.letter != 'n' || condition.is_bracket)
    return false;
  const std::vector<Field> fields = fields_again(*condition.left, before);
  if (fields.size() != 1 || !fields[0].may_vanish) return false;
  const Span word = condition.left->span;
  Diagnostic result =
      finding("T301", tree_.file(), span,
              fmt::format("this condition is always true: an empty {} leaves [ -n ], which is true",
                          tree_.text(word)));
  result.fixes.push_back(
      {"quote it", {{{word.begin, word.begin}, "\""}, {{word.end, word.end}, "\""}}, true});
  findings_.add(std::move(result));
  return true;
}

void Interpreter::judge_condition(const Condition& condition, Span span, const Environment& before,
                                  const Branches& branches, const Listed& listed) {
  if (findings_.is_muted() || !before.is_reachable) return;
  if (judge_unquoted(condition, span, before)) return;
  const bool is_true = branches.success.is_reachable && !branches.failure.is_reachable;
  const bool is_false = !branches.success.is_reachable && branches.failure.is_reachable;
  const auto is_mistake = [&] {
    return is_constant_by_mistake(deciding_part(condition, before, is_true), before) ||
           is_excluded(condition, span, before, listed);
  };
  const bool asks_printer = asks_printed_status(condition, before);
  if (!asks_printer && !((is_true || is_false) && is_mistake())) {
    findings_.pass("T301", span);
    return;
  }
  Operands operands;
  survey_condition(condition, operands);
  const Value* only =
      operands.variables.size() == 1 && operands.variables[0]->op == shell::ParameterOp::kNone
          ? &value(names_[operands.variables[0]->name], before)
          : nullptr;
  Diagnostic result = finding(
      "T301", tree_.file(), span,
      asks_printer ? "the status asked for is that of what was printed last"
                   : fmt::format("this condition is always {}: {}", is_true ? "true" : "false",
                                 reason_of(condition, operands, before.status, only, !is_true)));
  const bool ends = before.options.errexit == Known::kYes;
  if (operands.has_status && !before.status.origin.empty()) {
    result.path.push_back({tree_.file(), before.status.origin,
                           before.status.can_fail ? "$? is the status of this"
                           : ends
                               ? "set -e ends the script if this fails: ask with `if` instead"
                               : "$? is the status of this, which is 0 where the script goes on"});
  }
  for (const shell::Parameter* parameter : operands.variables) {
    const Value& value = this->value(names_[parameter->name], before);
    if (value.origin.empty()) continue;
    result.path.push_back({tree_.file(), value.origin,
                           value.is_status && ends
                               ? "set -e has ended the script if the command before this failed"
                               : fmt::format("{} gets its value here", parameter->name)});
  }
  compare_texts(condition, result);
  findings_.pass("T301", span, std::move(result));
}

void Interpreter::judge_pattern(const shell::CaseArm& arm, const shell::Word& word, Lang wanted,
                                const SeenArms& seen) {
  if (findings_.is_muted()) return;
  const auto example = regular::shortest(wanted, options_.budget);
  if (example && !regular::contains(seen.all, *example)) return;  // most are told apart by that
  if (!regular::included(wanted, seen.all, options_.budget).yes()) return;
  Diagnostic result =
      finding("T302", tree_.file(), word.span,
              "this is never reached: the patterns above match all that this one does");
  if (example) result.counterexample = *example;
  const auto takes = [&](const auto& above) {
    return contains(above.second, example.value_or(""));
  };
  if (const auto above = std::find_if(seen.arms.begin(), seen.arms.end(), takes);
      above != seen.arms.end())
    result.path.push_back({tree_.file(), above->first->patterns[0].span, "this comes first"});
  // With the same commands behind both patterns, nothing but the text is wrong: `-x) ... ;;
  // -*|--*)`.
  Lang left = wanted;
  const auto does_same = [&](const auto& above) {
    if (tree_.text(above.first->body.span) == tree_.text(arm.body.span) &&
        !regular::disjoint(left, above.second, options_.budget).yes())
      return true;
    left = left - above.second;
    return false;
  };
  if (std::any_of(seen.arms.begin(), seen.arms.end(), does_same)) {
    result.severity = Severity::kInfo;
    result.message =
        "this is not needed: the patterns above match all that this one does, and do the same";
  }
  findings_.add(std::move(result));
}

// An arm for values that the word never has, by its type alone.
void Interpreter::judge_arm(const shell::Case& node, const shell::CaseArm& arm, Lang wanted,
                            const Environment& before) {
  if (findings_.is_muted() || !before.is_reachable || arm.patterns.empty()) return;
  Condition asked;
  asked.kind = Condition::Kind::kBinary;
  asked.op = shell::ConditionalOp::kEqual;
  asked.is_bracket = true;
  asked.left = node.subject;
  asked.right = &arm.patterns[0];
  const Value value = value_again(*node.subject, before);
  Operands operands;
  survey_parts(node.subject->parts(), operands);
  const bool is_never = (!value.is_opaque || operands.has_case) && !contains(wanted, "") &&
                        regular::disjoint(expansion_of(value), wanted, options_.budget).yes() &&
                        is_constant_by_mistake(asked, before);
  const Span place = arm.patterns[0].span;
  if (!is_never) return findings_.pass("T302", place);
  Diagnostic result = finding("T302", tree_.file(), place,
                              fmt::format("this is never reached: {} never has such a value",
                                          tree_.text(node.subject->span)));
  if (auto example = regular::shortest(value.strings, options_.budget))
    result.counterexample = *example;
  show_origin(result, value);
  findings_.pass("T302", place, std::move(result));
}

// `set -e; cmd; case $? in`
void Interpreter::judge_subject(const shell::Case& node, const Environment& before) {
  if (node.arms.size() < 2) return;
  const auto parts = node.subject->parts();
  const auto inner =
      parts.size() == 1 && parts[0].kind == PartKind::kDoubleQuoted ? parts[0].parts() : parts;
  const bool is_status = inner.size() == 1 && inner[0].kind == PartKind::kParameter &&
                         inner[0].parameter().name == "?";
  if (is_status) judge_status(node.subject->span, before);
}

// A place that asks for $?: with `set -e`, the script comes there with one status only.
void Interpreter::judge_status(Span place, const Environment& before) {
  if (findings_.is_muted() || !before.is_reachable) return;
  if (before.status.can_fail) return findings_.pass("T301", place);
  Diagnostic result = finding("T301", tree_.file(), place, "$? is always 0 here");
  if (!before.status.origin.empty()) {
    result.path.push_back(
        {tree_.file(), before.status.origin, "if this fails, the script does not come here"});
  }
  findings_.pass("T301", place, std::move(result));
}

void Interpreter::judge_for(const shell::For& node, std::span<const Field> fields) {
  if (findings_.is_muted() || node.is_select || node.words().size() != 1) return;
  const shell::Word& word = node.words()[0];
  if (is_quoted_list(word)) {
    return findings_.add(finding("X107", tree_.file(), word.span,
                                 "this is one word, with blanks in it: the loop runs once"));
  }
  if (is_quoted_pattern(word)) {
    return findings_.add(finding("X107", tree_.file(), word.span,
                                 "in quotes nothing is expanded: the loop runs once"));
  }
  if (word.is_literal() || !word.has(shell::kWordHasExpansion)) return;
  const bool is_one = fields.size() == 1 && !fields[0].may_repeat;
  const bool is_quoted = std::all_of(fields.begin(), fields.end(), [](const Field& field) {
    return std::all_of(field.fragments.begin(), field.fragments.end(),
                       [](const Fragment& fragment) { return fragment.is_quoted; });
  });
  // An unquoted constant may be a list that has one entry today; an absolute path is none.
  const bool is_path = is_one && fields[0].argument.prefix.starts_with("/");
  if (!is_one || !(is_quoted || is_path)) {
    findings_.pass("X107", word.span);
    return;
  }
  Diagnostic result =
      finding("X107", tree_.file(), word.span, "the list is one word, so the loop runs once");
  if (tree_.text(word.span) == "\"$*\"")
    result.fixes.push_back({"take the arguments one by one", {{word.span, "\"$@\""}}, false});
  findings_.pass("X107", word.span, std::move(result));
}

}  // namespace nacre::flow
