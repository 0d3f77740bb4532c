#include "machine/start_shell.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>

#include "machine/arithmetic.h"
#include "machine/lower.h"
#include "machine/machine.h"
#include "machine/read_file.h"

namespace nacre::machine {
namespace {

struct Invocation {
  bool has_command = false;  // -c
  bool reads_stdin = false;  // -s
  bool is_interactive = false;
  bool is_login = false;
  bool skips_rc = false;       // --norc
  bool skips_profile = false;  // --noprofile
  bool reports_unspecified = false;
  Options options;
  int first_operand = 1;
  std::string error;
};

const OptionName* find_shopt(std::string_view name) {
  for (const OptionName& option : shopt_names()) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

// Options of bash with a long name.
bool take_startup_option(std::string_view arg, Invocation& invocation) {
  if (arg == "--norc") return invocation.skips_rc = true;
  if (arg == "--noprofile") return invocation.skips_profile = true;
  return arg == "--noediting";
}

Invocation parse_command_line(int argc, char** argv) {
  Invocation result;
  result.is_login = argc > 0 && argv[0][0] == '-';
  std::string_view called = argc > 0 ? argv[0] : "";
  called.remove_prefix(called.rfind('/') + 1);
  if (called == "bash" || called == "-bash") result.options.set(Option::kBash, true);
  int at = 1;
  for (; at < argc; ++at) {
    std::string_view arg = argv[at];
    if (arg == "--" || arg == "-") {
      ++at;
      break;
    }
    if (arg == "--report-unspecified") {
      result.reports_unspecified = true;
      continue;
    }
    if (result.options.has(Option::kBash) && take_startup_option(arg, result)) continue;
    if (arg == "--posix" && result.options.has(Option::kBash)) {
      result.options.set(Option::kPosix, true);
      continue;
    }
    if (arg == "--login" && result.options.has(Option::kBash)) {
      result.is_login = true;
      continue;
    }
    if (arg.size() < 2 || (arg[0] != '-' && arg[0] != '+')) break;
    bool on = arg[0] == '-';
    for (size_t i = 1; i < arg.size() && result.error.empty(); ++i) {
      const bool in_bash = result.options.has(Option::kBash);
      const OptionName* option = nullptr;
      if (arg[i] == 'c' && on) {
        result.has_command = true;
        continue;
      }
      if (arg[i] == 'l' && on) {
        result.is_login = true;
        continue;
      }
      if (arg[i] == 'O' && in_bash) {
        option = at + 1 < argc ? find_shopt(argv[++at]) : nullptr;
      } else if (arg[i] == 'o') {
        if (at + 1 < argc && std::string_view(argv[at + 1]) == "bash") {
          result.options.set(Option::kBash, true);
          ++at;
          continue;
        }
        option = at + 1 < argc ? find_option(std::string_view(argv[++at]), in_bash) : nullptr;
      } else {
        option = find_option(arg[i], in_bash);
      }
      if (option == nullptr) {
        result.error = fmt::format("Illegal option {}", arg);
        break;
      }
      result.options.set(option->option, on);
    }
    if (!result.error.empty()) break;
  }
  result.reads_stdin = result.options.has(Option::kStandardInput);
  result.is_interactive = result.options.has(Option::kInteractive);
  result.first_operand = at;
  return result;
}

void import_environment(Machine& machine, char* const* environment) {
  for (char* const* entry = environment; *entry != nullptr; ++entry) {
    std::string_view text = *entry;
    size_t equals = text.find('=');
    std::string_view name = text.substr(0, equals);
    if (equals == std::string_view::npos || !is_name(name)) {
      machine.state.variables.add_foreign(std::string(text));
      continue;
    }
    if (name == "IFS" || name == "OPTIND") continue;
    NameId id = machine.state.variables.id(name);
    if (machine.state.variables.at(id).is(kDynamic)) continue;
    machine.state.variables.set(id, text.substr(equals + 1));
    machine.state.variables.set_exported(id, true);
  }
}

void set_default(Machine& machine, std::string_view name, std::string_view value) {
  Variables& variables = machine.state.variables;
  if (variables.get(name) == nullptr) variables.set(variables.id(name), value);
}

// PWD is believed if it names the current directory without dots.
void find_directory(Machine& machine) {
  const std::string* pwd = machine.state.variables.get("PWD");
  world::FileStatus named;
  world::FileStatus here;
  bool is_good = pwd != nullptr && pwd->starts_with('/') &&
                 (*pwd + "/").find("/./") == std::string::npos &&
                 (*pwd + "/").find("/../") == std::string::npos &&
                 machine.os->status(pwd->c_str(), true, named) >= 0 &&
                 machine.os->status(".", true, here) >= 0 && named.device == here.device &&
                 named.inode == here.inode;
  if (is_good) {
    machine.state.directory = *pwd;
    return;
  }
  if (machine.os->current_directory(machine.state.directory) < 0) machine.state.directory.clear();
  NameId id = machine.state.variables.id("PWD");
  machine.state.variables.set(id, machine.state.directory);
  machine.state.variables.set_exported(id, true);
}

// As the kernel knows it: a file in /etc may say something else, and a script is not known to look
// at it.
std::string host_name(Machine& machine) {
  std::string name;
  if (read_file(*machine.os, "/proc/sys/kernel/hostname", name) < 0) return "localhost";
  name.resize(std::min(name.find('\n'), name.size()));
  return name;
}

// The variables that bash makes, as version 5.2 has them.
void set_bash_variables(Machine& machine, const char* name) {
  Variables& variables = machine.state.variables;
  auto set = [&](std::string_view variable, std::string_view value) {
    variables.set(variables.id(variable), value);
  };
  set("BASH", name);
  set("BASH_VERSION", "5.2.15(1)-release");
  machine.set_array("BASH_VERSINFO", {"5", "2", "15", "1", "release", "x86_64-pc-linux-gnu"});
  variables.set_readonly(variables.id("BASH_VERSINFO"));
  set("HOSTTYPE", "x86_64");
  set("MACHTYPE", "x86_64-pc-linux-gnu");
  set("OSTYPE", "linux-gnu");
  set("OPTERR", "1");
  set_default(machine, "HOSTNAME", host_name(machine));
  for (std::string_view id : {"UID", "EUID"}) {
    set(id, std::to_string(machine.os->user_id()));
    variables.set_attributes(variables.id(id), kInteger);
    variables.set_readonly(variables.id(id));
  }
  const std::string* old = variables.get("SHLVL");
  int64_t level = 0;
  if (old == nullptr || !parse_integer(*old, level)) level = 0;
  set("SHLVL", std::to_string(level + 1));
  variables.set_exported(variables.id("SHLVL"), true);
}

// BASH_FUNC_name%%=() { ...: functions that another bash has exported.
void import_functions(Machine& machine, char* const* environment) {
  constexpr std::string_view kPrefix = "BASH_FUNC_";
  for (char* const* entry = environment; *entry != nullptr; ++entry) {
    std::string_view text = *entry;
    size_t end = text.find("%%=() {");
    if (!text.starts_with(kPrefix) || end == std::string_view::npos) continue;
    std::string name(text.substr(kPrefix.size(), end - kPrefix.size()));
    auto source = Source::of_text("environment", name + " " + std::string(text.substr(end + 3)));
    shell::ParseOptions options;
    options.dialect = shell::Dialect::kBash;
    shell::ReadResult read = source->reader().next(options);
    if (read.status != shell::ReadStatus::kCommand) continue;
    std::shared_ptr<const Code> code = lower(read.tree, machine.names());
    if (code->root == nullptr || code->root->kind != NodeKind::kFunction) continue;
    auto index = static_cast<uint32_t>(code->root->name);
    auto& functions = machine.state.functions;
    if (index >= functions.size()) functions.resize(machine.names().size());
    functions[index] = {code, code->root->children[0], code->root, true};
  }
}

void initialise(Machine& machine, const Invocation& invocation, char* const* environment) {
  import_environment(machine, environment);
  Variables& variables = machine.state.variables;
  machine.state.root_pid = machine.os->process_id();
  variables.set(variables.id("PPID"), std::to_string(machine.os->parent_id()));
  bool warns = machine.os->user_id() == 0 && machine.os->is_terminal(0);  // a person, as root
  set_default(machine, "PS1", warns ? "# " : "$ ");
  set_default(machine, "PS2", "> ");
  set_default(machine, "PS4", "+ ");
  set_default(machine, "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
  find_directory(machine);
  machine.react_to_changes();
  machine.reports_unspecified = invocation.reports_unspecified;
  if (invocation.options.has(Option::kBash)) {
    machine.set_option(Option::kBash, true);
    set_bash_variables(machine, "/bin/bash");
    import_functions(machine, environment);
  }
  for (int i = 0; i < static_cast<int>(Option::kCount); ++i) {
    auto option = static_cast<Option>(i);
    if (option != Option::kMonitor && invocation.options.has(option))
      machine.state.options.set(option, true);
  }
}

// 0 or an errno. Also for the superuser: a script without any read permission is not run.
int read_script(world::Os& os, const char* path, std::string& text) {
  world::FileStatus status;
  if (os.status(path, true, status) >= 0 && (status.mode & 0444) == 0 &&
      status.kind == world::FileKind::kRegular) {
    return EACCES;
  }
  return -read_file(os, path, text);
}

// Commands of standard input without a user: never reads beyond a line, so that commands can read
// what follows.
std::unique_ptr<Source> standard_input(Machine& machine) {
  auto more = [&machine](std::string& buffer, bool) {
    size_t start = buffer.size();
    while (true) {
      char piece[4096];
      ssize_t got = machine.os->read_until(0, '\n', piece, sizeof piece);
      if (got == -EINTR) continue;
      if (got <= 0) return buffer.size() > start;
      buffer.append(piece, static_cast<size_t>(got));
      if (buffer.back() == '\n') return true;
    }
  };
  return std::make_unique<Source>(shell::CommandReader(more, "stdin"), false);
}

void source_file(Machine& machine, const std::string& path) {
  std::string text;
  if (read_file(*machine.os, path.c_str(), text) >= 0) {
    machine.push_source(Source::of_text(path, std::move(text)), true);
  }
}

// Sets up the source of commands and the positional parameters; a status >= 0 ends the shell.
int prepare(Machine& machine, const Invocation& invocation, const OpenTerminal& open_terminal,
            int argc, char** argv) {
  int at = invocation.first_operand;
  bool interactive = invocation.is_interactive;
  std::unique_ptr<Source> source;
  machine.state.arg0 = argv[0];
  if (invocation.has_command) {
    if (at >= argc) {
      machine.error("-c requires an argument");
      return 2;
    }
    machine.state.is_command_string = true;
    source = Source::of_text(argv[0], argv[at++]);
    if (at < argc) machine.state.arg0 = argv[at++];
  } else if (at < argc && !invocation.reads_stdin) {
    machine.state.arg0 = argv[at];
    std::string text;
    if (int failure = read_script(*machine.os, argv[at], text); failure != 0) {
      machine.error(fmt::format("cannot open {}: {}", argv[at], std::strerror(failure)));
      return failure == ENOENT ? 127 : 126;
    }
    machine.state.script = argv[at];
    source = Source::of_text(argv[at++], std::move(text));
  } else {
    machine.state.options.set(Option::kStandardInput, true);
    interactive |= machine.os->is_terminal(0) && machine.os->is_terminal(2);
    if (interactive && open_terminal) {
      source = open_terminal(machine);
      bool has_keys = machine.state.options.has(Option::kVi);
      if (!has_keys && machine.os->is_terminal(0)) machine.set_option(Option::kEmacs, true);
    } else {
      source = standard_input(machine);
    }
  }
  machine.state.options.set(Option::kInteractive, interactive);
  auto values = std::make_shared<std::vector<std::string>>(argv + std::min(at, argc), argv + argc);
  machine.state.positional = {std::move(values), 0};
  source->is_toplevel = true;
  machine.push_source(std::move(source), false);
  if (interactive) {
    machine.update_interactive_signals();
    if (machine.os->is_terminal(2)) machine.set_monitor(true);
  }
  if (invocation.options.has(Option::kMonitor)) machine.set_monitor(true);
  return -1;
}

// Sources are a stack: what is pushed last is read first, so the profile of the system comes last
// here.
void read_bash_startup_files(Machine& machine, const Invocation& invocation) {
  auto& variables = machine.state.variables;
  const std::string* home = variables.get("HOME");
  if (machine.is_interactive() && !invocation.is_login && !invocation.skips_rc && home != nullptr) {
    source_file(machine, *home + "/.bashrc");
  }
  if (!machine.is_interactive() && !machine.state.options.has(Option::kPrivileged)) {
    const std::string* file = variables.get("BASH_ENV");
    if (file != nullptr) source_file(machine, machine.expand_prompt(*file));
  }
  if (!invocation.is_login || invocation.skips_profile) return;
  for (std::string_view name : {"/.bash_profile", "/.bash_login", "/.profile"}) {
    world::FileStatus status;
    if (home == nullptr) break;
    std::string path = *home + std::string(name);
    if (machine.os->status(path.c_str(), true, status) < 0) continue;
    source_file(machine, path);
    break;
  }
  source_file(machine, "/etc/profile");
}

void read_startup_files(Machine& machine, const Invocation& invocation) {
  if (machine.is_bash() && !machine.state.options.has(Option::kPosix)) {
    return read_bash_startup_files(machine, invocation);
  }
  if (machine.is_interactive()) {
    if (const std::string* env = machine.state.variables.get("ENV")) {
      source_file(machine, machine.expand_prompt(*env));
    }
  }
  if (invocation.is_login) {
    const std::string* home = machine.state.variables.get("HOME");
    if (home != nullptr) source_file(machine, *home + "/.profile");
    source_file(machine, "/etc/profile");
  }
}

}  // namespace

int start_shell(Machine& machine, int argc, char** argv, char* const* environment,
                const OpenTerminal& open_terminal) {
  Invocation invocation = parse_command_line(argc, argv);
  if (!invocation.error.empty()) {
    machine.write_all(2, fmt::format("{}: {}\n", argv[0], invocation.error));
    return 2;
  }
  initialise(machine, invocation, environment);
  machine.keep_children();
  if (int status = prepare(machine, invocation, open_terminal, argc, argv); status >= 0)
    return status;
  read_startup_files(machine, invocation);
  return -1;
}

}  // namespace nacre::machine
