// $x and ${x...}: variables, positional and special parameters, and the operators on them.
#include <algorithm>
#include <utility>

#include "flow/expansion.h"
#include "flow/number.h"
#include "flow/own_path.h"
#include "flow/rules/publish.h"
#include "flow/run.h"
#include "flow/variables.h"
#include "regular/decide.h"
#include "regular/strip.h"
#include "regular/symbol_map.h"
#include "regular/translate_chars.h"
#include "regular/translate_match.h"
#include "shell/characters.h"

namespace nacre::flow {

using regular::CharSet;
using regular::Extent;
using regular::Extreme;
using regular::SymbolMap;
using regular::Transducer;
using shell::Parameter;
using shell::ParameterKind;
using shell::ParameterOp;

namespace {

Value special_parameter(Run& run, const Parameter& node, Environment& environment) {
  const CharSet digits = CharSet::range('0', '9');
  Value result = constant(run.languages, "", {});
  result.text.reset();
  switch (node.name[0]) {
    case '?': {
      const Status& status = environment.status;
      if (run.records()) run.recorder->status(status.origin, {false, false}, {.is_read = true});
      const Lang failure =
          run.languages.set(CharSet::range('1', '9')) + repeat(run.languages.set(digits), 0, 2);
      result.is_status = true;
      if (!status.can_fail) {
        result = constant(run.languages, "0", status.origin);
        result.is_status = true;
        return result;
      }
      result.strings = status.can_succeed ? run.languages.literal("0") | failure : failure;
      result.origin = status.origin;
      return result;
    }
    case '#': {
      const Positional& positional = environment.positional;
      if (!positional.may_have_more)
        return constant(run.languages, std::to_string(positional.first.size()));
      result.strings = plus(run.languages.set(digits));
      return result;
    }
    case '$':
    case '!':
      result.strings =
          node.name == "$" ? plus(run.languages.set(digits)) : star(run.languages.set(digits));
      result.varies = kVariesByProcess;
      return result;
    case '-': result.strings = star(run.languages.set(CharSet::range('A', 'z'))); return result;
    case '0': {
      result = unknown(run.languages, Source::kEnvironment);
      result.strings = any_value(run.languages) - run.languages.literal("");
      result.own_path = run.programs.paths.front();
      return result;
    }
    case '@':
    case '*': return any_argument(run, environment, {});
    default: return unknown(run.languages, Source::kScript);
  }
}

Value apply_default(Run& run, const Parameter& node, const Value& value, Span span,
                    Environment& environment) {
  const bool counts_empty = node.has_colon;
  const Lang empty = run.languages.literal("");
  Value present = value;
  present.may_be_unset = false;
  if (counts_empty) present.strings = present.strings - empty;
  if (counts_empty) present.needs.reset();
  // To dash $@ and $* are set, however few there are.
  if (node.kind == ParameterKind::kSpecial && !counts_empty && value.may_be_unset)
    present.strings = present.strings | empty;
  if (present.text && present.text->empty() && counts_empty)
    present.strings = run.languages.empty();
  const bool may_be_present = !is_empty(present.strings, run.options.budget).yes();
  const bool may_be_absent = value.may_be_unset || (counts_empty && is_nullable(value.strings));

  if (node.op == ParameterOp::kAlternative) {
    if (!may_be_present) return constant(run.languages, "", span);
    Environment with = environment;  // `${x:+:$x}`: the word is for a value that is there
    present.may_be_foreign = false;
    refine_parameter(run, node, present, with);
    Value other = node.argument ? value_of(run, *node.argument, with) : constant(run.languages, "");
    return may_be_absent ? joined(other, constant(run.languages, "", span)) : other;
  }
  if (node.op == ParameterOp::kError) {
    if (node.argument) value_of(run, *node.argument, environment);
    run.process_frame().may_break_off |= may_be_absent;
    if (may_be_present) {
      refine_parameter(run, node, present, environment);
    } else {  // the script ends here: there is no string, not even the empty one
      present.text.reset();
      present.prefix.clear();
      present.skeleton = present.strings;
    }
    return present;
  }
  if (!may_be_absent) return present;
  Environment absent = environment;
  Value other =
      node.argument ? value_of(run, *node.argument, absent) : constant(run.languages, "", span);
  Value result = may_be_present ? joined(other, present) : other;
  if (node.op == ParameterOp::kAssign && node.kind == ParameterKind::kVariable) {
    Value stored = result;
    stored.origin = span;
    stored.may_be_foreign = false;
    note_name(run, span, run.names[node.name], NameUse::kAssigned, stored);
    store(run, run.names[node.name], std::move(stored), environment);
  }
  return result;
}

Transducer operator_transducer(Run& run, ParameterOp op, Lang wanted, const std::string& text) {
  const auto replaced = [&](bool is_global, regular::Anchor anchor) {
    return regular::replace_pattern(wanted, regular::replacement_text(text), {is_global, anchor},
                                    run.options.budget);
  };
  switch (op) {
    case ParameterOp::kRemoveShortestPrefix:
      return regular::strip_prefix(wanted, Extreme::kShortest, run.options.budget);
    case ParameterOp::kRemoveLongestPrefix:
      return regular::strip_prefix(wanted, Extreme::kLongest, run.options.budget);
    case ParameterOp::kRemoveShortestSuffix:
      return regular::strip_suffix(wanted, Extreme::kShortest, run.options.budget);
    case ParameterOp::kRemoveLongestSuffix:
      return regular::strip_suffix(wanted, Extreme::kLongest, run.options.budget);
    case ParameterOp::kReplaceFirst: return replaced(false, regular::Anchor::kNone);
    case ParameterOp::kReplaceAll: return replaced(true, regular::Anchor::kNone);
    case ParameterOp::kReplacePrefix: return replaced(false, regular::Anchor::kStart);
    case ParameterOp::kReplaceSuffix: return replaced(false, regular::Anchor::kEnd);
    case ParameterOp::kUpperFirst:
      return regular::convert_case(run.languages.alphabet(), SymbolMap::ascii_upper(),
                                   Extent::kFirst);
    case ParameterOp::kUpperAll:
      return regular::convert_case(run.languages.alphabet(), SymbolMap::ascii_upper(),
                                   Extent::kAll);
    case ParameterOp::kLowerFirst:
      return regular::convert_case(run.languages.alphabet(), SymbolMap::ascii_lower(),
                                   Extent::kFirst);
    case ParameterOp::kLowerAll:
      return regular::convert_case(run.languages.alphabet(), SymbolMap::ascii_lower(),
                                   Extent::kAll);
    default: return {};
  }
}

Value apply_pattern(Run& run, const Parameter& node, const Value& value, Environment& environment) {
  const PatternLang wanted = node.argument ? pattern_of(run, *node.argument, environment)
                                           : PatternLang{run.languages.literal(""), true};
  std::optional<Value> replacement;
  if (node.replacement()) replacement = value_of(run, *node.replacement(), environment);
  const bool is_case = node.op >= ParameterOp::kUpperFirst && node.op <= ParameterOp::kToggleAll;
  const bool is_toggle = node.op >= ParameterOp::kToggleFirst;
  // What `&` stands for depends on the version of the shell.
  const bool is_constant =
      !replacement || (replacement->text && replacement->text->find('&') == std::string::npos);
  const bool is_plain = wanted.is_exact && is_constant &&
                        !(is_case && node.argument && !node.argument->is_empty()) && !is_toggle;
  Value result = value;
  result.text.reset();
  result.prefix.clear();
  result.own_path.reset();
  if (value.own_path && node.op == ParameterOp::kRemoveShortestSuffix && node.argument &&
      run.tree.text(node.argument->span) == "/*") {
    result.own_path = directory_of(*value.own_path);
  }
  if (!is_plain) {
    result.strings = any_value(run.languages);
    return result;
  }
  const std::string text = replacement ? *replacement->text : "";
  const auto key =
      std::make_tuple(static_cast<int>(node.op), wanted.lang.id(), text, value.strings.id());
  auto known = run.memo.images.find(key);
  if (known == run.memo.images.end()) {
    const Lang image = regular::image(operator_transducer(run, node.op, wanted.lang, text),
                                      value.strings, run.options.budget);
    known = run.memo.images.emplace(key, image).first;
  }
  result.strings = known->second;
  if (value.text) {  // the operator is a function: of one string it makes one
    result.text = regular::shortest(result.strings, run.options.budget);
    result.prefix = result.text.value_or("");
  }
  return result;
}

// Of all arguments or elements.
bool is_all(const Parameter& node) {
  if (node.subscript != nullptr) return node.subscript->kind != shell::SubscriptKind::kExpression;
  return node.kind == ParameterKind::kSpecial && (node.name == "@" || node.name == "*");
}

Lang positive_numbers(Context& context) {
  return context.set(CharSet::range('1', '9')) + star(context.set(CharSet::range('0', '9')));
}

Value apply_operator(Run& run, const Parameter& node, Value value, Span span,
                     Environment& environment) {
  switch (node.op) {
    case ParameterOp::kNone: return value;
    case ParameterOp::kLength: {
      const bool counts = is_all(node);  // the elements, not the bytes of one
      const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
      if (value.text && !value.is_array && !value.may_be_unset && !counts &&
          std::all_of(value.text->begin(), value.text->end(), is_ascii))
        return constant(run.languages, std::to_string(value.text->size()));
      // What the script computes itself is there; a command that fails prints nothing.
      const bool is_there = !value.is_opaque && !value.is_array && !may_be_empty(value) &&
                            !counts && value.source == Source::kScript;
      if (is_there) return Value(positive_numbers(run.languages));
      return Value(plus(run.languages.set(CharSet::range('0', '9'))));
    }
    case ParameterOp::kDefault:
    case ParameterOp::kAssign:
    case ParameterOp::kError:
    case ParameterOp::kAlternative: return apply_default(run, node, value, span, environment);
    case ParameterOp::kSlice: {
      Value result = unknown(run.languages, value.source, span);
      result.is_opaque = value.is_opaque;
      result.is_tainted = value.is_tainted;
      result.is_typed = value.is_typed;
      result.varies = value.varies;
      result.strings = star(run.languages.set(symbols_of(value.strings)));
      result.may_be_unset = value.may_be_unset;
      return result;
    }
    case ParameterOp::kTransform: {
      Value result = unknown(run.languages, value.source, span);
      result.may_be_unset = value.may_be_unset;
      result.varies = value.varies;
      return result;
    }
    default: {
      Value result = apply_pattern(run, node, value, environment);
      result.printed = mapped(value.printed, [&](Lang lines) {
        const Findings::Muted muted(run.findings);
        Value part = value;
        part.strings = lines;
        part.text.reset();
        return apply_pattern(run, node, part, environment).strings;
      });
      return result;
    }
  }
}

Value parameter_value(Run& run, const Parameter& node, Span span, Environment& environment) {
  if (node.subscript) evaluate_subscript(run, node.name, *node.subscript, environment);
  if (node.is_indirect && node.kind == ParameterKind::kVariable && !node.subscript &&
      node.op == ParameterOp::kNone) {
    const Value& target = run.value(run.names[node.name], environment);
    if (target.text && !target.may_be_unset && shell::is_name(*target.text)) {
      Value result = run.value(run.names[*target.text], environment);
      result.origin = span;
      return result;
    }
  }
  if (node.is_indirect || node.op == ParameterOp::kBad || node.op == ParameterOp::kNames ||
      node.op == ParameterOp::kKeys) {
    Value result = unknown(run.languages, Source::kScript, span);
    result.may_be_unset = true;
    return result;
  }
  if (node.kind == ParameterKind::kSpecial)
    return apply_operator(run, node, special_parameter(run, node, environment), span, environment);
  const bool is_variable = node.kind == ParameterKind::kVariable;
  const Name name = is_variable ? run.names[node.name] : Name{};
  // `x=$1`: whether there is one is learnt of both at once, later.
  if (!is_variable && !run.where.assigning.empty()) keep_positional(run, node, environment);
  const ValueId id = is_variable ? run.lookup(name, environment)
                                 : positional_parameter(run, node.position, environment);
  Value value = run.values[id];
  if (is_variable && node.name == "BASH_SOURCE") value.own_path = run.programs.paths.back();
  if (value.may_be_unset && environment.options.nounset != Known::kNo &&
      node.op == ParameterOp::kNone)
    run.process_frame().may_break_off = true;
  publish(ParameterEvent{node, span, value, environment}, run.rules);
  if (!is_variable && value.may_be_unset && environment.options.nounset == Known::kYes &&
      node.op == ParameterOp::kNone) {
    value.may_be_unset = false;
    value.required = node.position;
    run.script.max_required = std::max(run.script.max_required, node.position);
  }
  // There may be other elements, but not this one.
  const bool is_element =
      is_variable &&
      (node.subscript ? node.subscript->kind == shell::SubscriptKind::kExpression : value.is_array);
  if (is_element && value.is_array) value.may_be_unset = true;
  Value result = node.op == ParameterOp::kNone
                     ? std::move(value)
                     : apply_operator(run, node, std::move(value), span, environment);
  const bool is_copy =
      node.op == ParameterOp::kNone ||
      (node.op == ParameterOp::kDefault && (!node.argument || node.argument->is_empty()));
  result.copied = is_copy && !result.is_array ? node.name : std::string_view{};
  result.from = id;
  result.text_before.clear();
  result.text_after.clear();
  if (run.records()) note_name(run, span, run.names[node.name], NameUse::kRead, result);
  return result;
}

bool is_list(const Parameter& node) {
  if (node.op == ParameterOp::kLength) return false;
  if (node.op == ParameterOp::kKeys || node.op == ParameterOp::kNames) return true;
  return is_all(node);
}

// "${a[*]}" and "$*" are one word when they are quoted.
bool is_joined(const Parameter& node, bool is_quoted) {
  if (!is_quoted) return false;
  if (node.letter == '*' || node.name == "*") return true;
  return node.subscript != nullptr && node.subscript->kind == shell::SubscriptKind::kAllJoined;
}

}  // namespace

Fragment parameter_fragment(Run& run, const shell::Part& part, bool is_quoted,
                            Environment& environment) {
  const Parameter& node = part.parameter();
  Fragment result{FragmentKind::kExpansion, is_quoted, part.span, &part,
                  parameter_value(run, node, part.span, environment)};
  if (!is_list(node)) return result;
  if (is_joined(node, is_quoted)) {
    const std::string separators = ifs(run, environment);
    const auto separator = std::string_view(separators).substr(0, 1);
    result.value =
        all_in_one(std::move(result.value),
                   knows_ifs(run, environment) ? std::optional(separator) : std::nullopt);
  } else if (is_quoted) {
    result.kind = FragmentKind::kList;
    result.value.may_be_unset |= node.name == "@" || node.name == "*";
  }
  return result;
}

// Any of $1, $2, ...
Value any_argument(Run& run, Environment& environment, Span origin) {
  const Positional& positional = environment.positional;
  std::optional<Value> result;
  if (positional.may_have_more) result = unknown(run.languages, Source::kArgument, origin);
  for (const ValueId id : positional.first)
    result = result ? joined(*result, run.values[id]) : run.values[id];
  if (!result) return unset(run.languages);
  if (positional.first.size() > 1) result->text.reset();  // there are several, if alike
  result->may_be_unset = positional.first.empty() || run.values[positional.first[0]].may_be_unset;
  return *result;
}

ValueId positional_parameter(Run& run, uint32_t position, Environment& environment) {
  Positional& positional = environment.positional;
  if (position >= 1 && position <= positional.first.size()) return positional.first[position - 1];
  if (!positional.may_have_more) return run.values.nothing();
  Value result = unknown(run.languages, Source::kArgument);
  // `eval set -- "$options"`: getopt has seen to it that they are there.
  if (environment.has_evaluated)
    result.strings = result.strings - run.languages.literal("");
  else
    result.may_be_unset = true;
  return run.values.add(std::move(result));
}

}  // namespace nacre::flow
