// What is known of a parameter if a word that holds it is a member of a language.
#include <algorithm>
#include <utility>

#include "flow/expansion.h"
#include "flow/narrowing.h"
#include "flow/run.h"
#include "flow/tested.h"
#include "flow/variables.h"
#include "regular/decide.h"
#include "regular/quotient.h"

namespace nacre::flow {

using shell::ConditionalOp;
using shell::ParameterOp;
using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

// `[ $# -ge 2 ]`: there are at least that many arguments, and a caller who gives one gives a text.
void restrict_count(Run& run, Lang wanted, Environment& environment) {
  constexpr uint32_t kMaxArguments = 9;
  Positional& positional = environment.positional;
  if (!positional.may_have_more) return;
  uint32_t least = 0;
  while (least <= kMaxArguments && !contains(wanted, std::to_string(least))) least++;
  if (least > kMaxArguments) return;
  for (uint32_t i = 0; i < least; i++) {
    if (i == positional.first.size())
      positional.first.push_back(positional_parameter(run, i + 1, environment));
    const ValueId before = positional.first[i];
    if (!may_be_empty(run.values[before])) continue;
    positional.first[i] = present_value(run, before);
    refine_copies(run, std::to_string(i + 1), before, positional.first[i], environment);
  }
}

// `[ $? -eq 0 ]`
bool restrict_status(Run& run, const shell::Parameter& parameter, Lang wanted,
                     Environment& environment) {
  if (parameter.name == "#") restrict_count(run, wanted, environment);
  if (parameter.name != "?") return true;
  const bool allows_success = contains(wanted, "0");
  const Lang failures = numbers_that(run, ConditionalOp::kNumberGreater, 0);
  const bool allows_failure = !regular::disjoint(wanted, failures).yes();
  Status& status = environment.status;
  status.can_succeed &= allows_success;
  status.can_fail &= allows_failure;
  if (!status.can_succeed && !status.can_fail) return false;
  if (!status.can_fail) settle_success(run, environment);
  return true;
}

// `[ -n "${x+set}" ]`
bool restrict_set(Run& run, const shell::Parameter& parameter, Lang wanted,
                  Environment& environment) {
  if (parameter.kind != shell::ParameterKind::kVariable || parameter.subscript) return true;
  if (is_nullable(wanted)) return true;
  Value value = run.value(run.names[parameter.name], environment);
  value.may_be_unset = false;
  if (parameter.has_colon) value.strings = value.strings - run.languages.literal("");
  if (regular::is_empty(value.strings, run.options.budget).yes()) return false;
  value.may_be_foreign = false;
  refine_parameter(run, parameter, std::move(value), environment);
  return true;
}

// `[ ${#x} -gt 0 ]`: whether it is empty is all that is learnt.
bool restrict_length(Run& run, const shell::Parameter& parameter, Lang wanted,
                     Environment& environment) {
  if (parameter.subscript || parameter.is_indirect) return true;
  if (contains(wanted, "0")) return true;
  Value value = run.values[parameter.kind == shell::ParameterKind::kVariable
                               ? run.lookup(run.names[parameter.name], environment)
                               : positional_parameter(run, parameter.position, environment)];
  if (value.is_array || !may_be_empty(value)) return true;
  value.may_be_unset = value.may_be_foreign = false;
  value.strings = value.strings - run.languages.literal("");
  if (value.skeleton) value.skeleton = *value.skeleton - run.languages.literal("");
  if (regular::is_empty(value.strings, run.options.budget).yes()) return false;
  refine_parameter(run, parameter, std::move(value), environment);
  return true;
}

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

// Whether every system has a path that begins so.
bool is_of_system(std::string_view path) {
  constexpr std::string_view kTop[] = {"bin", "boot", "dev",  "etc",  "home", "lib",  "lib64",
                                       "mnt", "opt",  "proc", "root", "run",  "sbin", "srv",
                                       "sys", "tmp",  "usr",  "var",  "media"};
  const std::string_view top = path.substr(1, path.find('/', 1) - 1);
  return std::find(std::begin(kTop), std::end(kTop), top) != std::end(kTop);
}

// It turns an empty value into an empty text.
bool makes_nothing_of_nothing(const shell::Parameter& parameter) {
  const ParameterOp op = parameter.op;
  const bool cuts = op >= ParameterOp::kRemoveShortestPrefix && op <= ParameterOp::kSlice;
  const bool spells = op >= ParameterOp::kUpperFirst && op <= ParameterOp::kToggleAll;
  const bool deletes = op == ParameterOp::kReplaceAll && !parameter.replacement();
  return cuts || spells || deletes;
}

}  // namespace

bool restrict_word(Run& run, const Word& word, Lang wanted, Environment& environment) {
  return restrict_parts(run, word.parts(), wanted, environment);
}

bool restrict_parts(Run& run, std::span<const Part> parts, Lang wanted, Environment& environment) {
  const auto subject = subject_of(parts);
  if (!subject || !subject->parameter) return true;
  const shell::Parameter& parameter = *subject->parameter;
  Lang inner = derivative(wanted, subject->before);
  if (!subject->after.empty())
    inner =
        regular::right_quotient(inner, run.languages.literal(subject->after), run.options.budget);
  if (parameter.kind == shell::ParameterKind::kSpecial)
    return restrict_status(run, parameter, inner, environment);
  if (parameter.op == ParameterOp::kAlternative)
    return restrict_set(run, parameter, inner, environment);
  if (parameter.op == ParameterOp::kLength)
    return restrict_length(run, parameter, inner, environment);
  if (parameter.subscript || parameter.is_indirect) return true;
  const bool has_default = parameter.op == ParameterOp::kDefault && parameter.has_colon &&
                           parameter.argument && parameter.argument->is_literal();
  if (has_default) {  // `[ "${x:-none}" = none ]`: a value that is not there is "none"
    const bool allows_none = contains(inner, parameter.argument->literal());
    inner = inner - run.languages.literal("");
    if (allows_none) inner = inner | run.languages.literal("");
  } else if (!is_transparent(parameter)) {
    if (is_nullable(inner) || !makes_nothing_of_nothing(parameter)) return true;
    return restrict_length(run, parameter, run.languages.empty(),
                           environment);  // `[ "${x:0:1}" = / ]`
  }
  const ValueId id = parameter.kind == shell::ParameterKind::kVariable
                         ? run.lookup(run.names[parameter.name], environment)
                         : positional_parameter(run, parameter.position, environment);
  Value value = run.values[id];
  if (value.is_array) return true;
  value.may_be_unset &= is_nullable(inner);
  if (!is_nullable(inner)) value.needs.reset();
  value.strings = value.strings & inner;
  if (value.skeleton && !is_nullable(inner))
    value.skeleton = *value.skeleton - run.languages.literal("");
  if (regular::is_empty(value.strings, run.options.budget).yes()) {
    if (!value.may_be_unset) return false;
    value.strings = run.languages.empty();
  }
  if (!value.may_be_unset && value.may_be_foreign && !is_nullable(value.strings))
    value.may_be_foreign = false;
  refine_parameter(run, parameter, std::move(value), environment);
  return true;
}

// A file that exists has a name; and not every system has a /Makefile, which `[ -f "$x/Makefile" ]`
// would ask for without an x.
void restrict_file(Run& run, const Word& word, Environment& environment) {
  const auto subject = subject_of(word.parts());
  const bool is_plain = subject && subject->parameter && subject->before.empty() &&
                        subject->parameter->op == ParameterOp::kNone &&
                        subject->parameter->kind != shell::ParameterKind::kSpecial;
  if (is_plain && subject->after.starts_with('/') && !is_of_system(subject->after)) {
    restrict_length(run, *subject->parameter, run.languages.empty(), environment);
  } else if (!restrict_word(run, word, !run.languages.literal(""), environment)) {
    environment = unreachable();
  }
}

}  // namespace nacre::flow
