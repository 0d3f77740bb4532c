// What a condition tells about the values it asks about.
#include "flow/narrowing.h"

#include <algorithm>
#include <utility>

#include "flow/expansion.h"
#include "flow/number.h"
#include "flow/place_effects.h"
#include "flow/place_names.h"
#include "flow/rules/publish.h"
#include "flow/run.h"
#include "regular/decide.h"
#include "regular/lower.h"
#include "regular/parse_posix.h"

namespace nacre::flow {

using shell::ConditionalOp;
using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

// `[ -z "$(command -v x)" ]`: what was printed is in `wanted`.
void learn_found(Run& run, const Value& printed, Lang wanted, Environment& environment) {
  if (!environment.is_reachable) return;
  const bool is_found = !is_nullable(wanted);
  const bool is_missing = regular::included(wanted, run.languages.literal("")).yes();
  if (is_found || is_missing)
    environment.commands.edit().insert_or_assign(std::string(printed.asked_command), is_found);
}

// `[ $x = y ]`: x may be several words, or none, and that is an error. Who gives a value that
// nothing is known of gives one word.
Cut cut_of(Run& run, const Condition& condition, const Word& word, const Environment& before) {
  const auto is_bare = [&](const Part& part) {
    if (part.kind != PartKind::kParameter) return false;
    const shell::Parameter& node = part.parameter();
    return node.kind == shell::ParameterKind::kVariable &&
           !run.value(run.names[node.name], before).is_opaque;
  };
  const auto parts = word.parts();
  if (condition.is_bracket || !std::any_of(parts.begin(), parts.end(), is_bare)) return {};
  const std::vector<Field> fields = fields_again(run, word, before);
  if (fields.size() != 1) return {fields.empty(), fields.size() > 1};
  if (fields[0].argument.is_opaque) return {};
  return {fields[0].may_vanish, fields[0].may_repeat};
}

Branches decide_unary(Run& run, const Condition& condition, const Environment& before) {
  const Lang empty = run.languages.literal("");
  const Lang something = !empty;
  if (condition.kind == Condition::Kind::kWord || condition.letter == 'n')
    return narrow_word(run, *condition.left, something, true, before);
  if (condition.letter == 'z') return narrow_word(run, *condition.left, empty, true, before);
  Branches result = either_way(before);
  if (condition.letter == 'v' && condition.left->is_literal()) {
    const Name name = run.names[condition.left->literal()];
    Value value = run.value(name, before);
    value.may_be_unset = value.may_be_foreign = false;
    if (!value.is_array && !is_surely_unset(run.values[run.lookup(name, before)]))
      run.put(name, run.values.add(std::move(value)), result.success);
    return result;
  }
  constexpr std::string_view kFileTests = "bcdefghkLOGprsSuwxN";
  if (kFileTests.find(condition.letter) != std::string_view::npos)
    restrict_file(run, *condition.left, result.success);
  if (const auto place = place_named_by(*condition.left, before, run.rules))
    learn_place(*place, condition.letter, condition.left->span, result);
  if (condition.letter == 'x') {  // `[ -x "$(command -v git)" ]`
    const Value value = value_again(run, *condition.left, before);
    if (!value.asked_command.empty()) {
      learn_found(run, value, something, result.success);
      learn_found(run, value, empty, result.failure);
    }
  }
  return result;
}

Branches decide_equal(Run& run, const Condition& condition, Environment& state) {
  PatternLang right{run.languages.empty(), true};
  if (condition.is_bracket) {
    const Findings::Muted muted(run.findings);
    const Scoped again(run.where.is_again, true);
    right = pattern_of(run, *condition.right, state);
  } else {
    const Value value = value_again(run, *condition.right, state);
    right = {expansion_of(value), value.text.has_value() && !value.may_be_unset};
  }
  const Value left = value_again(run, *condition.left, state);
  Branches result = narrow_word(run, *condition.left, right.lang, right.is_exact, state);
  for (const Word* word : {condition.left, condition.right}) {  // `[ "$PWD" = "$dir" ] || exit`
    const std::string_view text = run.tree.text(word->span);
    if (text.find("PWD") != text.npos || text.find("pwd") != text.npos)
      result.success.directory.may_have_failed = result.success.directory.may_be_wrong = false;
  }
  // "yes" = $x tells as much as $x = "yes".
  if (!condition.is_bracket && left.text && !left.may_be_unset) {
    Branches other =
        narrow_word(run, *condition.right, run.languages.literal(*left.text), true, state);
    if (!right.is_exact) return other;
  }
  return result;
}

Branches decide_match(Run& run, const Condition& condition, Environment& state) {
  const Value right = value_again(run, *condition.right, state);
  // Quoted parts of the regex are literal: only a word without quotes is read as a whole.
  const bool is_plain = right.text && !right.may_be_unset && !condition.right->is_quoted() &&
                        state.options.nocasematch == Known::kNo;
  if (!is_plain) return either_way(state);
  regular::PosixOptions options;
  options.is_extended = true;
  options.tool = regular::PosixTool::kRegcomp;
  const auto regex = regular::parse_posix(*right.text, options);
  if (!regex) return either_way(state);
  regular::LowerOptions lowering;
  lowering.match = regular::Match::kContains;
  lowering.back_references = regular::BackReferences::kWiden;
  lowering.budget = run.options.budget;
  const auto lang = regular::lower(run.languages, *regex, lowering);
  if (!lang) return either_way(state);
  return narrow_word(run, *condition.left, *lang, lang->is_exact(), state);
}

// 010, which [[ ]] takes for 8 and [ ] for 10.
bool is_octal(const std::optional<std::string>& text) {
  return text && text->size() > 1 && text->find_first_not_of('-') < text->size() &&
         (*text)[text->find_first_not_of('-')] == '0';
}

Branches decide_number(Run& run, const Condition& condition, Environment& state) {
  const Value right = value_again(run, *condition.right, state);
  const Value left = value_again(run, *condition.left, state);
  if (!condition.is_bracket) {
    publish(NumberEvent{*condition.left, left}, run.rules);
    publish(NumberEvent{*condition.right, right}, run.rules);
  }
  if (condition.is_bracket) {
    publish(ArithmeticEvent{left, condition.left->span}, run.rules);
    publish(ArithmeticEvent{right, condition.right->span}, run.rules);
  }
  if (refused_operand(condition)) return {unreachable(), either_way(state).failure};
  // [[ ]] evaluates its operands: an empty one is 0, a word the variable of that name.
  if (condition.is_bracket &&
      (!regular::included(expansion_of(left), integers(run.languages)).yes() ||
       is_octal(left.text) || is_octal(right.text)))
    return either_way(state);
  const auto bound = right.may_be_unset ? std::nullopt : to_number(right.text);
  if (!bound) {
    const auto mirrored = left.may_be_unset ? std::nullopt : to_number(left.text);
    if (!mirrored) return either_way(state);
    Branches result =
        narrow_word(run, *condition.right, numbers_that(run, mirrored_op(condition.op), *mirrored),
                    true, state);
    return result;
  }
  return narrow_word(run, *condition.left, numbers_that(run, condition.op, *bound), true, state);
}

Branches decide_binary(Run& run, const Condition& condition, const Environment& before) {
  Environment state = before;
  switch (condition.op) {
    case ConditionalOp::kEqual:
    case ConditionalOp::kNotEqual: {
      Branches result = decide_equal(run, condition, state);
      return condition.op == ConditionalOp::kNotEqual ? negated(std::move(result)) : result;
    }
    case ConditionalOp::kMatch: return decide_match(run, condition, state);
    case ConditionalOp::kNumberEqual:
    case ConditionalOp::kNumberNotEqual:
    case ConditionalOp::kNumberLess:
    case ConditionalOp::kNumberLessEqual:
    case ConditionalOp::kNumberGreater:
    case ConditionalOp::kNumberGreaterEqual: return decide_number(run, condition, state);
    default: return either_way(before);
  }
}

}  // namespace

// The word is a member of `wanted`, or not.
Branches narrow_word(Run& run, const Word& word, Lang wanted, bool is_exact,
                     const Environment& before) {
  if (!before.is_reachable) return {unreachable(), unreachable()};
  const Value value = value_again(run, word, before);
  const Lang strings = expansion_of(value);
  Branches result{before, before};
  if (regular::disjoint(strings, wanted, run.options.budget).yes() ||
      !restrict_word(run, word, wanted, result.success)) {
    result.success = unreachable();
  }
  if (is_exact && (regular::included(strings, wanted, run.options.budget).yes() ||
                   !restrict_word(run, word, !wanted, result.failure))) {
    result.failure = unreachable();
  }
  if (!value.asked_command.empty()) {
    learn_found(run, value, wanted, result.success);
    if (is_exact) learn_found(run, value, !wanted, result.failure);
  }
  result.success.status = succeeded(before.status.origin);
  result.failure.status = failed(before.status.origin);
  return result;
}

Branches either_way(const Environment& before) {
  Branches result{before, before};
  result.success.status = succeeded(before.status.origin);
  result.failure.status = failed(before.status.origin);
  return result;
}

Branches decide_again(Run& run, const Condition& condition, Span span, const Environment& before) {
  const Findings::Muted muted(run.findings);
  const Scoped again(run.where.is_again, true);
  return decide(run, condition, span, before);
}

Branches decide(Run& run, const Condition& condition, Span span, const Environment& before) {
  if (!before.is_reachable) return {unreachable(), unreachable()};
  Environment state = before;
  switch (condition.kind) {
    case Condition::Kind::kWord:
    case Condition::Kind::kUnary: {
      read_operand(run, *condition.left, condition, state);
      Branches result = decide_unary(run, condition, state);
      // [ -z ] is true and [ -z a b ] is not, as if the value were quoted.
      const bool asks_empty = condition.letter == 'z';
      const Cut cut = asks_empty ? Cut{} : cut_of(run, condition, *condition.left, state);
      if (cut.into_many)
        result.failure = join(run.values, result.failure, either_way(state).failure);
      if (cut.into_none && condition.kind == Condition::Kind::kUnary)  // [ -n ] is true
        result.success = join(run.values, result.success, either_way(state).success);
      return result;
    }
    case Condition::Kind::kBinary: {
      read_operand(run, *condition.left, condition, state);
      read_operand(run, *condition.right, condition, state);
      Branches result = decide_binary(run, condition, state);
      for (const Word* word : {condition.left, condition.right}) {
        const Cut cut = cut_of(run, condition, *word, state);
        if (cut.into_many || cut.into_none)
          result.failure = join(run.values, result.failure, either_way(state).failure);
      }
      return result;
    }
    case Condition::Kind::kNot: {
      return negated(decide(run, condition.parts[0], span, before));
    }
    case Condition::Kind::kAnd: {
      Branches left = decide(run, condition.parts[0], span, before);
      left.success.status = before.status;  // a $? on the right is still the one from before
      Branches right = decide(run, condition.parts[1], span, left.success);
      return {std::move(right.success), join(run.values, left.failure, right.failure)};
    }
    case Condition::Kind::kOr: {
      Branches left = decide(run, condition.parts[0], span, before);
      left.failure.status = before.status;
      Branches right = decide(run, condition.parts[1], span, left.failure);
      return {join(run.values, left.success, right.success), std::move(right.failure)};
    }
    case Condition::Kind::kUnknown: break;
  }
  return either_way(before);
}

// Checks the expansions in an operand, and what they are worth to this question.
void read_operand(Run& run, const Word& word, const Condition& condition,
                  Environment& environment) {
  const Scoped asking(run.where.asking, &condition);
  const Scoped expanding(run.where.expanding, !condition.left        ? ExpansionContext::kSubject
                                              : condition.is_bracket ? ExpansionContext::kOperand
                                                                     : ExpansionContext::kArgument);
  value_of(run, word, environment);
}

Lang numbers_that(Run& run, ConditionalOp op, int64_t bound) {
  const auto known = run.memo.numbers.find({op, bound});
  if (known != run.memo.numbers.end()) return known->second;
  return run.memo.numbers.emplace(std::pair{op, bound}, numbers(run.languages, op, bound))
      .first->second;
}

}  // namespace nacre::flow
