// Word expansion: the transition system of the semantics. A word's parts are expanded one after the
// other into `text`, with marks that say what each piece still is (source text, result of an
// expansion, quoted); then the whole is split, globbed and its quotes removed.
//
// Invariants:
// 1. Everything that a word adds to `text` and `regions` lies after the sizes that its frame has
//    recorded; finishing the word (or unwinding the frame) cuts both back.
// 2. A word starts with a mark of its own, so that regions of two words never merge.
// 3. expand_*() return false when a frame was pushed, which goes on later, or after an error, when
//    the machine unwinds. Nothing may be touched after a false.
#include <fmt/format.h>

#include "machine/arithmetic.h"
#include "machine/lower.h"
#include "machine/machine.h"
#include "machine/pattern.h"
#include "machine/transform.h"

namespace nacre::machine {

using shell::ParameterOp;

namespace {

class MachineBindings final : public Bindings {
 public:
  explicit MachineBindings(Machine& machine) : machine_(machine) {}

  Result<const std::string*> lookup(NameId name) override {
    const std::string* value = machine_.state.variables.get(name);
    if (name == machine_.line_number && value != nullptr) {
      line_ = std::to_string(machine_.state.line);
      return &line_;
    }
    if (value == nullptr && machine_.state.options.has(Option::kNoUnset)) {
      return fail({}, fmt::format("{}: parameter not set", machine_.names().text(name)));
    }
    return value;
  }
  Result<int> assign(NameId name, std::string_view value) override {
    if (!machine_.assign(name, value)) return fail({}, "");
    return 0;
  }

 private:
  Machine& machine_;
  std::string line_;  // LINENO
};

// A number that means the same as text and as a value: digits without a leading zero.
bool plain_number(const std::string& text, int64_t& value) {
  size_t sign = !text.empty() && text[0] == '-' ? 1 : 0;
  size_t digits = text.size() - sign;
  if (digits == 0 || digits > 18 || (text[sign] == '0' && digits > 1)) return false;
  int64_t total = 0;
  for (size_t i = sign; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    total = total * 10 + (text[i] - '0');
  }
  value = sign != 0 ? -total : total;
  return true;
}

bool removes(ParameterOp op) {
  return op >= ParameterOp::kRemoveShortestPrefix && op <= ParameterOp::kRemoveLongestSuffix;
}

bool takes_pattern(ParameterOp op) {
  return removes(op) || (op >= ParameterOp::kReplaceFirst && op <= ParameterOp::kToggleAll);
}

}  // namespace

void Machine::append(std::string_view piece, Region region) {
  if (regions.empty() || regions.back().region != region || regions.back().is_break) {
    regions.push_back({text.size(), region, false});
  }
  text.append(piece);
}

void Machine::append_break() { regions.push_back({text.size(), Region::kSource, true}); }

std::string Machine::take_text(size_t base) {
  std::string result = text.substr(base);
  text.resize(base);
  return result;
}

void Machine::expansion_error(std::string_view message) {
  if (!message.empty()) error(message);
  shell_error(1);
}

bool Machine::expand_word(const Word& word, ExpandMode mode) {
  if (mode == ExpandMode::kFields && !fine_steps) {
    if (word.is_literal) {
      fields.push(word.literal);
      return true;
    }
    if (word.parts.size() == 1 && word.parts[0].kind == PartKind::kParameter &&
        word.parts[0].parameter->kind == ParameterKind::kVariable &&
        word.parts[0].parameter->op == ParameterOp::kNone &&
        !word.parts[0].parameter->is_indirect && word.parts[0].parameter->name != line_number) {
      if (const std::string* value = state.variables.get(word.parts[0].parameter->name)) {
        bool is_plain = word.parts[0].region == Region::kQuoted;
        if (!is_plain && !value->empty()) {
          is_plain = true;
          for (char c : *value) is_plain &= char_class[static_cast<uint8_t>(c)] == 0;
        }
        if (is_plain) {
          fields.push(*value);
          return true;
        }
      }
    }
  }
  size_t text_base = text.size();
  size_t region_base = regions.size();
  bool splits = mode == ExpandMode::kFields;
  regions.push_back({text_base, Region::kSource, false});
  if (word.is_inline && !fine_steps) {
    uint32_t index = 0;
    if (!expand_parts(word, index, splits)) {
      text.resize(text_base);
      regions.resize(region_base);
      return false;
    }
    if (splits && word.is_joined) {
      fields.push(std::string_view(text).substr(text_base));
      text.resize(text_base);
      regions.resize(region_base);
    } else {
      finish_word(mode, text_base, region_base);
    }
    return true;
  }
  Frame& frame = push(WordFrame{.mode = mode, .splits = splits, .word = &word});
  frame.base.text = text_base;
  frame.base.regions = region_base;
  return false;
}

bool Machine::expand_parts(const Word& word, uint32_t& index, bool splits) {
  while (index < word.parts.size()) {
    if (!expand_part(word.parts[index++], splits)) return false;
  }
  return true;
}

Rule Machine::step_word(Frame& frame) {
  using Phase = WordFrame::Phase;
  auto& word = frame.as<WordFrame>();
  size_t self = frames.size() - 1;
  if (word.phase == Phase::kStart) {
    word.phase = Phase::kParts;
    if (fine_steps) return Rule::kExpStart;
  }
  if (word.phase != Phase::kParts) return step_stages(frame);
  std::span<const Part> parts = word.word->parts;
  bool splits = word.splits;
  while (frames[self].as<WordFrame>().next < parts.size()) {
    const Part& part = parts[frames[self].as<WordFrame>().next++];
    bool done = expand_part(part, splits);
    if (!done) return unwinding == Unwind::kNone ? Rule::kEWCtrl : Rule::kEWCtrlErr;
    if (fine_steps) return part.kind == PartKind::kText ? Rule::kEWLit : Rule::kEWCtrl;
  }
  Frame done = frames[self];
  ExpandMode mode = done.as<WordFrame>().mode;
  if (fine_steps && mode != ExpandMode::kAppend) {
    bool is_split = mode == ExpandMode::kFields;
    frames[self].as<WordFrame>().phase = is_split ? Phase::kSplit : Phase::kPath;
    return is_split ? Rule::kExpExpandSplit : Rule::kExpExpandNoSplit;
  }
  pop();
  finish_word(mode, done.base.text, done.base.regions);
  return mode == ExpandMode::kAppend ? Rule::kExpExpand : Rule::kExpQuote;
}

void Machine::finish_word(ExpandMode mode, size_t text_base, size_t region_base) {
  switch (mode) {
    case ExpandMode::kAppend: return;
    case ExpandMode::kFields: split_fields(region_base); break;
    case ExpandMode::kOneField: fields.push(std::string_view(text).substr(text_base)); break;
    case ExpandMode::kPattern: to_pattern(text_base, region_base); break;
    case ExpandMode::kRegex: to_pattern(text_base, region_base, "\\.[]{}()*+?^$|"); break;
    case ExpandMode::kString: break;
  }
  if (mode <= ExpandMode::kOneField) text.resize(text_base);
  regions.resize(region_base);
}

bool Machine::expand_part(const Part& part, bool splits) {
  switch (part.kind) {
    case PartKind::kText: append(part.text, part.region); return true;
    case PartKind::kTilde: expand_tilde(part); return true;
    case PartKind::kParameter: return expand_parameter(part, splits);
    case PartKind::kArithmetic: return expand_arithmetic(part);
    case PartKind::kCommand: {
      did_substitute = true;
      if (part.body == nullptr) {  // $()
        state.status = 0;
        append("", part.region);
        return true;
      }
      push(CommandSubstFrame{.part = &part}, part.body);
      return false;
    }
  }
  return true;
}

void Machine::expand_tilde(const Part& part) {
  if (part.text.empty()) {
    const std::string* home = state.variables.get("HOME");
    if (home == nullptr) unspecified("tilde expansion with HOME unset");
    append(home != nullptr ? std::string_view(*home) : "~", part.region);
    return;
  }
  auto home = os->home_of(std::string(part.text));
  append(home ? *home : "~" + std::string(part.text), part.region);
}

// ${!x}: the value of x is the name of the parameter that is meant.
const std::string* Machine::indirect_value(const Parameter& parameter, std::string& scratch) {
  Parameter direct = parameter;
  direct.is_indirect = false;
  const std::string* value = parameter_value(direct, scratch);
  if (value == nullptr || value->empty()) return nullptr;
  std::string name = *value;
  Parameter meant;
  int64_t position = 0;
  if (is_name(name)) {
    meant.name = names().intern(name);
  } else if (name[0] >= '0' && name[0] <= '9' && name != "0" && parse_integer(name, position)) {
    meant.kind = ParameterKind::kPositional;
    meant.position = static_cast<uint32_t>(position);
  } else {
    meant.kind = ParameterKind::kSpecial;
    meant.special = name[0];
  }
  return parameter_value(meant, scratch);
}

const std::string* Machine::parameter_value(const Parameter& parameter, std::string& scratch) {
  if (parameter.is_indirect) return indirect_value(parameter, scratch);
  switch (parameter.kind) {
    case ParameterKind::kVariable: {
      const std::string* value = state.variables.get(parameter.name);
      if (parameter.name == line_number && value != nullptr) {
        scratch = std::to_string(state.line);
        return &scratch;
      }
      return value;
    }
    case ParameterKind::kPositional:
      if (parameter.position > state.positional.size()) return nullptr;
      return &state.positional[parameter.position - 1];
    case ParameterKind::kSpecial: break;
  }
  switch (parameter.special) {
    case '?': scratch = std::to_string(state.status); break;
    case '#': scratch = std::to_string(state.positional.size()); break;
    case '$': scratch = std::to_string(state.root_pid); break;
    case '-': scratch = state.options.letters(); break;
    case '0': scratch = state.arg0; break;
    case '!':
      if (state.background_pid == 0) return nullptr;
      scratch = std::to_string(state.background_pid);
      break;
    default: {  // @ and * as one string: for their length, tests and pattern removal
      if (state.positional.size() == 0) return nullptr;
      std::string_view separator = list_separator(parameter);
      scratch.clear();
      for (size_t i = 0; i < state.positional.size(); ++i) {
        if (i > 0) scratch += separator;
        scratch += state.positional[i];
      }
    }
  }
  return &scratch;
}

// What joins $* or $@ where they are one string.
std::string_view Machine::list_separator(const Parameter& parameter) const {
  const std::string* ifs = state.variables.get("IFS");
  if (parameter.special == '@' || ifs == nullptr) return " ";
  return std::string_view(*ifs).substr(0, ifs->empty() ? 0 : state.locale.next(*ifs));
}

void Machine::append_list(const std::vector<std::string>& values, const Part& part, bool splits) {
  const Parameter& parameter = *part.parameter;
  bool is_star = parameter.special == '*' || parameter.letter == '*';
  bool joins = !splits || (part.region == Region::kQuoted && is_star);
  if (joins) append("", part.region);
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0 && joins) append(list_separator(parameter), part.region);
    if (i > 0 && !joins) append_break();
    append(values[i], part.region);
  }
}

// ${!prefix*} and ${!prefix@}
bool Machine::append_names(const Part& part, bool splits) {
  const std::string& prefix = names().text(part.parameter->name);
  std::vector<std::string> found;
  for (NameId id : state.variables.sorted()) {
    if (state.variables.get(id) != nullptr && names().text(id).starts_with(prefix)) {
      found.push_back(names().text(id));
    }
  }
  append_list(found, part, splits);
  return true;
}

// ${x:offset:length} of characters, ${@:offset:length} of parameters ($0 is the one before $1).
bool Machine::append_slice(const Part& part, bool splits, const std::string& offset_text,
                           const std::string* length_text) {
  const Parameter& parameter = *part.parameter;
  std::optional<int64_t> offset = evaluate_text(offset_text);
  if (!offset) return false;
  std::optional<int64_t> length;
  if (length_text != nullptr && !(length = evaluate_text(*length_text))) return false;
  bool is_list = parameter.special == '@' || parameter.special == '*';
  std::string scratch;
  const std::string* value = is_list ? nullptr : parameter_value(parameter, scratch);
  if (!is_list && value == nullptr) return true;
  auto size =
      static_cast<int64_t>(is_list ? state.positional.size() + 1 : state.locale.length(*value));
  if (*offset < 0) *offset += size;
  if (*offset < 0 || *offset > size) return true;
  int64_t end = !length ? size : *length < 0 ? size + *length : std::min(size, *offset + *length);
  if (end < *offset || (is_list && length && *length < 0)) {
    expansion_error(fmt::format("{}: substring expression < 0", *length_text));
    return false;
  }
  if (is_list) {
    std::vector<std::string> values;
    for (int64_t i = *offset; i < end; ++i) {
      values.push_back(i == 0 ? state.arg0 : state.positional[static_cast<size_t>(i - 1)]);
    }
    append_list(values, part, splits);
    return true;
  }
  std::string_view rest = *value;
  for (int64_t i = 0; i < *offset; ++i) rest.remove_prefix(state.locale.next(rest));
  size_t bytes = 0;
  for (int64_t i = *offset; i < end; ++i) bytes += state.locale.next(rest.substr(bytes));
  append(rest.substr(0, bytes), part.region);
  return true;
}

// $@ and $*, each value transformed if `transform` is not null.
void Machine::append_all_parameters(const Part& part, bool splits, const Transform* transform) {
  const Parameter& parameter = *part.parameter;
  bool joins = !splits || (part.region == Region::kQuoted && parameter.special == '*');
  if (joins) append("", part.region);
  if (joins && parameter.special == '@') unspecified("$@ where fields are not split");
  if (transform != nullptr) unspecified("removing a pattern from $@ or $*");
  for (size_t i = 0; i < state.positional.size(); ++i) {
    if (i > 0 && joins) append(list_separator(parameter), part.region);
    if (i > 0 && !joins) append_break();
    std::string_view value = state.positional[i];
    append(transform == nullptr ? value : (*transform)(value), part.region);
  }
}

// ${x#pattern} and its like.
std::string_view Machine::without_match(const Parameter& parameter, std::string_view value,
                                        const std::string& pattern) const {
  bool longest = parameter.op == ParameterOp::kRemoveLongestPrefix ||
                 parameter.op == ParameterOp::kRemoveLongestSuffix;
  bool is_prefix = parameter.op == ParameterOp::kRemoveShortestPrefix ||
                   parameter.op == ParameterOp::kRemoveLongestPrefix;
  return is_prefix ? without_prefix(value, pattern, longest, state.locale)
                   : without_suffix(value, pattern, longest, state.locale);
}

bool Machine::expand_parameter(const Part& part, bool splits) {
  const Parameter& parameter = *part.parameter;
  bool is_list = parameter.special == '@' || parameter.special == '*';
  if (is_list && parameter.op == ParameterOp::kNone) {
    append_all_parameters(part, splits);
    return true;
  }
  std::string scratch;
  if (parameter.is_indirect && parameter.op != ParameterOp::kNames) {
    Parameter direct = parameter;
    direct.is_indirect = false;
    const std::string* name = parameter_value(direct, scratch);
    if (name == nullptr || name->empty()) {
      expansion_error(fmt::format("{}: invalid indirect expansion", parameter.text));
      return false;
    }
  }
  const std::string* value = parameter_value(parameter, scratch);
  bool counts_as_set = value != nullptr && !(parameter.has_colon && value->empty());
  switch (parameter.op) {
    case ParameterOp::kDefault:
    case ParameterOp::kAssign:
    case ParameterOp::kError:
      if (!counts_as_set) return expand_argument(part, splits);
      if (is_list)
        append_all_parameters(part, splits);
      else
        append(*value, part.region);
      return true;
    case ParameterOp::kAlternative: return !counts_as_set || expand_argument(part, splits);
    case ParameterOp::kBad:
      expansion_error(fmt::format("{}: bad substitution", parameter.text));
      return false;
    default: break;
  }
  if (value == nullptr && !is_list && state.options.has(Option::kNoUnset)) {
    bool is_variable = parameter.kind == ParameterKind::kVariable;
    expansion_error(fmt::format("{}: parameter not set", is_variable
                                                             ? names().text(parameter.name)
                                                             : std::string(parameter.text)));
    return false;
  }
  if (parameter.op == ParameterOp::kLength) {
    if (is_list) unspecified("${#@} and ${#*}");
    size_t length = value == nullptr ? 0 : state.locale.length(*value);
    append(fmt::format_int(is_list ? state.positional.size() : length).c_str(), part.region);
    return true;
  }
  if (parameter.op == ParameterOp::kNames) return append_names(part, splits);
  if (parameter.op != ParameterOp::kNone && parameter.argument == nullptr) {
    return finish_parameter(part, text.size(), regions.size(), splits);
  }
  if (parameter.op != ParameterOp::kNone) return expand_argument(part, splits);
  if (value != nullptr) append(*value, part.region);
  return true;
}

// The word of ${x op word}: a piece of the word around it, or a text of its own for
// finish_parameter().
bool Machine::expand_argument(const Part& part, bool splits) {
  const Parameter& parameter = *part.parameter;
  const Word& argument = *parameter.argument;
  bool appends = parameter.op == ParameterOp::kDefault || parameter.op == ParameterOp::kAlternative;
  const Word* second = parameter.replacement;
  bool at_once = argument.is_inline && !fine_steps && (second == nullptr || second->is_inline);
  size_t text_base = text.size();
  size_t region_base = regions.size();
  if (appends && at_once) {
    uint32_t index = 0;
    return expand_parts(argument, index, splits);
  }
  if (appends) {
    push(WordFrame{.mode = ExpandMode::kAppend, .splits = splits, .word = &argument});
    return false;
  }
  ExpandMode mode = takes_pattern(parameter.op) ? ExpandMode::kPattern : ExpandMode::kString;
  if (at_once) {
    if (!expand_word(argument, mode)) return false;
    size_t end = second == nullptr ? std::string::npos : text.size();
    if (second != nullptr && !expand_word(*second, ExpandMode::kString)) return false;
    return finish_parameter(part, text_base, region_base, splits, end);
  }
  push(ParameterFrame{.splits = splits, .part = &part});
  expand_word(argument, mode);
  return false;
}

Rule Machine::step_parameter(Frame& frame) {
  auto& self = frame.as<ParameterFrame>();
  const Parameter* parameter = self.part->parameter;
  if (parameter != nullptr && parameter->replacement != nullptr && !self.has_argument) {
    self.has_argument = true;
    self.argument_end = text.size();
    if (!expand_word(*parameter->replacement, ExpandMode::kString)) return Rule::kExpExpand;
  }
  ParameterFrame done = frames.back().as<ParameterFrame>();
  Marks base = frames.back().base;
  pop();
  finish_parameter(*done.part, base.text, base.regions, done.splits,
                   done.has_argument ? done.argument_end : std::string::npos);
  return unwinding == Unwind::kNone ? Rule::kExpExpand : Rule::kEWCtrlErr;
}

// The argument of the operator has been expanded; it is the end of `text`.
bool Machine::finish_parameter(const Part& part, size_t text_base, size_t region_base, bool splits,
                               size_t argument_end) {
  std::optional<std::string> second;
  if (argument_end != std::string::npos) second = take_text(argument_end);
  std::string argument = take_text(text_base);
  regions.resize(region_base);
  if (part.kind == PartKind::kArithmetic) {
    std::optional<int64_t> value = evaluate_text(argument);
    if (!value) return false;
    append(fmt::format_int(*value).c_str(), part.region);
    return true;
  }
  const Parameter& parameter = *part.parameter;
  std::string scratch;
  switch (parameter.op) {
    case ParameterOp::kAssign:
      if (parameter.kind != ParameterKind::kVariable) {
        expansion_error(fmt::format("{}: cannot assign in this way", parameter.text));
        return false;
      }
      if (!assign(parameter.name, argument)) {
        expansion_error("");
        return false;
      }
      append(argument, part.region);
      return true;
    case ParameterOp::kError: {
      if (argument.empty()) {
        argument = parameter.has_colon ? "parameter null or not set" : "parameter not set";
      }
      std::string name = parameter.kind == ParameterKind::kVariable ? names().text(parameter.name)
                         : parameter.kind == ParameterKind::kPositional
                             ? std::to_string(parameter.position)
                             : std::string(1, parameter.special);
      expansion_error(fmt::format("{}: {}", name, argument));
      return false;
    }
    default: break;
  }
  bool is_list = parameter.special == '@' || parameter.special == '*';
  if (removes(parameter.op) && !is_list) {
    const std::string* value = parameter_value(parameter, scratch);
    append(value == nullptr ? "" : without_match(parameter, *value, argument), part.region);
    return true;
  }
  if (parameter.op == ParameterOp::kSlice) {
    return append_slice(part, splits, argument, second ? &*second : nullptr);
  }
  Transform transform = [&](std::string_view of) {
    if (removes(parameter.op)) return std::string(without_match(parameter, of, argument));
    return transformed(parameter.op, parameter.letter, of, argument, second ? *second : "",
                       state.locale);
  };
  if (is_list) {
    append_all_parameters(part, splits, &transform);
    return true;
  }
  const std::string* value = parameter_value(parameter, scratch);
  append(value == nullptr ? std::string() : transform(*value), part.region);
  return true;
}

std::optional<int64_t> Machine::evaluate_text(std::string_view expression) {
  shell::Arena arena;
  MachineBindings bindings(*this);
  auto parsed = parse_arithmetic(expression, names(), arena);
  Result<int64_t> value = parsed ? evaluate(**parsed, bindings, names())
                                 : Result<int64_t>(tl::unexpected<Error>(parsed.error()));
  if (value) return *value;
  expansion_error(value.error().message);
  return std::nullopt;
}

bool Machine::expand_arithmetic(const Part& part) {
  constexpr size_t kMaxSlots = 16;
  int64_t slots[kMaxSlots];
  bool is_known = part.expression != nullptr && part.slots.size() <= kMaxSlots && !fine_steps;
  for (size_t i = 0; is_known && i < part.slots.size(); ++i) {
    std::string scratch;
    const std::string* value = parameter_value(*part.slots[i], scratch);
    is_known = value != nullptr && plain_number(*value, slots[i]);
  }
  if (is_known) {
    MachineBindings bindings(*this);
    auto value = evaluate(*part.expression, bindings, names(), {slots, part.slots.size()});
    if (!value) {
      expansion_error(value.error().message);
      return false;
    }
    fmt::format_int digits(*value);
    append({digits.data(), digits.size()}, part.region);
    return true;
  }
  size_t text_base = text.size();
  size_t region_base = regions.size();
  if (part.expression_word->is_inline && !fine_steps) {
    return expand_word(*part.expression_word, ExpandMode::kString) &&
           finish_parameter(part, text_base, region_base, false);
  }
  push(ParameterFrame{.part = &part});
  expand_word(*part.expression_word, ExpandMode::kString);
  return false;
}

// The caller is in the middle of something else, so this steps the machine itself: frames above
// `depth` are the prompt's own.
std::string Machine::expand_prompt(std::string_view prompt) {
  if (prompt.find_first_of("$`\\") == std::string_view::npos) return std::string(prompt);
  // Read like a here-document: expansions, but no quotes.
  auto source =
      Source::of_text("prompt", fmt::format(": <<nacre-prompt\n{}\nnacre-prompt\n", prompt));
  shell::ReadResult read = source->reader().next({});
  if (read.status != shell::ReadStatus::kCommand) return std::string(prompt);
  std::shared_ptr<const Code> code = lower(read.tree, names());
  if (code->root == nullptr || code->root->redirects.empty()) return std::string(prompt);
  int status = state.status;
  size_t depth = frames.size();
  size_t base = text.size();
  bool done = expand_word(code->root->redirects[0].target, ExpandMode::kString);
  while (!done && frames.size() > depth && unwinding == Unwind::kNone) step();
  if (unwinding != Unwind::kNone) {
    unwinding = Unwind::kNone;
    while (frames.size() > depth) pop();
  }
  std::string result = take_text(base);
  if (!result.empty()) result.pop_back();  // the newline of the here-document
  state.status = status;
  return result;
}

}  // namespace nacre::machine
