// The builtins that change how the script goes on.
#include <algorithm>
#include <fmt/core.h>
#include <sstream>

#include "flow/call_words.h"
#include "flow/interpreter.h"
#include "flow/number.h"

namespace nacre::flow {

namespace {

// The status of `exit N`, `return N`: as far as the argument says.
Status status_of(const Call& call) {
  if (call.fields.size() < 2) return call.environment.status;
  const auto number = to_number(call.fields[1].argument.text);
  const Lang value = call.fields[1].argument.value;
  if (!number) return {contains(value, "0"), true, false, call.node.span};
  return *number % 256 == 0 ? succeeded(call.node.span) : failed(call.node.span);
}

}  // namespace

Interpreter::Builtin Interpreter::find_builtin(std::string_view name) {
  static constexpr std::pair<std::string_view, Builtin> kBuiltins[] = {
      {":", &Interpreter::run_true},
      {".", &Interpreter::run_source},
      {"break", &Interpreter::run_break},
      {"builtin", &Interpreter::run_command},
      {"cd", &Interpreter::run_cd},
      {"command", &Interpreter::run_command},
      {"continue", &Interpreter::run_continue},
      {"declare", &Interpreter::run_declare},
      {"eval", &Interpreter::run_eval},
      {"exec", &Interpreter::run_exec},
      {"exit", &Interpreter::run_exit},
      {"export", &Interpreter::run_export},
      {"false", &Interpreter::run_false},
      {"getopts", &Interpreter::run_getopts},
      {"let", &Interpreter::run_let},
      {"local", &Interpreter::run_local},
      {"mapfile", &Interpreter::run_mapfile},
      {"printf", &Interpreter::run_printf},
      {"read", &Interpreter::run_read},
      {"readarray", &Interpreter::run_mapfile},
      {"readonly", &Interpreter::run_export},
      {"return", &Interpreter::run_return},
      {"set", &Interpreter::run_set},
      {"shift", &Interpreter::run_shift},
      {"shopt", &Interpreter::run_shopt},
      {"source", &Interpreter::run_source},
      {"trap", &Interpreter::run_trap},
      {"true", &Interpreter::run_true},
      {"typeset", &Interpreter::run_declare},
      {"unset", &Interpreter::run_unset},
  };
  for (const auto& [known, builtin] : kBuiltins) {
    if (known == name) return builtin;
  }
  return nullptr;
}

bool is_interpreted_builtin(std::string_view name) { return Interpreter::has_builtin(name); }

Ran Interpreter::run_true(Call& call) {
  call.environment.status = succeeded(call.node.span);
  return none();
}

Ran Interpreter::run_false(Call& call) {
  call.environment.status = failed(call.node.span);
  return none();
}

// Leaves the frame: the state is kept for whoever goes on behind it.
void Interpreter::leave(Frame& frame, const Status& status, Environment& environment) {
  environment.status = status;
  Branches ends = split(std::move(environment));
  frame.ends.success = join(values_, frame.ends.success, ends.success);
  frame.ends.failure = join(values_, frame.ends.failure, ends.failure);
  // Who fails prints nothing, and it is not assumed that somebody goes on with that.
  if (ends.success.is_reachable) frame.ways_out++;
  environment = unreachable();
}

Frame& Interpreter::process_frame() {
  const auto is_end = [](const Frame& frame) { return frame.is_subshell; };
  const auto inner = std::find_if(frames_.rbegin(), frames_.rend(), is_end);
  return inner == frames_.rend() ? frames_.front() : *inner;
}

Ran Interpreter::run_exit(Call& call) {
  leave(process_frame(), status_of(call), call.environment);
  return none();
}

Ran Interpreter::run_return(Call& call) {
  leave(frames_.back(), status_of(call), call.environment);
  return none();
}

Ran Interpreter::jump(Call& call, Environment Loop::*target) {
  auto& loops = frames_.back().loops;
  call.environment.status = succeeded(call.node.span);
  if (loops.empty()) return none();  // the shells ignore it
  const size_t levels = call.fields.size() > 1
                            ? static_cast<size_t>(std::clamp<int64_t>(
                                  to_number(call.fields[1].argument.text).value_or(1), 1,
                                  static_cast<int64_t>(loops.size())))
                            : 1;
  Loop& loop = loops[loops.size() - levels];
  loop.*target = join(values_, loop.*target, call.environment);
  call.environment = unreachable();
  return none();
}

Ran Interpreter::run_break(Call& call) { return jump(call, &Loop::breaks); }
Ran Interpreter::run_continue(Call& call) { return jump(call, &Loop::continues); }

namespace {

void set_option(Options& options, std::string_view name, Known on) {
  if (name == "errexit" || name == "e") {
    options.errexit = on;
    options.spares = Known::kNo;
  }
  if (name == "nounset" || name == "u") options.nounset = on;
  if (name == "noglob" || name == "f") options.noglob = on;
  if (name == "noclobber" || name == "C") options.noclobber = on;
  if (name == "pipefail") options.pipefail = on;
}

}  // namespace

// `#!/bin/sh -e`: whoever runs the file as a program runs it so.
void Interpreter::inherit_options(Environment& environment) {
  const std::string_view bytes = tree_.file().bytes();
  if (!script_.is_program) return;
  std::istringstream words(std::string(bytes.substr(0, bytes.find('\n'))));
  for (std::string word; words >> word;) {
    if (!word.starts_with('-') || word.starts_with("--")) continue;
    for (const char letter : word.substr(1)) {
      std::string name(1, letter);
      if (letter == 'o') words >> name;
      set_option(environment.options, name, Known::kYes);
    }
  }
}

Ran Interpreter::run_set(Call& call) {
  call.environment.status = succeeded(call.node.span);
  if (call.fields.size() == 1) return opaque();  // it prints all variables
  std::vector<ValueId> positional;
  bool sets_positional = false, may_have_more = false;
  for (size_t i = 1; i < call.fields.size(); i++) {
    const Field& field = call.fields[i];
    const std::string text = field.argument.text.value_or("");
    const bool is_option =
        !sets_positional && text.size() > 1 && (text[0] == '-' || text[0] == '+');
    if (!sets_positional && text == "-" && i + 1 < call.fields.size()) {
      sets_positional = true;
    } else if (is_option && text == "--") {
      sets_positional = true;
    } else if (is_option) {
      const Known on = text[0] == '-' ? Known::kYes : Known::kNo;
      for (const char letter : text.substr(1)) {
        if (letter == 'o' && i + 1 < call.fields.size()) {
          set_option(call.environment.options, call.fields[++i].argument.text.value_or(""), on);
        } else {
          set_option(call.environment.options, std::string_view(&letter, 1), on);
        }
      }
    } else {
      sets_positional = true;
      may_have_more |= field.may_vanish || field.may_repeat;
      if (!may_have_more)
        positional.push_back(values_.add(value_of_field(field, field.argument.span)));
    }
  }
  if (sets_positional) call.environment.positional = {std::move(positional), may_have_more};
  return none();
}

Ran Interpreter::run_shopt(Call& call) {
  call.environment.status = succeeded(call.node.span);
  Known on = Known::kMaybe;
  for (const Field& field : std::span(call.fields).subspan(1)) {
    const std::string text = field.argument.text.value_or("");
    if (text == "-s") on = Known::kYes;
    if (text == "-u") on = Known::kNo;
    if (text == "nullglob") call.environment.options.nullglob = on;
    if (text == "lastpipe") call.environment.options.lastpipe = on;
    if (text == "nocasematch") call.environment.options.nocasematch = on;
  }
  return none();
}

Ran Interpreter::run_cd(Call& call) {
  Environment& environment = call.environment;
  environment.status = uncertain(call.node.span);
  if (call.io.is_piped) {
    call.stages.push_back({call.node.span, "cd", true, call.io.input, commands::Behaviour(none())});
    call.stages.back().behaviour.reads_input = false;
  }
  Directory directory;
  directory.is_start = false;
  directory.changed_by = call.node.span;
  directory.may_have_failed = true;
  directory.path = call.fields.size() > 1 ? call.fields.back().argument.text.value_or("") : "~";
  const std::string_view target = tree_.text(call.fields.back().argument.span);
  if (target == "~" || target == "$HOME" || target == "\"$HOME\"") directory.path = "~";
  directory.may_be_wrong =
      call.fields.size() > 1 && contains(possible_path(call.fields.back()), "");
  if (where_.elsewhere == 0) directory.given = call.fields.back().word;
  environment.directory = std::move(directory);
  for (const std::string_view name : {"PWD", "OLDPWD"}) {
    Value path(context_.literal("/") + any_value(context_));
    path.source = Source::kEnvironment;
    path.origin = call.node.span;
    put(names_[name], values_.add(std::move(path)), environment);
  }
  environment.files = {};  // their names mean other files now
  return none();
}

// Any variable may have been set, and any function defined. That code which nobody sees empties
// what the script relies on is not assumed.
void Interpreter::forget_variables(Environment& environment, Span by) {
  const auto [known, is_new] = forgotten_.try_emplace(by.begin);
  if (is_new) {
    Value anything = something(context_, Source::kScript, by);
    anything.may_be_foreign = true;
    anything.is_tainted = false;
    known->second = values_.add(std::move(anything));
  }
  const ValueId id = known->second;
  auto& variables = environment.variables.edit();
  variables.resize(names_.size(), values_.inherited());
  for (size_t i = 0; i < variables.size(); i++) {
    if (script_.kept.contains(Name{static_cast<uint32_t>(i)})) continue;
    ValueId& value = variables[i];
    value = value == values_.inherited() ? id : values_.join(value, id);
  }
  environment.has_unknown_code = true;
  if (!environment.lost->empty()) environment.lost = {};
}

Ran Interpreter::run_exec(Call& call) {
  call.environment.status = succeeded(call.node.span);
  if (call.fields.size() < 2) return none();
  call.fields.erase(call.fields.begin());
  Ran ran = dispatch_command(call);
  call.environment = unreachable();
  return ran;
}

Ran Interpreter::run_command(Call& call) {
  const auto is_option = [](const Field& field) {
    return field.argument.text && field.argument.text->starts_with("-");
  };
  const bool asks = call.fields.size() > 1 && is_option(call.fields[1]);
  if (asks || call.fields.size() < 2) {
    const commands::Card* card = cards_.find("command");
    return card ? by_card(call, *card, "command") : unknown_command(call, "command");
  }
  call.fields.erase(call.fields.begin());
  return dispatch_command(call);
}

}  // namespace nacre::flow
