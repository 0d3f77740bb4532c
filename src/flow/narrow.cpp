// What a condition tells about the values it asks about.
#include <algorithm>

#include "flow/condition.h"
#include "flow/interpreter.h"
#include "flow/number.h"
#include "flow/rules/publish.h"
#include "regular/decide.h"
#include "regular/lower.h"
#include "regular/parse_posix.h"
#include "regular/quotient.h"

namespace nacre::flow {

using shell::ConditionalOp;
using shell::ParameterOp;
using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

// A word around one parameter: "$x", x$y, "${z-}.log".
struct Subject {
  const shell::Parameter* parameter = nullptr;
  std::string before, after;
};

std::optional<Subject> subject_of(std::span<const Part> parts) {
  Subject result;
  for (const Part& part : parts) {
    if (part.kind == PartKind::kDoubleQuoted) {
      auto inner = subject_of(part.parts());
      if (!inner || (inner->parameter && result.parameter)) return std::nullopt;
      if (inner->parameter) {
        result.parameter = inner->parameter;
        result.before += inner->before;
        result.after = inner->after;
      } else {
        (result.parameter ? result.after : result.before) += inner->before;
      }
    } else if (part.is_text() && part.kind != PartKind::kTilde && part.kind != PartKind::kGlob) {
      (result.parameter ? result.after : result.before) += part.text();
    } else if (part.kind == PartKind::kParameter && !result.parameter) {
      result.parameter = &part.parameter();
    } else {
      return std::nullopt;
    }
  }
  return result;
}

// Whether the parameter's value is the expansion's, or the expansion is empty when there is none.
bool is_transparent(const shell::Parameter& parameter) {
  if (parameter.op == ParameterOp::kNone) return true;
  return parameter.op == ParameterOp::kDefault &&
         (parameter.argument == nullptr || parameter.argument->is_empty());
}

// 010, which [[ ]] takes for 8 and [ ] for 10.
bool is_octal(const std::optional<std::string>& text) {
  return text && text->size() > 1 && text->find_first_not_of('-') < text->size() &&
         (*text)[text->find_first_not_of('-')] == '0';
}

// Whether any system has such a path.
bool is_of_system(std::string_view path) {
  constexpr std::string_view kTop[] = {"bin", "boot", "dev",  "etc",  "home", "lib",  "lib64",
                                       "mnt", "opt",  "proc", "root", "run",  "sbin", "srv",
                                       "sys", "tmp",  "usr",  "var",  "media"};
  const std::string_view top = path.substr(1, path.find('/', 1) - 1);
  return std::find(std::begin(kTop), std::end(kTop), top) != std::end(kTop);
}

// Of an empty value it makes an empty text.
bool makes_nothing_of_nothing(const shell::Parameter& parameter) {
  const ParameterOp op = parameter.op;
  const bool cuts = op >= ParameterOp::kRemoveShortestPrefix && op <= ParameterOp::kSlice;
  const bool spells = op >= ParameterOp::kUpperFirst && op <= ParameterOp::kToggleAll;
  const bool deletes = op == ParameterOp::kReplaceAll && !parameter.replacement();
  return cuts || spells || deletes;
}

}  // namespace

bool Interpreter::restrict_word(const Word& word, Lang wanted, Environment& environment) {
  return restrict_parts(word.parts(), wanted, environment);
}

bool Interpreter::restrict_parts(std::span<const Part> parts, Lang wanted,
                                 Environment& environment) {
  const auto subject = subject_of(parts);
  if (!subject || !subject->parameter) return true;
  const shell::Parameter& parameter = *subject->parameter;
  Lang inner = derivative(wanted, subject->before);
  if (!subject->after.empty())
    inner = regular::right_quotient(inner, context_.literal(subject->after), options_.budget);
  if (parameter.kind == shell::ParameterKind::kSpecial)
    return restrict_status(parameter, inner, environment);
  if (parameter.op == ParameterOp::kAlternative) return restrict_set(parameter, inner, environment);
  if (parameter.op == ParameterOp::kLength) return restrict_length(parameter, inner, environment);
  if (parameter.subscript || parameter.is_indirect) return true;
  const bool has_default = parameter.op == ParameterOp::kDefault && parameter.has_colon &&
                           parameter.argument && parameter.argument->is_literal();
  if (has_default) {  // `[ "${x:-none}" = none ]`: a value that is not there is "none"
    const bool allows_none = contains(inner, parameter.argument->literal());
    inner = inner - context_.literal("");
    if (allows_none) inner = inner | context_.literal("");
  } else if (!is_transparent(parameter)) {
    if (is_nullable(inner) || !makes_nothing_of_nothing(parameter)) return true;
    return restrict_length(parameter, context_.empty(), environment);  // `[ "${x:0:1}" = / ]`
  }
  const ValueId id = parameter.kind == shell::ParameterKind::kVariable
                         ? lookup(names_[parameter.name], environment)
                         : positional(parameter.position, environment);
  Value value = values_[id];
  if (value.is_array) return true;
  value.may_be_unset &= is_nullable(inner);
  if (!is_nullable(inner)) value.needs.reset();
  value.strings = value.strings & inner;
  if (value.skeleton && !is_nullable(inner))
    value.skeleton = *value.skeleton - context_.literal("");
  if (regular::is_empty(value.strings, options_.budget).yes()) {
    if (!value.may_be_unset) return false;
    value.strings = context_.empty();
  }
  if (!value.may_be_unset && value.may_be_foreign && !is_nullable(value.strings))
    value.may_be_foreign = false;
  refine_parameter(parameter, std::move(value), environment);
  return true;
}

// `[ $? -eq 0 ]`
bool Interpreter::restrict_status(const shell::Parameter& parameter, Lang wanted,
                                  Environment& environment) {
  if (parameter.name == "#") restrict_count(wanted, environment);
  if (parameter.name != "?") return true;
  const bool allows_success = contains(wanted, "0");
  const Lang failures = numbers_that(ConditionalOp::kNumberGreater, 0);
  const bool allows_failure = !regular::disjoint(wanted, failures).yes();
  Status& status = environment.status;
  status.can_succeed &= allows_success;
  status.can_fail &= allows_failure;
  if (!status.can_succeed && !status.can_fail) return false;
  if (!status.can_fail) settle_success(environment);
  return true;
}

// `[ $# -ge 2 ]`: there are so many arguments, and who gives one gives a text.
void Interpreter::restrict_count(Lang wanted, Environment& environment) {
  constexpr uint32_t kMostCounted = 9;
  Positional& positional = environment.positional;
  if (!positional.may_have_more) return;
  uint32_t least = 0;
  while (least <= kMostCounted && !contains(wanted, std::to_string(least))) least++;
  if (least > kMostCounted) return;
  for (uint32_t i = 0; i < least; i++) {
    if (i == positional.first.size())
      positional.first.push_back(this->positional(i + 1, environment));
    const ValueId before = positional.first[i];
    if (!may_be_empty(values_[before])) continue;
    positional.first[i] = present(before);
    refine_copies(std::to_string(i + 1), before, positional.first[i], environment);
  }
}

// `[ -n "${x+set}" ]`
bool Interpreter::restrict_set(const shell::Parameter& parameter, Lang wanted,
                               Environment& environment) {
  if (parameter.kind != shell::ParameterKind::kVariable || parameter.subscript) return true;
  if (is_nullable(wanted)) return true;
  Value value = this->value(names_[parameter.name], environment);
  value.may_be_unset = false;
  if (parameter.has_colon) value.strings = value.strings - context_.literal("");
  if (regular::is_empty(value.strings, options_.budget).yes()) return false;
  value.may_be_foreign = false;
  refine_parameter(parameter, std::move(value), environment);
  return true;
}

// `[ ${#x} -gt 0 ]`: whether it is empty is all that is learnt.
bool Interpreter::restrict_length(const shell::Parameter& parameter, Lang wanted,
                                  Environment& environment) {
  if (parameter.subscript || parameter.is_indirect) return true;
  if (contains(wanted, "0")) return true;
  Value value = values_[parameter.kind == shell::ParameterKind::kVariable
                            ? lookup(names_[parameter.name], environment)
                            : positional(parameter.position, environment)];
  if (value.is_array || !may_be_empty(value)) return true;
  value.may_be_unset = value.may_be_foreign = false;
  value.strings = value.strings - context_.literal("");
  if (value.skeleton) value.skeleton = *value.skeleton - context_.literal("");
  if (regular::is_empty(value.strings, options_.budget).yes()) return false;
  refine_parameter(parameter, std::move(value), environment);
  return true;
}

// The word is a member of `wanted`, or not.
Branches Interpreter::narrow_word(const Word& word, Lang wanted, bool is_exact,
                                  const Environment& before) {
  if (!before.is_reachable) return {unreachable(), unreachable()};
  const Value value = value_again(word, before);
  const Lang strings = expansion_of(value);
  Branches result{before, before};
  if (regular::disjoint(strings, wanted, options_.budget).yes() ||
      !restrict_word(word, wanted, result.success)) {
    result.success = unreachable();
  }
  if (is_exact && (regular::included(strings, wanted, options_.budget).yes() ||
                   !restrict_word(word, !wanted, result.failure))) {
    result.failure = unreachable();
  }
  if (!value.asked_command.empty()) {
    learn_found(value, wanted, result.success);
    if (is_exact) learn_found(value, !wanted, result.failure);
  }
  result.success.status = succeeded(before.status.origin);
  result.failure.status = failed(before.status.origin);
  return result;
}

// `[ -z "$(command -v x)" ]`: what was printed is in `wanted`.
void Interpreter::learn_found(const Value& printed, Lang wanted, Environment& environment) {
  if (!environment.is_reachable) return;
  const bool is_found = !is_nullable(wanted);
  const bool is_missing = regular::included(wanted, context_.literal("")).yes();
  if (is_found || is_missing)
    environment.commands.edit().insert_or_assign(std::string(printed.asked_command), is_found);
}

Branches Interpreter::either_way(const Environment& before) {
  Branches result{before, before};
  result.success.status = succeeded(before.status.origin);
  result.failure.status = failed(before.status.origin);
  return result;
}

Branches Interpreter::decide_again(const Condition& condition, Span span,
                                   const Environment& before) {
  const Findings::Muted muted(findings_);
  return decide(condition, span, before);
}

Branches Interpreter::decide(const Condition& condition, Span span, const Environment& before) {
  if (!before.is_reachable) return {unreachable(), unreachable()};
  Environment state = before;
  switch (condition.kind) {
    case Condition::Kind::kWord:
    case Condition::Kind::kUnary: {
      read_operand(*condition.left, condition, state);
      Branches result = decide_unary(condition, state);
      // [ -z ] is true and [ -z a b ] is not, as if the value were quoted.
      const bool asks_empty = condition.letter == 'z';
      const Cut cut = asks_empty ? Cut{} : cut_of(condition, *condition.left, state);
      if (cut.into_many) result.failure = join(values_, result.failure, either_way(state).failure);
      if (cut.into_none && condition.kind == Condition::Kind::kUnary)  // [ -n ] is true
        result.success = join(values_, result.success, either_way(state).success);
      return result;
    }
    case Condition::Kind::kBinary: {
      read_operand(*condition.left, condition, state);
      read_operand(*condition.right, condition, state);
      Branches result = decide_binary(condition, state);
      for (const Word* word : {condition.left, condition.right}) {
        const Cut cut = cut_of(condition, *word, state);
        if (cut.into_many || cut.into_none)
          result.failure = join(values_, result.failure, either_way(state).failure);
      }
      return result;
    }
    case Condition::Kind::kNot: {
      return negated(decide(condition.parts[0], span, before));
    }
    case Condition::Kind::kAnd: {
      Branches left = decide(condition.parts[0], span, before);
      left.success.status = before.status;  // a $? on the right is still the one from before
      Branches right = decide(condition.parts[1], span, left.success);
      return {std::move(right.success), join(values_, left.failure, right.failure)};
    }
    case Condition::Kind::kOr: {
      Branches left = decide(condition.parts[0], span, before);
      left.failure.status = before.status;
      Branches right = decide(condition.parts[1], span, left.failure);
      return {join(values_, left.success, right.success), std::move(right.failure)};
    }
    case Condition::Kind::kUnknown: break;
  }
  return either_way(before);
}

// `[ $x = y ]`: x may be several words, or none, and that is an error. Who gives a value that
// nothing is known of gives one word.
Cut Interpreter::cut_of(const Condition& condition, const Word& word, const Environment& before) {
  const auto is_bare = [&](const Part& part) {
    if (part.kind != PartKind::kParameter) return false;
    const shell::Parameter& node = part.parameter();
    return node.kind == shell::ParameterKind::kVariable &&
           !value(names_[node.name], before).is_opaque;
  };
  const auto parts = word.parts();
  if (condition.is_bracket || !std::any_of(parts.begin(), parts.end(), is_bare)) return {};
  const std::vector<Field> fields = fields_again(word, before);
  if (fields.size() != 1) return {fields.empty(), fields.size() > 1};
  if (fields[0].argument.is_opaque) return {};
  return {fields[0].may_vanish, fields[0].may_repeat};
}

// Checks the expansions in an operand, and what they are worth to this question.
void Interpreter::read_operand(const Word& word, const Condition& condition,
                               Environment& environment) {
  const Scoped asking(where_.asking, &condition);
  value_of(word, environment);
}

Branches Interpreter::decide_unary(const Condition& condition, const Environment& before) {
  const Lang empty = context_.literal("");
  const Lang something = !empty;
  if (condition.kind == Condition::Kind::kWord || condition.letter == 'n')
    return narrow_word(*condition.left, something, true, before);
  if (condition.letter == 'z') return narrow_word(*condition.left, empty, true, before);
  Branches result = either_way(before);
  if (condition.letter == 'v' && condition.left->is_literal()) {
    const Name name = names_[condition.left->literal()];
    Value value = this->value(name, before);
    value.may_be_unset = value.may_be_foreign = false;
    if (!value.is_array && !is_surely_unset(values_[lookup(name, before)]))
      put(name, values_.add(std::move(value)), result.success);
    return result;
  }
  constexpr std::string_view kFileTests = "bcdefghkLOGprsSuwxN";
  if (kFileTests.find(condition.letter) != std::string_view::npos)
    narrow_file(*condition.left, result.success);
  if (condition.letter == 'x') {  // `[ -x "$(command -v git)" ]`
    const Value value = value_again(*condition.left, before);
    if (!value.asked_command.empty()) {
      learn_found(value, something, result.success);
      learn_found(value, empty, result.failure);
    }
  }
  return result;
}

// A file that exists has a name; and not every system has a /Makefile, which `[ -f "$x/Makefile" ]`
// would ask for without an x.
void Interpreter::narrow_file(const Word& word, Environment& environment) {
  const auto subject = subject_of(word.parts());
  const bool is_plain = subject && subject->parameter && subject->before.empty() &&
                        subject->parameter->op == ParameterOp::kNone &&
                        subject->parameter->kind != shell::ParameterKind::kSpecial;
  if (is_plain && subject->after.starts_with('/') && !is_of_system(subject->after)) {
    restrict_length(*subject->parameter, context_.empty(), environment);
  } else if (!restrict_word(word, !context_.literal(""), environment)) {
    environment = unreachable();
  }
}

Branches Interpreter::decide_binary(const Condition& condition, const Environment& before) {
  Environment state = before;
  switch (condition.op) {
    case ConditionalOp::kEqual:
    case ConditionalOp::kNotEqual: {
      Branches result = decide_equal(condition, state);
      return condition.op == ConditionalOp::kNotEqual ? negated(std::move(result)) : result;
    }
    case ConditionalOp::kMatch: return decide_match(condition, state);
    case ConditionalOp::kNumberEqual:
    case ConditionalOp::kNumberNotEqual:
    case ConditionalOp::kNumberLess:
    case ConditionalOp::kNumberLessEqual:
    case ConditionalOp::kNumberGreater:
    case ConditionalOp::kNumberGreaterEqual: return decide_number(condition, state);
    default: return either_way(before);
  }
}

Branches Interpreter::decide_equal(const Condition& condition, Environment& state) {
  PatternLang right{context_.empty(), true};
  if (condition.is_bracket) {
    const Findings::Muted muted(findings_);
    right = pattern(*condition.right, state);
  } else {
    const Value value = value_again(*condition.right, state);
    right = {expansion_of(value), value.text.has_value() && !value.may_be_unset};
  }
  const Value left = value_again(*condition.left, state);
  Branches result = narrow_word(*condition.left, right.lang, right.is_exact, state);
  for (const Word* word : {condition.left, condition.right}) {  // `[ "$PWD" = "$dir" ] || exit`
    const std::string_view text = tree_.text(word->span);
    if (text.find("PWD") != text.npos || text.find("pwd") != text.npos)
      result.success.directory.may_have_failed = result.success.directory.may_be_wrong = false;
  }
  // "yes" = $x tells as much as $x = "yes".
  if (!condition.is_bracket && left.text && !left.may_be_unset) {
    Branches other = narrow_word(*condition.right, context_.literal(*left.text), true, state);
    if (!right.is_exact) return other;
  }
  return result;
}

Branches Interpreter::decide_match(const Condition& condition, Environment& state) {
  const Value right = value_again(*condition.right, state);
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
  lowering.budget = options_.budget;
  const auto lang = regular::lower(context_, *regex, lowering);
  if (!lang) return either_way(state);
  return narrow_word(*condition.left, *lang, lang->is_exact(), state);
}

Lang Interpreter::numbers_that(ConditionalOp op, int64_t bound) {
  const auto known = numbers_.find({op, bound});
  if (known != numbers_.end()) return known->second;
  return numbers_.emplace(std::pair{op, bound}, numbers(context_, op, bound)).first->second;
}

Branches Interpreter::decide_number(const Condition& condition, Environment& state) {
  const Value right = value_again(*condition.right, state);
  const Value left = value_again(*condition.left, state);
  if (!condition.is_bracket) {
    publish(NumberEvent{*condition.left, left}, rules_);
    publish(NumberEvent{*condition.right, right}, rules_);
  }
  if (condition.is_bracket) {
    publish(ArithmeticEvent{left, condition.left->span}, rules_);
    publish(ArithmeticEvent{right, condition.right->span}, rules_);
  }
  if (refused_operand(condition)) return {unreachable(), either_way(state).failure};
  // [[ ]] evaluates its operands: an empty one is 0, a word the variable of that name.
  if (condition.is_bracket && (!regular::included(expansion_of(left), integers(context_)).yes() ||
                               is_octal(left.text) || is_octal(right.text)))
    return either_way(state);
  const auto bound = right.may_be_unset ? std::nullopt : to_number(right.text);
  if (!bound) {
    const auto mirrored = left.may_be_unset ? std::nullopt : to_number(left.text);
    if (!mirrored) return either_way(state);
    Branches result = narrow_word(*condition.right,
                                  numbers_that(mirrored_op(condition.op), *mirrored), true, state);
    return result;
  }
  return narrow_word(*condition.left, numbers_that(condition.op, *bound), true, state);
}

}  // namespace nacre::flow
