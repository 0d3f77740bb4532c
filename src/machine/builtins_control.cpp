#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>

#include "base/ascii.h"
#include "machine/arithmetic.h"
#include "machine/builtin_options.h"
#include "machine/builtins.h"
#include "machine/machine.h"
#include "machine/quote.h"
#include "machine/read_file.h"
#include "machine/signal_list.h"
#include "machine/signals.h"

namespace nacre::machine {
namespace {

bool is_number(std::string_view text) { return is_digits(text) && text.size() < 10; }

// `break` and `continue`: the loops that are left, 0 after an error.
int loops_to_leave(Machine& machine, Args args) {
  if (args.size() < 2) return 1;
  int64_t count = 0;
  if (!is_number(args[1]) || !parse_integer(args[1], count) || count < 1) {
    if (!machine.is_bash()) {
      machine.builtin_failure(args[0], fmt::format("{}: not a positive number", args[1]), 2);
    } else if (is_digits(args[1]) || args[1].starts_with('-')) {
      machine.builtin_error(args[0], fmt::format("{}: loop count out of range", args[1]));
      machine.unwind(Unwind::kBreak, machine.loop_depth);
    } else {
      machine.builtin_error(args[0], fmt::format("{}: numeric argument required", args[1]));
      machine.exit_shell(128);
    }
    return 0;
  }
  return static_cast<int>(count);
}

int leave_loops(Machine& machine, Args args, Unwind how) {
  if (machine.loop_depth == 0 && machine.is_bash()) {
    machine.builtin_error(args[0], "only meaningful in a `for', `while', or `until' loop");
    return 0;
  }
  int count = loops_to_leave(machine, args);
  if (count == 0) return machine.is_bash() ? machine.state.status = 1 : 2;
  if (machine.loop_depth == 0) {
    machine.unspecified(fmt::format("{} outside of a loop", args[0]));
    return 0;
  }
  machine.unwind(how, std::min(count, machine.loop_depth));
  return 0;
}

// The operand of exit and return; `otherwise` without one. Negative after an error.
int status_operand(Machine& machine, Args args, int otherwise) {
  size_t at = args.size() > 1 && args[1] == "--" ? 2 : 1;
  if (args.size() <= at) return otherwise;
  int64_t status = 0;
  bool is_valid = is_number(args[at]) && parse_integer(args[at], status);
  if (is_valid && status > 255) machine.unspecified(fmt::format("{} {}", args[0], status));
  if (is_valid) return static_cast<int>(status & 255);
  if (machine.is_bash()) {
    if (parse_integer(args[at], status)) return static_cast<int>(status & 255);
    machine.builtin_error(args[0], fmt::format("{}: numeric argument required", args[at]));
    return 2;
  }
  machine.builtin_failure(args[0], fmt::format("Illegal number: {}", args[at]), 2);
  return -1;
}

// A name without a slash is looked for in PATH; it need not be executable.
std::optional<std::string> find_script(Machine& machine, std::string_view name) {
  bool searches = !machine.is_bash() || machine.state.options.has(Option::kSourcePath);
  if (!searches || name.find('/') != std::string_view::npos) return std::string(name);
  const std::string* path = machine.state.variables.get("PATH");
  std::string_view rest = path == nullptr ? std::string_view() : std::string_view(*path);
  while (true) {
    size_t end = std::min(rest.find(':'), rest.size());
    std::string candidate(rest.substr(0, end));
    if (!candidate.empty()) candidate += '/';
    candidate += name;
    world::FileStatus status;
    if (machine.os->status(candidate.c_str(), true, status) >= 0 &&
        status.kind != world::FileKind::kDirectory &&
        machine.os->may(candidate.c_str(), world::Access::kRead) && (status.mode & 0444) != 0) {
      return candidate;
    }
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  // bash then takes the file of that name here.
  bool looks_here = machine.is_bash() && !machine.state.options.has(Option::kPosix);
  return looks_here ? std::optional(std::string(name)) : std::nullopt;
}

// eval and . of bash know no option.
int refuse_options(Machine& machine, Args args) {
  bool has_option = machine.is_bash() && args.size() > 1 && args[1].size() > 1 &&
                    args[1][0] == '-' && args[1] != "--";
  return has_option ? machine.bad_option(args[0], args[1][1]) : 0;
}

std::string trap_line(const Machine& machine, int signal, const std::string& action) {
  bool has_prefix = machine.is_bash() && signal > 0 && signal < NSIG;
  return fmt::format("trap -- {} {}{}\n", quoted(action), has_prefix ? "SIG" : "",
                     signal_name(signal));
}

bool is_ignored_since_start(const Machine& machine, int signal) {
  return signal > 0 && signal < NSIG && !machine.is_interactive() &&
         machine.os->disposition(signal) == world::Disposition::kIgnore;
}

int list_traps(Machine& machine) {
  for (int signal = 0; signal < kTrapCount; ++signal) {
    const auto& action = machine.state.traps.actions[static_cast<size_t>(signal)];
    if (action) {
      machine.out(trap_line(machine, signal, *action));
    } else if (machine.is_bash() && is_ignored_since_start(machine, signal)) {
      machine.out(trap_line(machine, signal, ""));
    }
  }
  return 0;
}

// What `exit` and `return` end with when they are not told: the status of the last command, and in
// the action of a trap that of the command before it. A subshell or function in there is on its
// own.
int last_status(const Machine& machine, bool of_function) {
  for (size_t i = machine.frames.size(); i-- > 0;) {
    const Frame& frame = machine.frames[i];
    if (const auto* trap = frame.get<TrapFrame>()) return trap->status;
    if (const auto* trap = frame.get<ExitTrapFrame>()) return trap->status;
    if (frame.is<SubshellFrame>() || (of_function && frame.is<CallFrame>())) break;
  }
  return machine.state.status;
}

}  // namespace

int run_colon(Machine&, Args) { return 0; }
int run_true(Machine&, Args) { return 0; }
int run_false(Machine&, Args) { return 1; }

int run_break(Machine& machine, Args args) { return leave_loops(machine, args, Unwind::kBreak); }
int run_continue(Machine& machine, Args args) {
  return leave_loops(machine, args, Unwind::kContinue);
}

int run_exit(Machine& machine, Args args) {
  if (machine.warn_about_stopped_jobs()) return 1;
  int status = status_operand(machine, args, last_status(machine, false));
  if (status >= 0) machine.exit_shell(status);
  return 2;
}

int run_return(Machine& machine, Args args) {
  int status = status_operand(machine, args, last_status(machine, true));
  if (status < 0) return 2;
  if (machine.function_depth == 0 && machine.is_bash()) {
    machine.builtin_error(args[0], "can only `return' from a function or sourced script");
    return 2;
  }
  machine.state.status = status;
  if (machine.function_depth == 0) {
    machine.unspecified("return outside of a function and a dot script");
    machine.exit_shell(status);
  } else {
    machine.unwind(Unwind::kReturn);
  }
  return status;
}

int run_eval(Machine& machine, Args args) {
  std::string text;
  size_t first = args.size() > 1 && args[1] == "--" ? 2 : 1;
  if (int status = refuse_options(machine, args)) return status;
  for (size_t i = first; i < args.size(); ++i) {
    if (i > first) text += ' ';
    text += args[i];
  }
  if (text.find_first_not_of(" \t\n") == std::string::npos) return 0;
  bool tested = machine.frames.back().tested;
  auto source = Source::of_text("eval", std::move(text));
  source->counts_on = machine.is_bash();
  machine.push_source(std::move(source), false);
  machine.frames.back().tested = tested;
  return kPushed;
}

int run_dot(Machine& machine, Args args) {
  size_t at = args.size() > 1 && args[1] == "--" ? 2 : 1;
  if (int status = refuse_options(machine, args)) return status;
  if (args.size() <= at) {
    int failed = machine.builtin_failure(args[0], "filename argument required", 2);
    return machine.is_bash() ? machine.usage_failure(args[0]) : failed;
  }
  std::string name(args[at]);
  std::optional<std::string> path = find_script(machine, name);
  std::string text;
  int failure = path ? -read_file(*machine.os, path->c_str(), text) : ENOENT;
  if (failure != 0) {
    if (machine.is_bash()) {
      machine.error(fmt::format("{}: {}", name, std::strerror(failure)));
      return 1;
    }
    std::string why = failure == ENOENT ? "not found" : std::strerror(failure);
    return machine.builtin_failure(args[0], fmt::format("{}: {}", name, why), 1);
  }
  bool tested = machine.frames.back().tested;
  auto source = Source::of_text(*path, std::move(text));
  if (args.size() > at + 1) {
    std::vector<std::string> values;
    for (size_t i = at + 1; i < args.size(); ++i) values.emplace_back(args[i]);
    auto shared = std::make_shared<const std::vector<std::string>>(std::move(values));
    source->outer_positional = std::exchange(machine.state.positional, {std::move(shared), 0});
  }
  machine.push_source(std::move(source), true);
  machine.frames.back().tested = tested;
  return kPushed;
}

int run_exec(Machine& machine, Args args) {
  size_t at = args.size() > 1 && args[1] == "--" ? 2 : 1;
  Machine::ExecAs as;
  if (machine.is_bash()) {
    OptionScanner options(args, "cla:");
    while (char letter = options.next()) {
      if (letter == '?') return machine.bad_option(args[0], options.letter());
      as.has_empty_environment |= letter == 'c';
      as.is_login |= letter == 'l';
      if (letter == 'a') as.name = options.value();
    }
    at = options.operands();
  }
  Frame& frame = machine.frames.back();
  if (args.size() <= at) {
    machine.keep_moves(frame.base.moves);
    return 0;
  }
  std::string name(args[at]);
  int failure = 0;
  std::optional<std::string> path =
      machine.find_command(name, machine.names().intern(name), failure);
  machine.flush_out();
  // What the shell ignores for itself, the command must not.
  bool was_interactive = machine.is_interactive();
  if (was_interactive) {
    for (int signal : {SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU}) {
      auto index = static_cast<size_t>(signal);
      if (machine.state.traps.actions[index]) continue;
      bool stays = machine.state.traps.ignored_at_start[index];
      machine.os->set_disposition(
          signal, stays ? world::Disposition::kIgnore : world::Disposition::kDefault);
    }
  }
  if (machine.ignores_children()) {
    machine.os->set_disposition(SIGCHLD, world::Disposition::kIgnore);
  }
  // Assignments before exec are part of the command's environment.
  for (const Assignment& assignment : frame.node->assignments) {
    machine.state.variables.set_exported(assignment.name, true);
  }
  if (path) failure = machine.exec_command(args.base() + at, *path, as);
  int status = machine.exec_error(name, failure, "exec: ");
  if (was_interactive || machine.state.options.has(Option::kExecfail)) {
    machine.keep_children();
    if (was_interactive) machine.update_interactive_signals();
    return status;
  }
  machine.exit_shell(status);
  return status;
}

int run_trap(Machine& machine, Args args) {
  size_t at = 1;
  bool shows = false;
  if (at < args.size() && args[at] == "-p") {
    shows = true;
    ++at;
  }
  if (machine.is_bash() && at < args.size() && args[at] == "-l") return list_signal_names(machine);
  if (at < args.size() && args[at] == "--") {
    ++at;
  } else if (at < args.size() && args[at].size() > 1 && args[at].starts_with('-')) {
    if (machine.is_bash()) return machine.bad_option(args[0], args[at][1]);
    return machine.builtin_failure(args[0], fmt::format("{}: bad option", args[at]), 2);
  }
  if (at >= args.size()) return list_traps(machine);
  // `trap 2 15` and `trap - 2`: back to the default.
  std::optional<std::string> action;
  bool resets = is_number(args[at]);
  if (!resets && !shows) {
    if (args[at] != "-") action = std::string(args[at]);
    ++at;
    if (at >= args.size()) {
      if (auto signal = trap_number(args[at - 1], machine.is_bash())) {
        machine.set_trap(*signal, std::nullopt);
        return 0;
      }
      if (machine.is_bash()) return machine.usage_failure(args[0]);
      return machine.builtin_failure(args[0], "a signal is missing", 2);
    }
  }
  int status = 0;
  for (; at < args.size(); ++at) {
    std::optional<int> signal = trap_number(args[at], machine.is_bash());
    if (!signal) {
      machine.builtin_error(
          args[0], fmt::format("{}: {}", args[at],
                               machine.is_bash() ? "invalid signal specification" : "bad trap"));
      status = 1;
    } else if (shows) {
      const auto& now = machine.state.traps.actions[static_cast<size_t>(*signal)];
      if (now) machine.out(trap_line(machine, *signal, *now));
      if (!now && machine.is_bash() && is_ignored_since_start(machine, *signal)) {
        machine.out(trap_line(machine, *signal, ""));
      }
      if (!now && !machine.is_bash()) {
        machine.out(fmt::format("trap -- - {}\n", signal_name(*signal)));
      }
    } else {
      if (*signal == SIGKILL || *signal == SIGSTOP) machine.unspecified("a trap for KILL or STOP");
      machine.set_trap(*signal, action);
    }
  }
  return status;
}

}  // namespace nacre::machine
