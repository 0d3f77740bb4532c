// What a script finds in its environment.
#include <utility>

#include "flow/number.h"
#include "flow/run.h"
#include "flow/variables.h"

namespace nacre::flow {

namespace {

// What the shell itself counts; it goes on counting whatever is assigned. A plain sh has few of
// them, and the terminal's size is not known to every shell.
void inherit_numbers(Run& run, Environment& environment) {
  const bool is_plain =
      run.tree.dialect() != shell::Dialect::kBash && run.tree.dialect() != shell::Dialect::kKsh;
  const auto number = [&](std::string_view name, bool is_there, uint8_t varies = 0) {
    Value result(plus(run.languages.set(regular::CharSet::range('0', '9'))));
    result.source = Source::kEnvironment;
    result.may_be_unset = !is_there;
    result.varies = varies;
    const ValueId id = run.values.add(std::move(result));
    run.put(run.names[name], id, environment);
    return id;
  };
  const auto keep = [&](std::string_view name, bool is_there, uint8_t varies = 0) {
    run.script.kept.emplace(run.names[name], number(name, is_there, varies));
  };
  for (const std::string_view name : {"LINENO", "OPTIND"}) keep(name, true);
  keep("PPID", true, kVariesByProcess);
  for (const std::string_view name : {"UID", "EUID", "BASH_SUBSHELL"}) keep(name, !is_plain);
  for (const std::string_view name : {"RANDOM", "SRANDOM"}) keep(name, !is_plain, kVariesByChance);
  keep("BASHPID", !is_plain, kVariesByProcess);
  keep("EPOCHSECONDS", !is_plain, kVariesByTime);
  if (!is_plain) keep("SECONDS", true, kVariesByTime);  // ksh has fractions
  for (const std::string_view name : {"PIPESTATUS", "BASH_LINENO"}) keep(name, false);
  for (const std::string_view name : {"COLUMNS", "LINES"}) number(name, false);
}

}  // namespace

// What the environment of any process holds.
void inherit_variables(Run& run, Environment& environment) {
  for (const std::string_view name : {"HOME", "PWD", "OLDPWD"}) {
    Value path(run.languages.literal("/") + any_value(run.languages));
    path.source = Source::kEnvironment;
    path.prefix = "/";
    run.put(run.names[name], run.values.add(path), environment);
  }
  const Lang directory = star(run.languages.set(regular::CharSet::all(run.languages.alphabet()) -
                                                regular::CharSet::of({"\0:", 2})));
  Value path(directory + star(run.languages.literal(":") + directory));
  path.source = Source::kEnvironment;
  run.put(run.names["PATH"], run.values.add(path), environment);
  for (const std::string_view name :
       {"USER", "LOGNAME", "SHELL", "HOSTNAME", "BASH", "BASH_VERSION"}) {
    Value text = unknown(run.languages, Source::kEnvironment);
    text.strings = any_value(run.languages) - run.languages.literal("");
    text.may_be_unset = name.starts_with("BASH") && run.tree.dialect() != shell::Dialect::kBash;
    text.is_tainted = false;
    run.put(run.names[name], run.values.add(text), environment);
  }
  // Every shell begins with this, whatever its environment holds.
  run.put(run.ifs, run.values.add(constant(run.languages, " \t\n")), environment);
  inherit_numbers(run, environment);
}

// The environment as it is now.
void inherit_present(Run& run, Environment& environment) {
  if (run.options.files == nullptr || !run.options.concretizes) return;
  for (const auto& [name, text] : run.options.files->environment()) {
    Value value = constant(run.languages, text);
    value.source = Source::kEnvironment;
    run.put(run.names[name], run.values.add(std::move(value)), environment);
  }
}

}  // namespace nacre::flow
