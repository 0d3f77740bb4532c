// The other builtins that give variables their values.
#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "commands/models.h"
#include "commands/words.h"
#include "flow/builtins.h"
#include "flow/expansion.h"
#include "flow/number.h"
#include "flow/rules/publish.h"
#include "flow/run.h"
#include "flow/simple_command.h"
#include "flow/variables.h"
#include "shell/characters.h"

namespace nacre::flow {

namespace {

// What is left of a variable that is unset: nothing, or what it had hidden from a function.
Value revealed_value(Run& run, Name name, Span place) {
  Value result = unset(run.languages, place);
  for (const Frame& frame : run.frames) {
    for (const auto& [hidden, value] : frame.hidden)
      if (hidden == name) result = joined(result, run.values[value]);
    for (const auto& [hidden, value] : frame.locals)
      if (hidden == name && &frame != &run.frames.back())
        result = joined(result, run.values[value]);
  }
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

}  // namespace

// What is read from lines like these, cut into words.
Ran run_read(Run& run, Call& call) {
  Environment& environment = call.environment;
  const Stream input = names_descriptor(call.fields) ? run.opaque() : call.io.input;
  const Lang line = commands::any_line(input);
  Value word = unknown(run.languages, Source::kInput, call.node.span);
  word.is_opaque = input.choice == commands::Choice::kOpaque;
  word.is_tainted = !call.io.is_own_text;
  word.is_typed = call.io.is_typed;
  std::vector<std::pair<std::string_view, Span>> names;
  bool is_raw = false, is_line = true, is_array = false;
  for (size_t i = 1; i < call.fields.size(); i++) {
    const auto& operand = call.fields[i].argument;
    if (!operand.text) {  // any variable
      forget_variables(run, environment, call.node.span);
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
  const bool takes_line = names.size() == 1 && is_raw && is_line && ifs(run, environment).empty();
  regular::CharSet symbols = symbols_of(line);
  if (!is_line) symbols.add('\n');
  // Backslashes and other ends of lines change more than where the line is cut.
  const bool is_cut = !takes_line && is_line && (is_raw || !symbols.contains('\\')) && !is_array;
  const std::string separators = ifs(run, environment);
  size_t index = 0;
  for (const auto& [name, place] : names) {
    Value value = word;
    const size_t at = index++;
    const auto part = [&](Lang lines) -> std::optional<Lang> {
      if (takes_line) return lines;
      return is_cut ? commands::read_field(lines, separators, at, names.size()) : std::nullopt;
    };
    if (!word.is_opaque) {
      value.strings = part(line).value_or(star(run.languages.set(symbols)));
      value.strings = optional(value.strings);  // at the end of the input it is empty
    }
    if (!input.kinds.empty() && part(line)) {
      value.printed = mapped(std::make_shared<const Printed>(Printed{input.producer, input.kinds}),
                             [&](Lang lines) { return *part(lines); });
    }
    if (!place.empty()) note_name(run, place, run.names[name], NameUse::kAssigned, value);
    value.is_array = is_array;
    value.may_be_unset = is_array;
    store(run, run.names[name], std::move(value), environment);
  }
  environment.status = uncertain(call.node.span);
  return run.none();
}

Ran run_mapfile(Run& run, Call& call) {
  commands::Argument name{call.node.span, run.languages.literal("MAPFILE"), "MAPFILE", "", false};
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
  const Stream input = names_descriptor(call.fields) ? run.opaque() : call.io.input;
  Value lines = unknown(run.languages, Source::kInput, call.node.span);
  lines.is_opaque = input.choice == commands::Choice::kOpaque;
  lines.is_tainted = !call.io.is_own_text;
  const Lang line = commands::any_line(input);
  if (!lines.is_opaque && is_line)
    lines.strings = line + optional(run.languages.literal("\n"));
  else if (!lines.is_opaque)
    lines.strings = star(run.languages.set(symbols_of(line) | regular::CharSet::of('\n')));
  lines.is_array = true;
  lines.may_be_unset = true;
  store_by_name(run, name, std::move(lines), call.environment);
  call.environment.status = succeeded(call.node.span);
  return run.none();
}

Ran run_getopts(Run& run, Call& call) {
  Environment& environment = call.environment;
  if (call.fields.size() > 2) {
    Value letter(run.languages.set(regular::CharSet::range('!', '~')));
    letter.origin = call.node.span;
    store_by_name(run, call.fields[2].argument, std::move(letter), environment);
  }
  Value argument = unknown(run.languages, Source::kArgument, call.node.span);
  argument.may_be_unset = true;
  store(run, run.names["OPTARG"], std::move(argument), environment);
  environment.status = uncertain(call.node.span);
  return run.none();
}

// `printf -v name`: the variable gets what would be printed.
Ran run_printf(Run& run, Call& call) {
  const commands::Card* card = run.cards.find("printf");
  Ran ran = card ? by_card(run, call, *card, "printf") : unknown_command(run, call, "printf");
  call.environment.status = uncertain(call.node.span);  // %d of what is no number fails
  const bool is_text = call.fields.size() > 1 && call.fields[1].argument.text &&
                       prints_texts(*call.fields[1].argument.text);
  call.environment.status.is_printed = is_text && prints_at_hand(call.node);
  if (call.fields.size() > 2 && call.fields[1].argument.text == "-v") {
    store_by_name(run, call.fields[2].argument,
                  unknown(run.languages, Source::kScript, call.node.span), call.environment);
    return run.none();
  }
  return ran;
}

Ran run_shift(Run& run, Call& call) {
  Positional& positional = call.environment.positional;
  int64_t count = 1;
  if (call.fields.size() > 1) count = to_number(call.fields[1].argument.text).value_or(-1);
  auto& first = positional.first;
  const auto is_there = [&](ValueId id) { return !run.values[id].may_be_unset; };
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
  return run.none();
}

Ran run_unset(Run& run, Call& call) {
  Environment& environment = call.environment;
  bool is_function = false, is_reference = false, can_fail = false;
  for (const Field& field : std::span(call.fields).subspan(1)) {
    if (!field.argument.text && !is_function) forget_variables(run, environment, call.node.span);
    const std::string text = field.argument.text.value_or("");
    if (text == "-f") is_function = true;
    if (text == "-n") is_reference = true;
    if (!shell::is_name(text)) {
      can_fail |= !text.starts_with('-');  // `unset 'r[-1]'` of an empty array
      continue;
    }
    const Name name = run.names[text];
    const auto at = static_cast<size_t>(name);
    if (is_function) {
      if (at < environment.functions->size()) environment.functions.edit()[at] = {};
    } else if (is_reference) {
      run.put(name, run.values.nothing(), environment);
    } else {
      note_name(run, field.argument.span, name, NameUse::kUnset, run.value(name, environment));
      store(run, name, revealed_value(run, name, call.node.span), environment);
    }
  }
  environment.status = can_fail ? uncertain(call.node.span) : succeeded(call.node.span);
  return run.none();
}

Ran run_let(Run& run, Call& call) {
  for (const Field& field : std::span(call.fields).subspan(1)) {
    for (const Fragment& each : field.fragments) {
      if (each.kind == FragmentKind::kExpansion)
        publish(ArithmeticEvent{each.value, each.span}, run.rules);
    }
  }
  for (const shell::Word& word : call.simple.words.subspan(1)) {
    const Value text = value_again(run, word, call.environment);
    const std::vector<LetName> assigned = assigned_by_let(text.text.value_or(text.prefix));
    if (text.prefix.empty() && !text.text) forget_variables(run, call.environment, word.span);
    for (const LetName& each : assigned) {
      Value number{integers(run.languages)};
      number.origin = word.span;
      const Value& before = run.value(run.names[each.name], call.environment);
      if (!each.is_sure || before.is_array) number = joined(number, before);
      store(run, run.names[each.name], std::move(number), call.environment);
    }
  }
  call.environment.status = uncertain(call.node.span);
  return run.none();
}

}  // namespace nacre::flow
