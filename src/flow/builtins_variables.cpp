// The builtins that give variables their values.
#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "commands/models.h"
#include "commands/words.h"
#include "flow/interpreter.h"
#include "flow/number.h"
#include "flow/rules/publish.h"
#include "regular/decide.h"
#include "shell/characters.h"

namespace nacre::flow {

namespace {

NamedValue named_value(const shell::Word& word) {
  NamedValue result;
  if (word.parts().empty() || !word.parts()[0].is_text()) return result;
  const std::string_view text = word.parts()[0].text();
  const size_t end = std::min(text.find_first_of("=+["), text.size());
  if (!shell::is_name(text.substr(0, end))) return result;
  result.name = text.substr(0, end);
  const size_t equals = text.find('=', end);
  result.has_value = equals != std::string_view::npos;
  result.is_append = result.has_value && equals > 0 && text[equals - 1] == '+';
  result.is_element = end < text.size() && text[end] == '[';
  return result;
}

// What an expression assigns; only the first is sure to be assigned.
struct LetName {
  std::string name;
  bool is_sure = false;
};

bool is_changed(std::string_view before, std::string_view after) {
  after.remove_prefix(std::min(after.find_first_not_of(" \t"), after.size()));
  if (before.ends_with("++") || before.ends_with("--")) return true;
  if (after.starts_with("++") || after.starts_with("--")) return true;
  const size_t equals = after.find_first_not_of("+-*/%<>&^|");
  const bool compares =
      after.starts_with("==") || after.starts_with("<=") || after.starts_with(">=");
  return equals != after.npos && after[equals] == '=' && !compares;
}

std::vector<LetName> assigned_by_let(std::string_view text) {
  std::vector<LetName> result;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && (is_digit(text[end]) || shell::is_name(text.substr(end, 1)))) end++;
    const std::string_view name = text.substr(at, end - at);
    const std::string_view before = text.substr(0, at);
    if (shell::is_name(name) && is_changed(before, text.substr(end)))
      result.push_back({std::string(name), before.find_first_not_of(" \t") == before.npos});
    at = std::max(end, at + 1);
  }
  return result;
}

// The format takes any arguments.
bool prints_texts(std::string_view format) {
  for (size_t at = format.find('%'); at < format.size(); at = format.find('%', at + 2)) {
    const size_t letter = format.find_first_not_of("-0123456789.", at + 1);
    if (letter == format.npos || std::string_view("sbcq%").find(format[letter]) == format.npos)
      return false;
    at = letter - 1;
  }
  return true;
}

// `read -u 3`: what it reads is not its standard input.
bool names_descriptor(std::span<const Field> words) {
  return std::any_of(words.begin() + 1, words.end(), [](const Field& field) {
    const auto& text = field.argument.text;
    return text && text->starts_with('-') && text->find('u') != std::string::npos;
  });
}

void set_attributes(const Attributes& given, Value& value) {
  value.is_integer = given.is_integer || (value.is_integer && !given.removes);
  value.is_spelled = given.is_spelled || given.is_integer || (value.is_spelled && !given.removes);
}

}  // namespace

void Attributes::add(std::string_view option) {
  const auto has = [&](std::string_view letters) {
    return option.find_first_of(letters) != std::string_view::npos;
  };
  if (option[0] == '+') {
    removes = true;
    return;
  }
  is_integer |= has("i");
  is_spelled |= has("ulc");
  is_reference |= has("n") && !keeps;
  is_array |= has("aA");
  if (has("g")) is_local = false;
}

// What may become of a value by the attributes of its variable, if it has them here.
void Interpreter::spell(Value& value) {
  Value result = value.is_integer ? Value(integers(context_)) : value;
  if (!value.is_integer) result.strings = any_value(context_);
  result.text.reset();
  result.prefix.clear();
  result.skeleton.reset();
  result.copied = {};
  result.origin = value.origin;
  result.is_integer = value.is_integer;
  result.is_spelled = result.is_assigned = true;
  value = std::move(result);
}

// declare, local, export, readonly: `name` or `name=value`, after options.
Ran Interpreter::declare(Call& call, bool is_local, bool keeps) {
  Environment& environment = call.environment;
  if (call.fields.size() == 1) return opaque();  // it prints all variables
  Attributes attributes;
  attributes.is_local = is_local;
  attributes.keeps = keeps;
  Substituted substituted = call.substituted;
  std::vector<Value> values;  // `local x=$y y=$x`: all are expanded before anything is assigned
  {
    const Scoped noted(where_.substituted, &substituted);
    for (const shell::Word& word : call.simple.words.subspan(1))
      if (named_value(word).has_value) values.push_back(assigned_value(word, environment));
  }
  auto next = values.begin();
  for (const shell::Word& word : call.simple.words.subspan(1)) {
    const NamedValue named = named_value(word);
    const std::string_view option = word.is_literal() ? word.literal() : "";
    if (!named.name.empty()) {
      declare_one(named, named.has_value ? &*next++ : nullptr, word, attributes, environment);
    } else if (option.starts_with('-') || option.starts_with('+')) {
      attributes.add(option);
      if (option.find_first_of("fFp") != std::string_view::npos) return opaque();
    } else {
      declare_by_name(word, attributes, environment);
    }
  }
  if (substituted.status) publish(DeclarationEvent{call, *substituted.status}, rules_);
  environment.status = succeeded(call.node.span);
  return none();
}

void Interpreter::declare_one(const NamedValue& named, const Value* assigned,
                              const shell::Word& word, Attributes given, Environment& environment) {
  const Name name = names_[named.name];
  Value before = value(name, environment);
  const bool is_copy = begins_as_hidden(name);
  if (given.is_local && !hide(name, environment)) {
    given.is_local = false;  // it stays what it is
    if (!named.has_value) before = joined(before, unset(context_, word.span));
  }
  if (given.removes) {
    before.is_integer = before.is_spelled = false;
    put(name, values_.add(before), environment);
  }
  if (!named.has_value) {
    const bool changes = given.is_array || given.is_integer || given.is_spelled || given.removes;
    if (given.keeps && !changes) return;
    Value value = given.is_local || given.is_array ? unset(context_, word.span) : before;
    if (is_copy && given.is_local) value = joined(before, value);
    if (given.is_array && !given.is_local) value = joined(before, value);
    value.is_array |= given.is_array;
    set_attributes(given, value);
    store(name, std::move(value), environment);
    return;
  }
  Value value = *assigned;
  if (given.is_reference) return refer_to(name, value, environment);
  if (named.is_append && (is_copy || !given.is_local))
    value = value.is_array ? joined(value, before) : appended(before, value, word.span);
  if (named.is_element || (before.is_array && !given.is_local && !assigned->is_array)) {
    value = joined(value, before);
    value.text.reset();
    value.is_array = true;
  }
  set_attributes(given, value);
  if (value.is_spelled && !value.is_array) spell(value);
  value.is_array |= given.is_array;
  value.origin = word.span;
  const Span place{word.span.begin, word.span.begin + static_cast<uint32_t>(named.name.size())};
  if (records_types()) recorder_.variable(place, named.name, expansion_of(value));
  store(name, std::move(value), environment);
}

// Makes it a variable of the function's own; false if it is one already.
bool Interpreter::hide(Name name, Environment& environment) {
  auto& locals = frames_.back().locals;
  const auto is_this = [&](const auto& local) { return local.first == name; };
  if (std::any_of(locals.begin(), locals.end(), is_this)) return false;
  locals.emplace_back(name, lookup(name, environment));
  put(name, values_.nothing(), environment);
  return true;
}

// A new variable of a function may have the value that it hides: but for bash and ksh always, and
// there if that was assigned before a call: `x=1 f`.
bool Interpreter::begins_as_hidden(Name name) const {
  const bool is_bash =
      tree_.dialect() == shell::Dialect::kBash || tree_.dialect() == shell::Dialect::kKsh;
  const auto is_this = [&](const auto& hidden) { return hidden.first == name; };
  return !is_bash || std::any_of(frames_.begin(), frames_.end(), [&](const Frame& frame) {
    return std::any_of(frame.hidden.begin(), frame.hidden.end(), is_this);
  });
}

// `declare "$n=$x"`, `export $settings`: which variable it is, the type of the word may tell.
void Interpreter::declare_by_name(const shell::Word& word, const Attributes& given,
                                  Environment& environment) {
  const Value whole = value_again(word, environment);
  const size_t equals = whole.prefix.find('=');
  if (equals == std::string::npos) {
    const Lang assigning = context_.all() + context_.literal("=") + context_.all();
    const bool may_assign = !regular::disjoint(whole.strings, assigning, options_.budget).yes();
    if (may_assign) forget_variables(environment, word.span);
    return;
  }
  const std::string front = whole.prefix.substr(0, equals + 1);
  Value value(derivative(whole.strings, front));
  if (whole.text) value = constant(context_, whole.text->substr(front.size()), word.span);
  value.is_opaque = whole.is_opaque;
  value.source = whole.source;
  value.is_tainted = whole.is_tainted;
  value.origin = word.span;
  const size_t end = front.find_last_not_of("+=") + 1;
  const std::string name = front.substr(0, end);
  if (front.size() > end + 1) value = unknown(context_, Source::kScript, word.span);  // +=
  if (given.is_local && shell::is_name(name)) hide(names_[name], environment);
  store_by_name({word.span, context_.literal(name), name, name, false}, std::move(value),
                environment);
}

// `local -n r=x`: from now on something may be put into x by another name, and what is in r is
// whatever is in x.
void Interpreter::refer_to(Name reference, const Value& target, Environment& environment) {
  Value referred = unknown(context_, Source::kScript, target.origin);
  referred.may_be_unset = referred.is_reference = referred.is_assigned = true;
  put(reference, values_.add(std::move(referred)), environment);
  std::set<Name>& targets = references_[reference];
  if (!target.text || !shell::is_name(*target.text)) {
    targets.clear();
    return forget_variables(environment, target.origin);
  }
  targets.insert(names_[*target.text]);
  store(names_[*target.text], something(context_, Source::kScript, target.origin), environment);
}

// The value of a word `name=value`, which is not split.
Value Interpreter::assigned_value(const shell::Word& word, Environment& environment) {
  const Findings::Muted muted(findings_);  // it was expanded before, as a word of the command
  std::vector<Fragment> fragments;
  add_fragments(word.parts(), true, environment, fragments);
  join_lists(fragments);
  const std::string first = *fragments[0].value.text;
  const std::string_view rest = std::string_view(first).substr(first.find('=') + 1);
  fragments[0].value = constant(context_, rest, fragments[0].span);
  if (fragments.size() == 2 && rest.empty()) fragments.erase(fragments.begin());
  if (fragments[0].kind == FragmentKind::kList) return fragments[0].value;  // name=(...)
  return concatenated(context_, fragments, word.span);
}

Ran Interpreter::run_declare(Call& call) {
  return declare(call, frames_.back().function != nullptr, false);
}
Ran Interpreter::run_local(Call& call) { return declare(call, true, false); }
Ran Interpreter::run_export(Call& call) { return declare(call, false, true); }

// What is read from lines like these, cut into words.
Ran Interpreter::run_read(Call& call) {
  Environment& environment = call.environment;
  const Stream input = names_descriptor(call.fields) ? opaque() : call.io.input;
  const Lang line = commands::any_line(input);
  Value word = unknown(context_, Source::kInput, call.node.span);
  word.is_opaque = input.choice == commands::Choice::kOpaque;
  word.is_tainted = !call.io.is_own_text;
  word.is_typed = call.io.is_typed;
  std::vector<std::pair<std::string_view, Span>> names;
  bool is_raw = false, is_line = true, is_array = false;
  for (size_t i = 1; i < call.fields.size(); i++) {
    const auto& operand = call.fields[i].argument;
    if (!operand.text) {  // any variable
      forget_variables(environment, call.node.span);
      continue;
    }
    const std::string_view text = *operand.text;
    if (text.starts_with("-") && text.size() > 1) {
      is_raw |= text.find('r') != std::string_view::npos;
      is_line &= text.find_first_of("dnN") == std::string_view::npos;
      is_array |= text.find('a') != std::string_view::npos;
      const char last = text.back();
      if (last == 'a' && i + 1 < call.fields.size()) continue;  // the array's name follows
      if (std::string_view("dinNptu").find(last) != std::string_view::npos) i++;
    } else if (shell::is_name(text)) {
      names.emplace_back(text, operand.span);
    }
  }
  if (names.empty()) names.emplace_back("REPLY", Span{});
  const bool takes_line = names.size() == 1 && is_raw && is_line && ifs(environment).empty();
  regular::CharSet symbols = symbols_of(line);
  if (!is_line) symbols.add('\n');
  // Backslashes and other ends of lines change more than where the line is cut.
  const bool is_cut = !takes_line && is_line && (is_raw || !symbols.contains('\\')) && !is_array;
  const std::string separators = ifs(environment);
  size_t index = 0;
  for (const auto& [name, place] : names) {
    Value value = word;
    const size_t at = index++;
    const auto part = [&](Lang lines) -> std::optional<Lang> {
      if (takes_line) return lines;
      return is_cut ? commands::read_field(lines, separators, at, names.size()) : std::nullopt;
    };
    if (!word.is_opaque) {
      value.strings = part(line).value_or(star(context_.set(symbols)));
      value.strings = optional(value.strings);  // at the end of the input it is empty
    }
    if (!input.kinds.empty() && part(line)) {
      value.printed = mapped(std::make_shared<const Printed>(Printed{input.producer, input.kinds}),
                             [&](Lang lines) { return *part(lines); });
    }
    if (records_types() && !place.empty()) recorder_.variable(place, name, value.strings);
    value.is_array = is_array;
    value.may_be_unset = is_array;
    store(names_[name], std::move(value), environment);
  }
  environment.status = uncertain(call.node.span);
  return none();
}

Ran Interpreter::run_mapfile(Call& call) {
  commands::Argument name{call.node.span, context_.literal("MAPFILE"), "MAPFILE", "", false};
  bool is_line = true;
  for (size_t i = 1; i < call.fields.size(); i++) {
    const commands::Argument& word = call.fields[i].argument;
    const bool is_option = word.text && word.text->starts_with("-");
    is_line &= !is_option || !word.text->starts_with("-d");
    if (is_option && word.text->size() == 2 && *word.text != "-t")
      i++;  // what the option takes
    else if (!is_option)
      name = word;
  }
  const Stream input = names_descriptor(call.fields) ? opaque() : call.io.input;
  Value lines = unknown(context_, Source::kInput, call.node.span);
  lines.is_opaque = input.choice == commands::Choice::kOpaque;
  lines.is_tainted = !call.io.is_own_text;
  const Lang line = commands::any_line(input);
  if (!lines.is_opaque && is_line)
    lines.strings = line + optional(context_.literal("\n"));
  else if (!lines.is_opaque)
    lines.strings = star(context_.set(symbols_of(line) | regular::CharSet::of('\n')));
  lines.is_array = true;
  lines.may_be_unset = true;
  store_by_name(name, std::move(lines), call.environment);
  call.environment.status = succeeded(call.node.span);
  return none();
}

Ran Interpreter::run_getopts(Call& call) {
  Environment& environment = call.environment;
  if (call.fields.size() > 2) {
    Value letter(context_.set(regular::CharSet::range('!', '~')));
    letter.origin = call.node.span;
    store_by_name(call.fields[2].argument, std::move(letter), environment);
  }
  Value argument = unknown(context_, Source::kArgument, call.node.span);
  argument.may_be_unset = true;
  store(names_["OPTARG"], std::move(argument), environment);
  environment.status = uncertain(call.node.span);
  return none();
}

// The variable that a word names; if it is not known which, any. An element of an array is one of
// several.
void Interpreter::store_by_name(const commands::Argument& word, Value value,
                                Environment& environment) {
  if (!word.text) return forget_variables(environment, word.span);
  const std::string_view text = *word.text;
  const std::string_view name = text.substr(0, text.find('['));
  if (!shell::is_name(name)) return;
  if (name.size() < text.size()) {
    value = joined(value, this->value(names_[name], environment));
    value.is_array = true;
    value.text.reset();
  }
  store(names_[name], std::move(value), environment);
}

// `printf -v name`: the variable gets what would be printed.
Ran Interpreter::run_printf(Call& call) {
  const commands::Card* card = cards_.find("printf");
  Ran ran = card ? by_card(call, *card, "printf") : unknown_command(call, "printf");
  call.environment.status = uncertain(call.node.span);  // %d of what is no number fails
  const bool is_text = call.fields.size() > 1 && call.fields[1].argument.text &&
                       prints_texts(*call.fields[1].argument.text);
  call.environment.status.is_printed = is_text && prints_at_hand(call.node);
  if (call.fields.size() > 2 && call.fields[1].argument.text == "-v") {
    store_by_name(call.fields[2].argument, unknown(context_, Source::kScript, call.node.span),
                  call.environment);
    return none();
  }
  return ran;
}

Ran Interpreter::run_shift(Call& call) {
  Positional& positional = call.environment.positional;
  int64_t count = 1;
  if (call.fields.size() > 1) count = to_number(call.fields[1].argument.text).value_or(-1);
  auto& first = positional.first;
  const auto is_there = [&](ValueId id) { return !values_[id].may_be_unset; };
  const bool has_enough = count >= 0 && std::cmp_less_equal(count, first.size()) &&
                          std::all_of(first.begin(), first.begin() + count, is_there);
  if (count < 0) {
    positional = {};
  } else {
    const Positional before = positional;
    first.erase(first.begin(),
                first.begin() + std::min<int64_t>(count, static_cast<int64_t>(first.size())));
    // Without enough of them the shell leaves them alone, or ends.
    if (!has_enough && !positional.may_have_more) positional = before;
  }
  call.environment.status = has_enough ? succeeded(call.node.span) : uncertain(call.node.span);
  return none();
}

// What is left of a variable that is unset: nothing, or what it had hidden from a function.
Value Interpreter::revealed(Name name, Span place) {
  Value result = unset(context_, place);
  for (const Frame& frame : frames_) {
    for (const auto& [hidden, value] : frame.hidden)
      if (hidden == name) result = joined(result, values_[value]);
    for (const auto& [hidden, value] : frame.locals)
      if (hidden == name && &frame != &frames_.back()) result = joined(result, values_[value]);
  }
  return result;
}

Ran Interpreter::run_unset(Call& call) {
  Environment& environment = call.environment;
  bool is_function = false, is_reference = false, can_fail = false;
  for (const Field& field : std::span(call.fields).subspan(1)) {
    if (!field.argument.text && !is_function) forget_variables(environment, call.node.span);
    const std::string text = field.argument.text.value_or("");
    if (text == "-f") is_function = true;
    if (text == "-n") is_reference = true;
    if (!shell::is_name(text)) {
      can_fail |= !text.starts_with('-');  // `unset 'r[-1]'` of an empty array
      continue;
    }
    const Name name = names_[text];
    const auto at = static_cast<size_t>(name);
    if (is_function) {
      if (at < environment.functions->size()) environment.functions.edit()[at] = {};
    } else if (is_reference) {
      put(name, values_.nothing(), environment);
    } else {
      store(name, revealed(name, call.node.span), environment);
    }
  }
  environment.status = can_fail ? uncertain(call.node.span) : succeeded(call.node.span);
  return none();
}

Ran Interpreter::run_let(Call& call) {
  for (const Field& field : std::span(call.fields).subspan(1)) {
    for (const Fragment& each : field.fragments) {
      if (each.kind == FragmentKind::kExpansion)
        publish(ArithmeticEvent{each.value, each.span}, rules_);
    }
  }
  for (const shell::Word& word : call.simple.words.subspan(1)) {
    const Value text = value_again(word, call.environment);
    const std::vector<LetName> assigned = assigned_by_let(text.text.value_or(text.prefix));
    if (text.prefix.empty() && !text.text) forget_variables(call.environment, word.span);
    for (const LetName& each : assigned) {
      Value number{integers(context_)};
      number.origin = word.span;
      const Value& before = value(names_[each.name], call.environment);
      if (!each.is_sure || before.is_array) number = joined(number, before);
      store(names_[each.name], std::move(number), call.environment);
    }
  }
  call.environment.status = uncertain(call.node.span);
  return none();
}

}  // namespace nacre::flow
