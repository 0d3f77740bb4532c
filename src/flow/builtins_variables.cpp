// The builtins that give variables their values.
#include <algorithm>
#include <utility>

#include "commands/models.h"
#include "flow/assigned.h"
#include "flow/interpreter.h"
#include "flow/number.h"
#include "shell/characters.h"

namespace nacre::flow {

namespace {

// `name=value` as a word: the name, and the value's parts.
struct NamedValue {
  std::string_view name;
  bool has_value = false;
  bool is_append = false;
};

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
  return result;
}

}  // namespace

// declare, local, export, readonly: `name` or `name=value`, after options.
Stream Interpreter::declare(Call& call, bool is_local, bool keeps) {
  Environment& environment = call.environment;
  if (call.fields.size() == 1) return opaque();  // it prints all variables
  bool is_integer = false, is_array = false, is_reference = false;
  for (const shell::Word& word : call.simple.words.subspan(1)) {
    const NamedValue named = named_value(word);
    if (named.name.empty()) {
      const std::string_view option = word.is_literal() ? word.literal() : "";
      if (option.starts_with("-")) {
        is_integer |= option.find('i') != std::string_view::npos;
        is_reference |= option.find('n') != std::string_view::npos && !keeps;
        is_array |= option.find_first_of("aA") != std::string_view::npos;
        if (option.find('g') != std::string_view::npos) is_local = false;
        if (option.find_first_of("fFp") != std::string_view::npos) return opaque();
      }
      continue;
    }
    const Name name = names_[named.name];
    if (is_local) frames_.back().locals.emplace_back(name, lookup(name, environment));
    if (!named.has_value) {
      if (keeps && !is_array && !is_integer) continue;
      Value value =
          is_local || is_array ? unset(context_, word.span) : this->value(name, environment);
      value.is_array = is_array;
      value.is_integer = is_integer;
      store(name, std::move(value), environment);
      continue;
    }
    Value value = assigned_value(word, environment);
    if (is_reference) refer_to(value, environment);
    if (named.is_append && !is_local) {
      const Value& before = this->value(name, environment);
      const bool is_list = value.is_array || before.is_array;
      value = is_list ? joined(value, before) : appended(before, value, word.span);
    }
    if (is_integer) value.strings = integers(context_);
    if (is_integer) value.text.reset();
    value.is_integer = is_integer;
    value.is_array |= is_array;
    value.origin = word.span;
    const Span place{word.span.begin, word.span.begin + static_cast<uint32_t>(named.name.size())};
    if (records_types()) recorder_.variable(place, named.name, expansion_of(value));
    store(name, std::move(value), environment);
  }
  if (substitution_status_) judge_masked(call, *substitution_status_);
  environment.status = succeeded(call.node.span);
  return none();
}

// `local -n r=x`: from now on something may be put into x by another name.
void Interpreter::refer_to(const Value& target, Environment& environment) {
  if (!target.text) return forget_variables(environment, target.origin);
  Value anything = unknown(context_, Source::kScript, target.origin);
  anything.strings = anything.strings - context_.literal("");
  store(names_[*target.text], std::move(anything), environment);
}

// The value of a word `name=value`, which is not split.
Value Interpreter::assigned_value(const shell::Word& word, Environment& environment) {
  findings_.mute();  // it was expanded before, as a word of the command
  std::vector<Fragment> fragments;
  add_fragments(word.parts(), true, environment, fragments);
  findings_.unmute();
  const std::string first = *fragments[0].value.text;
  const std::string_view rest = std::string_view(first).substr(first.find('=') + 1);
  fragments[0].value = constant(context_, rest, fragments[0].span);
  if (fragments.size() == 2 && rest.empty()) fragments.erase(fragments.begin());
  if (fragments[0].kind == FragmentKind::kList) return fragments[0].value;  // name=(...)
  return concatenated(context_, fragments, word.span);
}

Stream Interpreter::run_declare(Call& call) {
  return declare(call, frames_.back().function != nullptr, false);
}
Stream Interpreter::run_local(Call& call) { return declare(call, true, false); }
Stream Interpreter::run_export(Call& call) { return declare(call, false, true); }

// What is read from lines like these, cut into words.
Stream Interpreter::run_read(Call& call) {
  Environment& environment = call.environment;
  const Lang line = commands::any_line(call.io.input);
  Value word = unknown(context_, Source::kInput, call.node.span);
  word.is_opaque = call.io.input.choice == commands::Choice::kOpaque;
  word.is_tainted = !call.io.is_own_text;
  word.is_typed = call.io.is_typed;
  std::vector<std::pair<std::string_view, Span>> names;
  bool is_raw = false;
  for (size_t i = 1; i < call.fields.size(); i++) {
    const auto& operand = call.fields[i].argument;
    if (!operand.text) {  // any variable
      forget_variables(environment, call.node.span);
      continue;
    }
    const std::string_view text = *operand.text;
    if (text.starts_with("-") && text.size() > 1) {
      is_raw |= text.find('r') != std::string_view::npos;
      const char last = text.back();
      if (last == 'a' && i + 1 < call.fields.size()) continue;  // the array's name follows
      if (std::string_view("dinNptu").find(last) != std::string_view::npos) i++;
    } else if (shell::is_name(text)) {
      names.emplace_back(text, operand.span);
    }
  }
  judge_raw_read(call, is_raw);
  if (names.empty()) names.emplace_back("REPLY", Span{});
  const bool takes_line = names.size() == 1 && is_raw && ifs(environment).empty();
  for (const auto& [name, place] : names) {
    Value value = word;
    if (!word.is_opaque) {
      value.strings = takes_line ? line : star(context_.set(symbols_of(line)));
      value.strings = optional(value.strings);  // at the end of the input it is empty
    }
    if (records_types() && !place.empty()) recorder_.variable(place, name, value.strings);
    store(names_[name], std::move(value), environment);
  }
  environment.status = uncertain(call.node.span);
  return none();
}

Stream Interpreter::run_mapfile(Call& call) {
  std::string_view name = "MAPFILE";
  for (const shell::Word& word : call.simple.words.subspan(1)) {
    if (word.is_literal() && shell::is_name(word.literal())) name = word.literal();
  }
  Value lines = unknown(context_, Source::kInput, call.node.span);
  lines.is_opaque = call.io.input.choice == commands::Choice::kOpaque;
  lines.is_tainted = !call.io.is_own_text;
  if (!lines.is_opaque)
    lines.strings = commands::any_line(call.io.input) + optional(context_.literal("\n"));
  lines.is_array = true;
  lines.may_be_unset = true;
  store(names_[name], std::move(lines), call.environment);
  call.environment.status = succeeded(call.node.span);
  return none();
}

Stream Interpreter::run_getopts(Call& call) {
  Environment& environment = call.environment;
  if (call.fields.size() > 2 && call.fields[2].argument.text) {
    Value letter(context_.set(regular::CharSet::range('!', '~')));
    letter.origin = call.node.span;
    store(names_[*call.fields[2].argument.text], std::move(letter), environment);
  }
  Value argument = unknown(context_, Source::kArgument, call.node.span);
  argument.may_be_unset = true;
  store(names_["OPTARG"], std::move(argument), environment);
  environment.status = uncertain(call.node.span);
  return none();
}

// `printf -v name`: the variable gets what would be printed.
Stream Interpreter::run_printf(Call& call) {
  const commands::Card* card = cards_.find("printf");
  Stream output = card ? by_card(call, *card, "printf") : unknown_command(call, "printf");
  call.environment.status = uncertain(call.node.span);  // %d of what is no number fails
  call.environment.status.is_printed = prints_at_hand(call.node);
  if (call.fields.size() > 2 && call.fields[1].argument.text == "-v" &&
      call.fields[2].argument.text) {
    store(names_[*call.fields[2].argument.text], unknown(context_, Source::kScript, call.node.span),
          call.environment);
    return none();
  }
  return output;
}

Stream Interpreter::run_shift(Call& call) {
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
    first.erase(first.begin(),
                first.begin() + std::min<int64_t>(count, static_cast<int64_t>(first.size())));
  }
  call.environment.status = has_enough ? succeeded(call.node.span) : uncertain(call.node.span);
  return none();
}

Stream Interpreter::run_unset(Call& call) {
  Environment& environment = call.environment;
  bool is_function = false;
  for (const Field& field : std::span(call.fields).subspan(1)) {
    const std::string text = field.argument.text.value_or("");
    if (text == "-f") is_function = true;
    if (!shell::is_name(text)) continue;
    const Name name = names_[text];
    const auto at = static_cast<size_t>(name);
    if (is_function) {
      if (at < environment.functions->size()) environment.functions.edit()[at] = {};
    } else {
      store(name, unset(context_, call.node.span), environment);
    }
  }
  environment.status = succeeded(call.node.span);
  return none();
}

Stream Interpreter::run_let(Call& call) {
  for (const Field& field : std::span(call.fields).subspan(1)) {
    for (const Fragment& each : field.fragments) {
      if (each.kind == FragmentKind::kExpansion) judge_arithmetic(each.value, each.span);
    }
  }
  for (const shell::Word& word : call.simple.words.subspan(1)) {
    for (const Assigned& assigned : assigned_by_let(word)) {
      Value number{integers(context_)};
      number.origin = word.span;
      store(names_[assigned.name], std::move(number), call.environment);
    }
  }
  call.environment.status = uncertain(call.node.span);
  return none();
}

}  // namespace nacre::flow
