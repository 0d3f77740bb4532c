// Parameter expansion. What a parameter stands for is a Place; the operator is applied to the value
// there, or to each value of a list. Operands that are more than simple words are expanded by
// frames of their own (ParameterFrame), which keep the key of an element on the stack of text.
#include <fmt/format.h>

#include "machine/arithmetic.h"
#include "machine/machine.h"
#include "machine/pattern.h"
#include "machine/transform.h"

namespace nacre::machine {

using shell::ParameterOp;
using shell::SubscriptKind;

namespace {

bool removes(ParameterOp op) {
  return op >= ParameterOp::kRemoveShortestPrefix && op <= ParameterOp::kRemoveLongestSuffix;
}

bool takes_pattern(ParameterOp op) {
  return removes(op) || (op >= ParameterOp::kReplaceFirst && op <= ParameterOp::kToggleAll);
}

ExpandMode mode_of_second(ParameterOp op) {
  return op == ParameterOp::kSlice ? ExpandMode::kString : ExpandMode::kReplacement;
}

bool has_expression(const Parameter& parameter) {
  return parameter.subscript != nullptr && parameter.subscript->kind == SubscriptKind::kExpression;
}

std::string shown_name(const Machine& machine, const Parameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::kVariable: break;
    case ParameterKind::kPositional: return std::to_string(parameter.position);
    case ParameterKind::kSpecial: return std::string(1, parameter.special);
  }
  std::string name = machine.names().text(parameter.name);
  if (parameter.subscript != nullptr)
    name += fmt::format("[{}]", parameter.subscript->word->written);
  return name;
}

}  // namespace

std::optional<Place> Machine::place_named(std::string_view name) {
  Parameter meant;
  std::string_view subscript;
  Subscript brackets;
  size_t open = name.find('[');
  int64_t position = 0;
  if (open != std::string_view::npos && name.ends_with(']') && is_name(name.substr(0, open))) {
    subscript = name.substr(open + 1, name.size() - open - 2);
    if (subscript == "@") brackets.kind = SubscriptKind::kAllSeparate;
    if (subscript == "*") brackets.kind = SubscriptKind::kAllJoined;
    meant.subscript = &brackets;
    meant.name = names().intern(name.substr(0, open));
  } else if (is_name(name)) {
    meant.name = names().intern(name);
  } else if (name != "0" && parse_integer(name, position) && position >= 0) {
    meant.kind = ParameterKind::kPositional;
    meant.position = static_cast<uint32_t>(position);
  } else if (name.size() == 1 && std::string_view("@*#?-$!0").find(name[0]) != name.npos) {
    meant.kind = ParameterKind::kSpecial;
    meant.special = name[0];
  } else {
    expansion_error(fmt::format("{}: invalid variable name", name));
    return std::nullopt;
  }
  return place_of(meant, subscript);
}

std::optional<Place> Machine::place_of(const Parameter& parameter, std::string_view subscript) {
  Place place;
  switch (parameter.kind) {
    case ParameterKind::kPositional:
      place.kind = Place::Kind::kPositional;
      place.position = parameter.position;
      break;
    case ParameterKind::kSpecial:
      place.kind = Place::Kind::kSpecial;
      place.special = parameter.special;
      place.is_joined = parameter.special == '*';
      if (parameter.special == '@' || place.is_joined) place.kind = Place::Kind::kAllParameters;
      break;
    case ParameterKind::kVariable: {
      place.name = parameter.name;
      NameId meant = state.variables.referent(parameter.name);
      if (meant == kNoName && parameter.subscript == nullptr) {  // a reference to an element
        const std::string& target = state.variables.at(parameter.name).value;
        if (target.find('[') != std::string::npos) return place_named(std::string(target));
      }
      if (meant != kNoName) place.name = meant;
      if (parameter.subscript == nullptr) break;
      place.is_joined = parameter.subscript->kind == SubscriptKind::kAllJoined;
      if (parameter.subscript->kind != SubscriptKind::kExpression) {
        place.kind = Place::Kind::kAllElements;
        break;
      }
      place.kind = Place::Kind::kElement;
      std::optional<Key> key = key_of(place.name, subscript);
      if (!key) return std::nullopt;
      place.key = std::move(*key);
      break;
    }
  }
  if (!parameter.is_indirect || parameter.op == ParameterOp::kKeys) return place;
  std::string scratch;
  const std::string* name = value_at(place, scratch);
  if (name == nullptr && place.is_list()) return place;
  if (name == nullptr || name->empty()) {
    expansion_error(fmt::format("{}: invalid indirect expansion", shown_name(*this, parameter)));
    return std::nullopt;
  }
  return place_named(std::string(*name));
}

const std::string* Machine::value_at(const Place& place, std::string& scratch) {
  switch (place.kind) {
    case Place::Kind::kVariable: {
      const std::string* value = state.variables.get(place.name);
      return value != nullptr ? value : dynamic_value(place.name, scratch);
    }
    case Place::Kind::kElement: {
      std::shared_ptr<const Array> computed;
      if (const Array* array = array_of(place.name, computed)) {
        const std::string* found = place.key.index >= 0
                                       ? array->find(place.key)
                                       : array->find(Key(place.key.index + array->end_index()));
        if (found == nullptr || computed == nullptr) return found;
        scratch = *found;
        return &scratch;
      }
      if (place.key.is_text || (place.key.index != 0 && place.key.index != -1)) return nullptr;
      const std::string* value = state.variables.get(place.name);
      return value != nullptr ? value : dynamic_value(place.name, scratch);
    }
    case Place::Kind::kPositional:
      if (place.position > state.positional.size()) return nullptr;
      return &state.positional[place.position - 1];
    case Place::Kind::kSpecial: return special_parameter(place, scratch);
    default: break;
  }
  List list = list_at(place);
  if (list.values.empty()) return nullptr;
  scratch.clear();
  std::string_view separator = list_separator(place.is_joined);
  for (size_t i = 0; i < list.values.size(); ++i) {
    if (i > 0) scratch += separator;
    scratch += list.values[i];
  }
  return &scratch;
}

const std::string* Machine::special_parameter(const Place& place, std::string& scratch) {
  switch (place.special) {
    case '?': scratch = std::to_string(state.status); break;
    case '#': scratch = std::to_string(state.positional.size()); break;
    case '$': scratch = std::to_string(state.root_pid); break;
    case '-':
      scratch = state.options.letters();
      if (is_bash() && state.is_command_string) scratch += 'c';
      break;
    case '!':
      if (state.background_pid == 0) return nullptr;
      scratch = std::to_string(state.background_pid);
      break;
    default: scratch = state.arg0; break;
  }
  return &scratch;
}

// ${x#pattern} and its like.
std::string_view Machine::without_match(const Parameter& parameter, std::string_view value,
                                        const std::string& pattern) const {
  bool longest = parameter.op == ParameterOp::kRemoveLongestPrefix ||
                 parameter.op == ParameterOp::kRemoveLongestSuffix;
  bool is_prefix = parameter.op == ParameterOp::kRemoveShortestPrefix ||
                   parameter.op == ParameterOp::kRemoveLongestPrefix;
  return is_prefix ? without_prefix(value, pattern, longest, pattern_rules())
                   : without_suffix(value, pattern, longest, pattern_rules());
}

bool Machine::expand_parameter(const Part& part, bool splits) {
  const Parameter& parameter = *part.parameter;
  if (parameter.is_plain) {
    if (const std::string* value = state.variables.get(parameter.name)) {
      append(*value, part.region);
      return true;
    }
  }
  if (parameter.op == ParameterOp::kBad) {
    expansion_error(fmt::format("{}: bad substitution", parameter.text));
    return false;
  }
  if (parameter.op == ParameterOp::kNames) {
    append_names(part, splits);
    return true;
  }
  if (parameter.is_indirect && parameter.op == ParameterOp::kNone &&
      parameter.kind == ParameterKind::kVariable &&
      state.variables.at(parameter.name).is(kReference)) {  // the name that it refers to
    append(state.variables.at(parameter.name).value, part.region);
    return true;
  }
  size_t text_base = text.size();
  if (has_expression(parameter)) {
    const Word& word = *parameter.subscript->word;
    if (!word.is_inline || fine_steps) {
      push(ParameterFrame{
          .phase = ParameterFrame::Phase::kSubscript, .splits = splits, .part = &part});
      expand_word(word, ExpandMode::kString);
      return false;
    }
    if (!expand_word(word, ExpandMode::kString)) return false;
  }
  std::optional<Place> place = place_of(parameter, std::string_view(text).substr(text_base));
  text.resize(text_base);
  return place && expand_operator(part, splits, *place);
}

// Everything but operators that look at their word first.
bool Machine::expand_operator(const Part& part, bool splits, const Place& place) {
  const Parameter& parameter = *part.parameter;
  bool is_list = place.is_list();
  if (is_list && (parameter.op == ParameterOp::kNone || parameter.op == ParameterOp::kKeys)) {
    bool of_keys = parameter.op == ParameterOp::kKeys;
    append_list(list_at(place, of_keys), place.is_joined, part, splits);
    return true;
  }
  if (is_list && parameter.op == ParameterOp::kLength) {
    if (place.kind == Place::Kind::kAllParameters) unspecified("${#@} and ${#*}");
    append(fmt::format_int(list_at(place).values.size()).c_str(), part.region);
    return true;
  }
  std::string scratch;
  const std::string* value = value_at(place, scratch);
  bool counts_as_set = value != nullptr && !(parameter.has_colon && value->empty());
  switch (parameter.op) {
    case ParameterOp::kDefault:
    case ParameterOp::kAssign:
    case ParameterOp::kError:
      if (!counts_as_set) return expand_argument(part, splits, place);
      if (is_list)
        append_list(list_at(place), place.is_joined, part, splits);
      else
        append(*value, part.region);
      return true;
    case ParameterOp::kAlternative:
      if (counts_as_set) return expand_argument(part, splits, place);
      if (value != nullptr) append("", part.region);  // "${@:+x}" of one empty parameter
      return true;
    default: break;
  }
  if (value == nullptr && !is_list && state.options.has(Option::kNoUnset)) {
    bool is_variable = parameter.kind == ParameterKind::kVariable;
    expansion_error(fmt::format(
        "{}: {}",
        is_variable || is_bash() ? shown_name(*this, parameter) : std::string(parameter.text),
        is_bash() ? "unbound variable" : "parameter not set"));
    unset_error();
    return false;
  }
  if (parameter.op == ParameterOp::kNone) {
    if (value != nullptr) append(*value, part.region);
    return true;
  }
  if (parameter.op == ParameterOp::kLength) {
    size_t length = value == nullptr ? 0 : state.locale.length(*value);
    append(fmt::format_int(length).c_str(), part.region);
    return true;
  }
  if (parameter.argument == nullptr) return finish_parameter(part, place, splits, {});
  return expand_argument(part, splits, place);
}

// The word of ${x op word}: a piece of the word around it, or a text of its own for
// finish_parameter().
bool Machine::expand_argument(const Part& part, bool splits, const Place& place) {
  const Parameter& parameter = *part.parameter;
  const Word& argument = *parameter.argument;
  bool appends = parameter.op == ParameterOp::kDefault || parameter.op == ParameterOp::kAlternative;
  const Word* second = parameter.replacement;
  bool at_once = argument.is_inline && !fine_steps && (second == nullptr || second->is_inline);
  size_t text_base = text.size();
  if (appends && at_once) {
    uint32_t index = 0;
    if (argument.parts.empty()) append("", part.region);  // "${@:-}" is one field
    return expand_parts(argument, index, splits);
  }
  if (appends) {
    push(WordFrame{.mode = ExpandMode::kAppend, .splits = splits, .word = &argument});
    return false;
  }
  ExpandMode mode = takes_pattern(parameter.op) ? ExpandMode::kPattern : ExpandMode::kString;
  if (at_once) {
    Operands operands;
    if (!expand_word(argument, mode)) return false;
    operands.argument = take_text(text_base);
    if (second != nullptr) {
      if (!expand_word(*second, mode_of_second(parameter.op))) return false;
      operands.second = take_text(text_base);
    }
    return finish_parameter(part, place, splits, operands);
  }
  if (place.kind == Place::Kind::kElement) {
    text += place.key.is_text ? place.key.text : std::to_string(place.key.index);
  }
  Frame& frame = push(ParameterFrame{.splits = splits, .key_end = text.size(), .part = &part});
  frame.base.text = text_base;
  expand_word(argument, mode);
  return false;
}

Rule Machine::step_parameter(Frame& frame) {
  using Phase = ParameterFrame::Phase;
  auto& self = frame.as<ParameterFrame>();
  const Part& part = *self.part;
  const Parameter* parameter = part.parameter;
  if (self.phase == Phase::kArgument && parameter != nullptr && parameter->replacement != nullptr) {
    self.phase = Phase::kReplacement;
    self.argument_end = text.size();
    if (!expand_word(*parameter->replacement, mode_of_second(parameter->op))) {
      return Rule::kExpExpand;
    }
  }
  ParameterFrame done = frames.back().as<ParameterFrame>();
  Marks base = frames.back().base;
  pop();
  Operands operands;
  if (done.phase == Phase::kReplacement) operands.second = take_text(done.argument_end);
  if (done.phase != Phase::kSubscript) operands.argument = take_text(done.key_end);
  std::string key = take_text(base.text);
  regions.resize(base.regions);
  if (part.kind == PartKind::kArithmetic) {
    finish_arithmetic(part, operands.argument);
  } else if (std::optional<Place> place = place_of(*parameter, key)) {
    if (done.phase == Phase::kSubscript) {
      expand_operator(part, done.splits, *place);
    } else {
      finish_parameter(part, *place, done.splits, operands);
    }
  }
  return unwinding == Unwind::kNone ? Rule::kExpExpand : Rule::kEWCtrlErr;
}

bool Machine::finish_parameter(const Part& part, const Place& place, bool splits,
                               const Operands& operands) {
  const Parameter& parameter = *part.parameter;
  switch (parameter.op) {
    case ParameterOp::kAssign:
      if (place.kind != Place::Kind::kVariable && place.kind != Place::Kind::kElement) {
        expansion_error(fmt::format(
            "{}: cannot assign in this way",
            is_bash() ? "$" + shown_name(*this, parameter) : std::string(parameter.text)));
        return false;
      }
      if (!assign_place(place, operands.argument)) {
        expansion_error("");
        return false;
      }
      if (std::string scratch; const std::string* now = value_at(place, scratch)) {
        append(*now, part.region);  // as the attributes of the variable have it
      }
      return true;
    case ParameterOp::kError: {
      std::string_view otherwise =
          parameter.has_colon ? "parameter null or not set" : "parameter not set";
      std::string_view message = operands.argument.empty() ? otherwise : operands.argument;
      expansion_error(fmt::format("{}: {}", shown_name(*this, parameter), message));
      unset_error();
      return false;
    }
    case ParameterOp::kSlice: return append_slice(part, place, splits, operands);
    default: break;
  }
  const std::string second = operands.second.value_or("");
  const Transform transform = [&](std::string_view of) -> std::string {
    if (removes(parameter.op)) {
      return std::string(without_match(parameter, of, operands.argument));
    }
    if (parameter.op == ParameterOp::kTransform) {
      return letter_transform(parameter.letter, place, of);
    }
    return transformed(parameter.op, of, operands.argument, second, pattern_rules());
  };
  if (place.is_list()) {
    if (place.kind == Place::Kind::kAllParameters) unspecified("removing a pattern from $@ or $*");
    transform_list(part, place, splits, transform);
    return true;
  }
  std::string scratch;
  const std::string* value = value_at(place, scratch);
  bool is_of_variable = parameter.op == ParameterOp::kTransform &&
                        (parameter.letter == 'a' || parameter.letter == 'A');
  if (value == nullptr && !is_of_variable) {
    append("", part.region);
  } else if (removes(parameter.op)) {
    append(without_match(parameter, *value, operands.argument), part.region);
  } else {
    append(transform(value == nullptr ? "" : *value), part.region);
  }
  return true;
}

}  // namespace nacre::machine
