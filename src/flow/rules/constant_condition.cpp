// T301: a condition that always goes the same way.
//
//   T301: n=$(ls | wc -l)\nif [ "$n" = none ]; then echo empty; fi
//   quiet: n=$(ls | wc -l)\nif [ "$n" = 0 ]; then echo empty; fi
//   quiet: s=release\ncase "$s" in rel|beta*) echo test ;; *) echo stable ;; esac
//   T301: u=root\ni=$(id root)\nif [ "$i" = "$u" ]; then echo same; fi
//   quiet: u=root\ni=$(id -un)\nif [ "$i" = "$u" ]; then echo same; fi
//   T301: if [ -n $1 ]; then echo yes; fi
//   quiet: if [ -n "$1" ]; then echo yes; fi
//   T301: name=a\nif [ -n name ]; then echo yes; fi
//   quiet: name=$1\nif [ -n "$name" ]; then echo yes; fi
//   T301: cp a b; echo copied; if [ $? -eq 0 ]; then echo ok; fi
//   quiet: cp a b; if [ $? -eq 0 ]; then echo ok; fi
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/advice.h"
#include "flow/rules/operands.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// Why a condition is never `wanted`, for people.
std::string reason_of(const Condition& condition, const Operands& operands, const Status& status,
                      const Value* only, bool wanted) {
  if (operands.has_dollar_text) return "nothing is expanded in single quotes";
  if (const shell::Word* word = refused_operand(condition))
    return fmt::format("'{}' is not a number", word->literal());
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
void offer_text_comparison(const Condition& condition, Diagnostic& diagnostic) {
  const bool is_equal = condition.op == shell::ConditionalOp::kNumberEqual;
  if (!refused_operand(condition) ||
      (!is_equal && condition.op != shell::ConditionalOp::kNumberNotEqual))
    return;
  const Span between{condition.left->span.end, condition.right->span.begin};
  diagnostic.fixes.push_back({"compare texts", {{between, is_equal ? " = " : " != "}}, false});
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

// The part of `a -a b` that alone makes it false, or of `a -o b` that makes it true; the whole, if
// no part does.
const Condition& deciding_part(const Condition& condition, const Environment& before, bool is_true,
                               RuleContext& in) {
  using Kind = Condition::Kind;
  if (condition.kind != (is_true ? Kind::kOr : Kind::kAnd)) return condition;
  for (const Condition& part : condition.parts) {
    const Branches branches = in.evaluator.decide_again(part, {}, before);
    const bool decides = is_true ? !branches.failure.is_reachable : !branches.success.is_reachable;
    if (decides) return deciding_part(part, before, is_true, in);
  }
  return condition;
}

bool is_open(const Condition& condition, Span span, const Environment& before, RuleContext& in) {
  const Branches alone = in.evaluator.decide_again(condition, span, before);
  return alone.success.is_reachable && alone.failure.is_reachable;
}

// `[ -z "$x" ] || [ "$x" != yes ]`, where x is empty or "yes": an author who makes sure is not
// mistaken. But `[ "$x" != a ] || [ "$x" != b ]` is always true, and one of its parts is to blame.
bool is_idle(const ConditionEvent& event, const Operands& operands, RuleContext& in) {
  const Listed& listed = event.listed;
  const Environment& ruled_out = listed.idle ? event.branches.failure : event.branches.success;
  // A status that is asked for is that of the command before, within the list.
  if (!listed.before || ruled_out.is_reachable || operands.has_status) return false;
  return is_open(event.condition, event.span, *listed.before, in);
}

// `[ "$x" = a ] && [ "$x" = b ]`, `[[ $x != a || $x != b ]]`: each part alone may go either way,
// but the first excludes what the second asks for. `[ "$x" = a ] || [ "$x" = b ]` may well name all
// that there is.
bool is_excluded(const ConditionEvent& event, const Operands& operands, RuleContext& in) {
  const Condition& condition = event.condition;
  if (operands.has_status) return false;  // that of the command before, within the list
  const auto is_plain = [](const shell::Parameter* parameter) {
    return parameter->op == shell::ParameterOp::kNone;
  };
  if (!std::all_of(operands.variables.begin(), operands.variables.end(), is_plain)) return false;
  if (event.listed.is_and_or && asks_for_text(condition, event.listed.idle))
    return is_open(condition, event.span, *event.listed.before, in);
  const auto& parts = condition.parts;
  const bool is_and = condition.kind == Condition::Kind::kAnd;
  const bool is_list = is_and || condition.kind == Condition::Kind::kOr;
  return is_list && asks_for_text(parts.back(), is_and) &&
         std::all_of(parts.begin(), parts.end(), [&](const Condition& part) {
           return is_open(part, event.span, event.before, in);
         });
}

// `[ -n $x ]`: without quotes an empty value is no word, and `[ -n ]` asks whether "-n" is empty.
bool report_unquoted(const Condition& condition, const ConditionEvent& event, RuleContext& in) {
  if (condition.kind == Condition::Kind::kNot)
    return report_unquoted(condition.parts[0], event, in);
  if (condition.kind != Condition::Kind::kUnary || condition.letter != 'n' || condition.is_bracket)
    return false;
  const auto fields = in.evaluator.fields_again(*condition.left, event.before);
  if (fields.size() != 1 || !fields[0].may_vanish) return false;
  const Span word = condition.left->span;
  Diagnostic result = in.finding(
      "T301", event.span,
      fmt::format("this condition is always true: an empty unquoted {} leaves [ -n ], which is "
                  "true",
                  in.text(word)));
  result.fixes.push_back(quotes_around(word, true));
  in.report(std::move(result));
  return true;
}

void show_status(Diagnostic& diagnostic, const Environment& before, const RuleContext& in) {
  if (before.status.origin.empty()) return;
  const bool ends = before.options.errexit == Known::kYes;
  diagnostic.path.push_back(in.note(
      before.status.origin, before.status.can_fail ? "$? is the status of this"
                            : ends
                                ? "set -e ends the script if this fails; test it with `if`"
                                : "$? is the status of this, which is 0 where the script goes on"));
}

void show_variables(Diagnostic& diagnostic, const Operands& operands, const Environment& before,
                    const RuleContext& in) {
  const bool ends = before.options.errexit == Known::kYes;
  for (const shell::Parameter* parameter : operands.variables) {
    const Value& value = in.value(parameter->name, before);
    if (value.origin.empty()) continue;
    diagnostic.path.push_back(
        in.note(value.origin, value.is_status && ends
                                  ? "set -e has ended the script if the command before this failed"
                                  : fmt::format("{} gets its value here", parameter->name)));
  }
}

Diagnostic constant_finding(const ConditionEvent& event, const Operands& operands, bool is_true,
                            const RuleContext& in) {
  const Value* only =
      operands.variables.size() == 1 && operands.variables[0]->op == shell::ParameterOp::kNone
          ? &in.value(operands.variables[0]->name, event.before)
          : nullptr;
  return in.finding(
      "T301", event.span,
      fmt::format("this condition is always {}: {}", is_true ? "true" : "false",
                  reason_of(event.condition, operands, event.before.status, only, !is_true)));
}

}  // namespace

void constant_condition(const ConditionEvent& event, RuleContext& in) {
  const auto& [condition, span, before, branches, listed] = event;
  if (!before.is_reachable) return;
  const Operands operands = operands_of(condition);
  if (is_idle(event, operands, in) || report_unquoted(condition, event, in)) return;
  const bool is_true = branches.success.is_reachable && !branches.failure.is_reachable;
  const bool is_false = !branches.success.is_reachable && branches.failure.is_reachable;
  const auto is_mistake = [&, &condition = condition, &before = before] {
    const Condition& part = deciding_part(condition, before, is_true, in);
    return is_constant_by_mistake(part, before, in) || is_excluded(event, operands, in);
  };
  // `cp a b; echo copied; [ $? -eq 0 ]`: echo has succeeded, whatever cp has done.
  const bool asks_printer =
      operands.has_status && operands.variables.empty() && before.status.is_printed;
  if (!asks_printer && !((is_true || is_false) && is_mistake())) return in.pass("T301", span);
  Diagnostic result = constant_finding(event, operands, is_true, in);
  if (asks_printer) result.message = "$? is the status of the preceding echo or printf";
  if (operands.has_status) show_status(result, before, in);
  show_variables(result, operands, before, in);
  offer_text_comparison(condition, result);
  in.pass("T301", span, std::move(result));
}

// `set -e; cmd; case $? in`, `(( $? ))`: with set -e, the script gets there with one status only.
void constant_status(const StatusEvent& event, RuleContext& in) {
  const Status& status = event.before.status;
  if (!event.before.is_reachable) return;
  if (status.can_fail) return in.pass("T301", event.place);
  Diagnostic result = in.finding("T301", event.place, "$? is always 0 here");
  if (!status.origin.empty())
    result.path.push_back(in.note(status.origin, "if this fails, the script does not get here"));
  in.pass("T301", event.place, std::move(result));
}

}  // namespace nacre::flow::rules
