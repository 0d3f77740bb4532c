// Small builtins of bash: builtin, caller, enable, disown, compgen.
#include <algorithm>
#include <fmt/format.h>

#include "machine/arithmetic.h"
#include "machine/builtin_options.h"
#include "machine/builtins.h"
#include "machine/declare.h"
#include "machine/glob.h"
#include "machine/machine.h"

namespace nacre::machine {

// Only called for a name that is not a builtin: the others are run in its place.
int run_builtin(Machine& machine, Args args) {
  size_t at = args.size() > 1 && args[1] == "--" ? 2 : 1;
  if (args.size() <= at) return 0;
  return machine.builtin_failure(args[0], fmt::format("{}: not a shell builtin", args[at]), 1);
}

int run_caller(Machine& machine, Args args) {
  int64_t level = 0;
  bool has_level = args.size() > 1;
  if (has_level && (!parse_integer(args[1], level) || level < 0)) {
    machine.builtin_error(args[0], fmt::format("{}: invalid number", args[1]));
    return machine.usage_failure(args[0]);
  }
  auto value = [&](std::string_view name, int64_t at) -> std::string {
    std::shared_ptr<const Array> array = machine.dynamic_array(machine.names().intern(name));
    const std::string* found = array == nullptr ? nullptr : array->find(Key(at));
    return found == nullptr ? "" : *found;
  };
  std::string line = value("BASH_LINENO", level);
  std::string function = value("FUNCNAME", level + 1);
  if (value("FUNCNAME", level).empty() || line.empty() || line == "0") return 1;
  std::string source = value("BASH_SOURCE", level + 1);
  if (source.empty()) source = "NULL";
  if (!has_level) {
    machine.out(fmt::format("{} {}\n", line, source));
    return 0;
  }
  if (function.empty()) return 1;
  machine.out(fmt::format("{} {} {}\n", line, function, source));
  return 0;
}

int run_enable(Machine& machine, Args args) {
  OptionScanner options(args, "anps");
  bool disables = false;
  bool all = false;
  while (char letter = options.next()) {
    if (letter == '?') {
      return machine.bad_option(args[0], options.letter());
    }
    disables |= letter == 'n';
    all |= letter == 'a';
  }
  auto& disabled = machine.state.disabled;
  if (options.operands() == args.size()) {
    for (const Builtin& builtin : builtins()) {
      bool is_off = disabled.contains(builtin.name);
      if (is_off == disables || all) {
        machine.out(fmt::format("enable {}{}\n", is_off ? "-n " : "", builtin.name));
      }
    }
    return 0;
  }
  int status = 0;
  for (size_t i = options.operands(); i < args.size(); ++i) {
    if (find_builtin(args[i], true) == nullptr) {
      machine.builtin_error(args[0], fmt::format("{}: not a shell builtin", args[i]));
      status = 1;
    } else if (disables) {
      disabled.emplace(args[i]);
    } else if (auto found = disabled.find(args[i]); found != disabled.end()) {
      disabled.erase(found);
    }
  }
  return status;
}

int run_disown(Machine& machine, Args args) {
  OptionScanner options(args, "arh");
  bool all = false;
  while (char letter = options.next()) {
    if (letter == '?') {
      return machine.bad_option(args[0], options.letter());
    }
    all |= letter != 'h';
  }
  if (all) {
    machine.state.jobs.clear();
    return 0;
  }
  int status = 0;
  for (size_t i = options.operands(); i < args.size() || i == options.operands(); ++i) {
    std::string name(i < args.size() ? args[i] : "%%");
    std::string error;
    int64_t pid = 0;
    Job* job = parse_integer(name, pid) ? machine.state.jobs.find_pid(static_cast<world::Pid>(pid))
                                        : machine.state.jobs.named(name, error);
    if (job == nullptr) {
      machine.builtin_error(args[0],
                            fmt::format("{}: no such job", i < args.size() ? name : "current"));
      status = 1;
    } else {
      machine.state.jobs.remove(job->number);
    }
  }
  return status;
}

namespace {

void add_matching(std::vector<std::string>& to, std::string_view candidate,
                  std::string_view prefix) {
  if (candidate.starts_with(prefix)) to.emplace_back(candidate);
}

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> result;
  size_t at = 0;
  while ((at = list.find_first_not_of(" \t\n", at)) != std::string_view::npos) {
    size_t end = std::min(list.find_first_of(" \t\n", at), list.size());
    result.emplace_back(list.substr(at, end - at));
    at = end;
  }
  return result;
}

void add_files(Machine& machine, std::vector<std::string>& to, std::string_view prefix,
               bool only_directories) {
  std::string pattern;
  for (char c : prefix) {
    if (std::string_view("*?[]\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  for (const std::string& name : glob(*machine.os, pattern + "*", machine.state.locale)) {
    if (!only_directories || world::is_directory(*machine.os, name)) to.push_back(name);
  }
}

}  // namespace

int run_compgen(Machine& machine, Args args) {
  OptionScanner options(args, "abcdefjksuvA:W:P:S:o:F:X:G:C:");
  std::vector<std::string_view> actions;
  std::string_view words, before, after;
  while (char letter = options.next()) {
    switch (letter) {
      case 'a': actions.push_back("alias"); break;
      case 'b': actions.push_back("builtin"); break;
      case 'c': actions.push_back("command"); break;
      case 'd': actions.push_back("directory"); break;
      case 'f': actions.push_back("file"); break;
      case 'k': actions.push_back("keyword"); break;
      case 'v': actions.push_back("variable"); break;
      case 'A': actions.push_back(options.value()); break;
      case 'W': words = options.value(); break;
      case 'P': before = options.value(); break;
      case 'S': after = options.value(); break;
      default: return machine.bad_option(args[0], options.letter());
    }
  }
  std::string prefix(options.operands() < args.size() ? args[options.operands()] : "");
  std::vector<std::string> found;
  for (std::string_view action : actions) {
    bool is_command = action == "command";
    if (action == "alias" || is_command) {
      for (const auto& [name, value] : machine.state.aliases) add_matching(found, name, prefix);
    }
    if (action == "keyword" || is_command) {
      for (std::string_view word : reserved_words()) add_matching(found, word, prefix);
    }
    if (action == "builtin" || is_command) {
      for (const Builtin& builtin : builtins()) add_matching(found, builtin.name, prefix);
    }
    if (action == "function" || is_command) {
      for (const std::string& name : function_names(machine)) add_matching(found, name, prefix);
    }
    if (action == "variable" || action == "export" || action == "arrayvar") {
      for (NameId id : machine.state.variables.sorted()) {
        const Variable& variable = machine.state.variables.at(id);
        bool fits = action == "variable" || (action == "export" && variable.is_exported) ||
                    (action == "arrayvar" && variable.is(kArray));
        if (fits) add_matching(found, machine.names().text(id), prefix);
      }
    }
    if (action == "shopt") {
      for (const OptionName& option : shopt_names()) add_matching(found, option.name, prefix);
    }
    if (action == "file" || action == "directory") {
      add_files(machine, found, prefix, action == "directory");
    }
  }
  for (const std::string& word : words_of(words)) add_matching(found, word, prefix);
  for (const std::string& word : found) machine.out(fmt::format("{}{}{}\n", before, word, after));
  return found.empty() ? 1 : 0;
}

}  // namespace nacre::machine
