// The builtins that change how the script goes on, and the table of all builtins.
#include "flow/builtins.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "flow/call_words.h"
#include "flow/expansion.h"
#include "flow/number.h"
#include "flow/place_effects.h"
#include "flow/run.h"
#include "flow/simple_command.h"
#include "flow/tested.h"

namespace nacre::flow {

namespace {

Ran run_true(Run& run, Call& call) {
  call.environment.status = succeeded(call.node.span);
  return run.none();
}

Ran run_false(Run& run, Call& call) {
  call.environment.status = failed(call.node.span);
  return run.none();
}

// Leaves the frame: the state is kept for what goes on after it.
void leave_frame(Run& run, Frame& frame, const Status& status, Environment& environment) {
  environment.status = status;
  Branches ends = split_status(run, std::move(environment));
  frame.ends.success = join(run.values, frame.ends.success, ends.success);
  frame.ends.failure = join(run.values, frame.ends.failure, ends.failure);
  // A failing path prints nothing, so it does not count as one that prints less.
  if (ends.success.is_reachable) frame.ways_out++;
  environment = unreachable();
}

// The status of `exit N`, `return N`: as far as the argument says.
Status status_of(const Call& call) {
  if (call.fields.size() < 2) return call.environment.status;
  const auto number = to_number(call.fields[1].argument.text);
  const Lang value = call.fields[1].argument.value;
  if (!number) return {contains(value, "0"), true, false, call.node.span};
  return *number % 256 == 0 ? succeeded(call.node.span) : failed(call.node.span);
}

Ran run_exit(Run& run, Call& call) {
  leave_frame(run, run.process_frame(), status_of(call), call.environment);
  return run.none();
}

Ran run_return(Run& run, Call& call) {
  leave_frame(run, run.frames.back(), status_of(call), call.environment);
  return run.none();
}

Ran leave_round(Run& run, Call& call, Environment Loop::*target) {
  auto& loops = run.frames.back().loops;
  call.environment.status = succeeded(call.node.span);
  if (loops.empty()) return run.none();  // the shells ignore it
  const size_t levels = call.fields.size() > 1
                            ? static_cast<size_t>(std::clamp<int64_t>(
                                  to_number(call.fields[1].argument.text).value_or(1), 1,
                                  static_cast<int64_t>(loops.size())))
                            : 1;
  Loop& loop = loops[loops.size() - levels];
  loop.*target = join(run.values, loop.*target, call.environment);
  call.environment = unreachable();
  return run.none();
}

Ran run_break(Run& run, Call& call) { return leave_round(run, call, &Loop::breaks); }

Ran run_continue(Run& run, Call& call) { return leave_round(run, call, &Loop::continues); }

void set_option(Options& options, std::string_view name, Known on) {
  if (name == "errexit" || name == "e") {
    options.errexit = on;
    options.errexit_suspended = Known::kNo;
  }
  if (name == "nounset" || name == "u") options.nounset = on;
  if (name == "noglob" || name == "f") options.noglob = on;
  if (name == "noclobber" || name == "C") options.noclobber = on;
  if (name == "pipefail") options.pipefail = on;
}

Ran run_set(Run& run, Call& call) {
  call.environment.status = succeeded(call.node.span);
  if (call.fields.size() == 1) return run.opaque();  // it prints all variables
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
        positional.push_back(run.values.add(value_of_field(run, field, field.argument.span)));
    }
  }
  if (sets_positional) call.environment.positional = {std::move(positional), may_have_more};
  return run.none();
}

Ran run_shopt(Run& run, Call& call) {
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
  return run.none();
}

Ran run_cd(Run& run, Call& call) {
  Environment& environment = call.environment;
  environment.status = uncertain(call.node.span);
  if (call.io.is_piped) {
    call.stages.push_back(
        {call.node.span, "cd", true, call.io.input, commands::Behaviour(run.none())});
    call.stages.back().behaviour.reads_input = false;
  }
  Directory directory;
  directory.is_start = false;
  directory.changed_by = call.node.span;
  directory.may_have_failed = true;
  directory.path = call.fields.size() > 1 ? call.fields.back().argument.text.value_or("") : "~";
  const std::string_view target = run.tree.text(call.fields.back().argument.span);
  if (target == "~" || target == "$HOME" || target == "\"$HOME\"") directory.path = "~";
  enter_place(run, call, directory);
  directory.may_be_wrong =
      call.fields.size() > 1 && contains(possible_path(call.fields.back()), "");
  if (run.where.elsewhere == 0) directory.given = call.fields.back().word;
  environment.directory = std::move(directory);
  for (const std::string_view name : {"PWD", "OLDPWD"}) {
    Value path(run.languages.literal("/") + any_value(run.languages));
    path.source = Source::kEnvironment;
    path.origin = call.node.span;
    run.put(run.names[name], run.values.add(std::move(path)), environment);
  }
  environment.files = {};  // their names mean other files now
  return run.none();
}

Ran run_exec(Run& run, Call& call) {
  call.environment.status = succeeded(call.node.span);
  if (call.fields.size() < 2) return run.none();
  call.fields.erase(call.fields.begin());
  Ran ran = dispatch_command(run, call);
  call.environment = unreachable();
  return ran;
}

Ran run_command(Run& run, Call& call) {
  const auto is_option = [](const Field& field) {
    return field.argument.text && field.argument.text->starts_with("-");
  };
  const bool asks = call.fields.size() > 1 && is_option(call.fields[1]);
  if (asks || call.fields.size() < 2) {
    const commands::Card* card = run.cards.find("command");
    return card ? by_card(run, call, *card, "command") : unknown_command(run, call, "command");
  }
  call.fields.erase(call.fields.begin());
  return dispatch_command(run, call);
}

}  // namespace

Builtin find_builtin(std::string_view name) {
  static constexpr std::pair<std::string_view, Builtin> kBuiltins[] = {
      {":", &run_true},
      {".", &run_source},
      {"break", &run_break},
      {"builtin", &run_command},
      {"cd", &run_cd},
      {"command", &run_command},
      {"continue", &run_continue},
      {"declare", &run_declare},
      {"eval", &run_eval},
      {"exec", &run_exec},
      {"exit", &run_exit},
      {"export", &run_export},
      {"false", &run_false},
      {"getopts", &run_getopts},
      {"let", &run_let},
      {"local", &run_local},
      {"mapfile", &run_mapfile},
      {"printf", &run_printf},
      {"read", &run_read},
      {"readarray", &run_mapfile},
      {"readonly", &run_export},
      {"return", &run_return},
      {"set", &run_set},
      {"shift", &run_shift},
      {"shopt", &run_shopt},
      {"source", &run_source},
      {"trap", &run_trap},
      {"true", &run_true},
      {"typeset", &run_declare},
      {"unset", &run_unset},
  };
  for (const auto& [known, builtin] : kBuiltins) {
    if (known == name) return builtin;
  }
  return nullptr;
}

bool is_interpreted_builtin(std::string_view name) { return find_builtin(name) != nullptr; }

// `#!/bin/sh -e`: a file that is run as a program is run so.
void inherit_options(Run& run, Environment& environment) {
  const std::string_view bytes = run.tree.file().bytes();
  if (!bytes.starts_with("#!")) return;
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

}  // namespace nacre::flow
