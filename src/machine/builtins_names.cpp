#include <fmt/format.h>

#include "machine/builtin_options.h"
#include "machine/builtins.h"
#include "machine/declare.h"
#include "machine/machine.h"
#include "machine/quote.h"

namespace nacre::machine {
namespace {

constexpr std::string_view kReservedWords[] = {"!",    "{",    "}",     "case", "do",  "done",
                                               "elif", "else", "esac",  "fi",   "for", "if",
                                               "in",   "then", "until", "while"};

bool is_reserved(std::string_view name) {
  return std::find(std::begin(kReservedWords), std::end(kReservedWords), name) !=
         std::end(kReservedWords);
}

bool is_reserved_in_bash(std::string_view name) {
  for (std::string_view word : {"[[", "]]", "function", "select", "time", "coproc"}) {
    if (name == word) return true;
  }
  return false;
}

// What a name means as a command: short as `command -v` says it, or in words.
bool describe_command(Machine& machine, std::string_view name, bool in_words, bool default_path) {
  auto say = [&](std::string_view brief, std::string_view words) {
    machine.out(in_words ? fmt::format("{} is {}\n", name, words) : fmt::format("{}\n", brief));
    return true;
  };
  if (is_reserved(name) || (machine.is_bash() && is_reserved_in_bash(name))) {
    return say(name, "a shell keyword");
  }
  if (auto alias = machine.state.aliases.find(name); alias != machine.state.aliases.end()) {
    return say(fmt::format("alias {}={}", name, quoted(alias->second)),
               machine.is_bash() ? fmt::format("aliased to `{}'", alias->second)
                                 : fmt::format("an alias for {}", alias->second));
  }
  const Builtin* builtin = find_builtin(name, machine.is_bash());
  if (builtin != nullptr && builtin->is(kSpecial) && !machine.is_bash()) {
    return say(name, "a special shell builtin");
  }
  NameId id = machine.names().intern(name);
  if (machine.function(id) != nullptr) {
    say(name, "a function");
    if (in_words && machine.is_bash()) machine.out(function_text(machine, id));
    return true;
  }
  if (builtin != nullptr) return say(name, "a shell builtin");
  int failure = 0;
  std::optional<std::string> path = machine.find_command(name, id, failure, default_path);
  if (!path || !machine.os->may(path->c_str(), world::Access::kExecute)) return false;
  world::FileStatus status;
  if (machine.os->status(path->c_str(), true, status) < 0 ||
      status.kind == world::FileKind::kDirectory) {
    return false;
  }
  // A relative path is made absolute, so that it means the same elsewhere.
  if ((*path)[0] != '/' && name.find('/') == std::string_view::npos) {
    std::string directory;
    if (machine.os->current_directory(directory) >= 0) *path = directory + "/" + *path;
  }
  return say(*path, *path);
}

}  // namespace

std::span<const std::string_view> reserved_words() { return kReservedWords; }

int run_command(Machine& machine, Args args) {
  OptionScanner options(args, "pvV");
  bool describes = false;
  bool in_words = false;
  bool default_path = false;
  while (char letter = options.next()) {
    if (letter == '?') return machine.bad_option(args[0], options.letter());
    describes |= letter != 'p';
    in_words = letter == 'V' || (in_words && letter == 'p');
    default_path |= letter == 'p';
  }
  if (!describes) return 0;  // only options: nothing to run
  int status = 0;
  for (size_t i = options.operands(); i < args.size(); ++i) {
    if (describe_command(machine, args[i], in_words, default_path)) continue;
    if (in_words) machine.builtin_error(args[0], fmt::format("{}: not found", args[i]));
    status = 127;
  }
  return options.operands() < args.size() ? status : 2;
}

int run_type(Machine& machine, Args args) {
  if (machine.is_bash()) return type_in_bash(machine, args);
  int status = 0;
  for (size_t i = args.size() > 1 && args[1] == "--" ? 2 : 1; i < args.size(); ++i) {
    if (describe_command(machine, args[i], true, false)) continue;
    machine.builtin_error(args[0], fmt::format("{}: not found", args[i]));
    status = 127;
  }
  return status;
}

int run_hash(Machine& machine, Args args) {
  if (machine.is_bash()) return hash_in_bash(machine, args);
  OptionScanner options(args, "r");
  while (char letter = options.next()) {
    if (letter == '?') return machine.bad_option(args[0], options.letter());
    machine.state.hashed.clear();
  }
  if (args.size() == 1) {
    for (const auto& [id, found] : machine.state.hashed) machine.out(found.path + "\n");
  }
  int status = 0;
  for (size_t i = options.operands(); i < args.size(); ++i) {
    std::string_view name = args[i];
    NameId id = machine.names().intern(name);
    if (find_builtin(name) != nullptr || machine.function(id) != nullptr) continue;
    int failure = 0;
    machine.state.hashed.erase(id);
    if (name.find('/') == std::string_view::npos && machine.find_command(name, id, failure))
      continue;
    machine.builtin_error(args[0], fmt::format("{}: not found", name));
    status = 1;
  }
  return status;
}

int run_alias(Machine& machine, Args args) {
  auto& aliases = machine.state.aliases;
  auto show = [&](const auto& alias) {
    machine.out(fmt::format("{}{}={}\n", machine.is_bash() ? "alias " : "", alias.first,
                            quoted(alias.second)));
  };
  size_t first = args.size() > 1 && args[1] == "--" ? 2 : 1;
  bool lists = args.size() == 1;
  if (machine.is_bash()) {
    OptionScanner options(args, "p");
    while (char letter = options.next()) {
      if (letter == '?') return machine.bad_option(args[0], options.letter());
      lists = true;
    }
    first = options.operands();
  }
  if (lists) {
    for (const auto& alias : aliases) show(alias);
  }
  int status = 0;
  for (size_t i = first; i < args.size(); ++i) {
    size_t equals = args[i].find('=', 1);
    if (equals != std::string_view::npos) {
      aliases[std::string(args[i].substr(0, equals))] = args[i].substr(equals + 1);
    } else if (auto found = aliases.find(args[i]); found != aliases.end()) {
      show(*found);
    } else {
      machine.builtin_error(args[0], fmt::format("{}: not found", args[i]));
      status = 1;
    }
  }
  return status;
}

int run_unalias(Machine& machine, Args args) {
  OptionScanner options(args, "a");
  while (char letter = options.next()) {
    if (letter == '?') return machine.bad_option(args[0], options.letter());
    machine.state.aliases.clear();
    return 0;
  }
  if (options.operands() >= args.size())
    return machine.is_bash() ? machine.usage_failure(args[0])
                             : machine.builtin_failure(args[0], "a name is missing", 2);
  int status = 0;
  for (size_t i = options.operands(); i < args.size(); ++i) {
    auto found = machine.state.aliases.find(args[i]);
    if (found != machine.state.aliases.end()) {
      machine.state.aliases.erase(found);
    } else {
      machine.builtin_error(args[0], fmt::format("{}: not found", args[i]));
      status = 1;
    }
  }
  return status;
}

int run_help(Machine& machine, Args args) {
  if (args.size() == 1) {
    machine.out("Builtins of this shell; `help NAME` tells about one of them.\n");
    for (const Builtin& builtin : builtins()) machine.out(fmt::format("  {}\n", builtin.help));
    return 0;
  }
  int status = 0;
  for (size_t i = 1; i < args.size(); ++i) {
    if (const Builtin* builtin = find_builtin(args[i])) {
      machine.out(fmt::format("{}: {}\n", builtin->is(kSpecial) ? "special builtin" : "builtin",
                              builtin->help));
    } else {
      machine.builtin_error(args[0], fmt::format("{}: no such builtin", args[i]));
      status = 1;
    }
  }
  return status;
}

}  // namespace nacre::machine
