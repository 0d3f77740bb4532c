// Processes: how they are made, what a child forgets, finding programs, and waiting.
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>

#include "machine/machine.h"
#include "machine/signals.h"

namespace nacre::machine {
namespace {

constexpr int kJobControlSignals[] = {SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU};

bool stops(int signal) { return signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU; }

constexpr int kAsyncIgnored[] = {SIGINT, SIGQUIT};

int status_of(const world::ChildEvent& event) {
  return event.kind == world::ChildEvent::kExited ? event.value : 128 + event.value;
}

}  // namespace

bool Machine::start_fork() {
  flush_out();
  // Where the child begins is known here: a clone in a simulated world has no sources.
  std::vector<CallRecord> own = std::exchange(state.outer_calls, call_stack());
  fork_result = os->fork();
  if (fork_result != 0) state.outer_calls = std::move(own);
  if (fork_result < 0) error(fmt::format("cannot fork: {}", std::strerror(-fork_result)));
  return fork_result >= 0;
}

void Machine::note_ignored_signals() {
  if (std::exchange(state.traps.has_noted_ignored, true)) return;
  for (int signal : kJobControlSignals) {
    if (os->disposition(signal) == world::Disposition::kIgnore) {
      state.traps.ignored_at_start[static_cast<size_t>(signal)] = true;
    }
  }
}

Machine::ChildSignals Machine::child_signals(bool is_substitution) const {
  ChildSignals result;
  if (!state.options.has(Option::kMonitor) && !is_interactive()) return result;
  if (state.subshell_depth > 0) return result;  // done when this process was made
  for (int signal : kJobControlSignals) {
    auto index = static_cast<size_t>(signal);
    if (state.traps.actions[index]) continue;
    bool stays_ignored = state.traps.ignored_at_start[index] || (is_substitution && stops(signal));
    (stays_ignored ? result.ignored : result.defaults).push_back(signal);
  }
  return result;
}

void Machine::become_child(bool is_async) {
  bool had_monitor = state.options.has(Option::kMonitor);
  ChildSignals signals = child_signals(state.is_in_substitution);
  state.is_subshell = true;
  ++state.subshell_depth;
  state.options.set(Option::kMonitor, false);
  reset_traps_for_subshell();
  for (int signal : signals.defaults) os->set_disposition(signal, world::Disposition::kDefault);
  for (int signal : signals.ignored) os->set_disposition(signal, world::Disposition::kIgnore);
  if (is_async && !had_monitor) {
    for (int signal : kAsyncIgnored) {
      auto index = static_cast<size_t>(signal);
      bool since_start = os->disposition(signal) == world::Disposition::kIgnore;
      if (since_start && !state.traps.actions[index] && signals.defaults.empty()) {
        state.traps.ignored_at_start[index] = true;
      }
      os->set_disposition(signal, world::Disposition::kIgnore);
    }
    state.traps.is_async = true;
  }
  for (Job& job : state.jobs.all()) job.is_disowned = true;
  loop_depth = 0;
  subshell_level = 0;
  state.variables.forget_saved();
  pending_jobs.clear();
}

void Machine::run_in_child(const Node* node, bool tested, bool is_async) {
  // Keeps the code alive that `node` is part of; the frames that did so are gone.
  child_code.insert(child_code.end(), sources.begin(), sources.end());
  if (state.options.has(Option::kTrace)) state.trace_depth = trace_depth();
  if (const Frame* scope = local_scope()) {
    auto& locals = state.outer_locals;
    if (scope->is<CallFrame>()) locals.clear();
    auto saved = state.variables.saved_between(scope->base.variables, state.variables.mark());
    locals.insert(locals.end(), saved.begin(), saved.end());
  }
  sources.clear();
  for (Move& move : moves) {
    if (move.saved >= 0) os->close(move.saved);
    if (!move.is_applied && !move.is_copy && move.move.source >= 0) os->close(move.move.source);
  }
  moves.clear();
  frames.clear();
  become_child(is_async);
  push(EndFrame{});
  push_node(node, tested);
}

world::Pid Machine::spawn(size_t base, const std::string& path,
                          std::span<const world::FdMove> wanted, const Launch& launch) {
  std::vector<char*> argv;
  argv.reserve(fields.size() - base + 2);
  for (size_t i = base; i < fields.size(); ++i) argv.push_back(fields.c_str(i));
  argv.push_back(nullptr);
  world::SpawnRequest request;
  request.path = path.c_str();
  request.argv = argv.data();
  request.envp = state.variables.environment();
  request.moves = wanted;
  request.group = launch.group;
  bool monitor = state.options.has(Option::kMonitor);
  if (monitor && !launch.is_async) request.terminal = terminal;
  ChildSignals signals = child_signals(launch.is_substitution || state.is_in_substitution);
  if (launch.is_async && !monitor) {
    for (int signal : kAsyncIgnored) signals.ignored.push_back(signal);
  }
  if (ignores_children()) signals.ignored.push_back(SIGCHLD);
  request.default_signals = signals.defaults;
  request.ignored_signals = signals.ignored;
  world::Pid pid = os->spawn(request);
  if (pid != -ENOEXEC) return pid;
  // A file without a magic number is a script for this shell.
  std::string shell = is_bash() ? "bash" : "sh";
  argv[0] = const_cast<char*>(path.c_str());
  argv.insert(argv.begin(), shell.data());
  request.path = "/proc/self/exe";
  request.argv = argv.data();
  return os->spawn(request);
}

int Machine::exec_command(size_t base, const std::string& path) {
  return exec_command(base, path, {});
}

int Machine::exec_command(size_t base, const std::string& path, const ExecAs& as) {
  std::vector<char*> argv;
  for (size_t i = base; i < fields.size(); ++i) argv.push_back(fields.c_str(i));
  argv.push_back(nullptr);
  std::string name = (as.is_login ? "-" : "") + as.name.value_or(argv[0]);
  argv[0] = name.data();
  char* const nothing[] = {nullptr};
  char* const* environment = as.has_empty_environment ? nothing : state.variables.environment();
  int error = os->exec(path.c_str(), argv.data(), environment);
  if (error != -ENOEXEC) return -error;
  std::string shell = is_bash() ? "bash" : "sh";
  argv[0] = const_cast<char*>(path.c_str());
  argv.insert(argv.begin(), shell.data());
  return -os->exec("/proc/self/exe", argv.data(), environment);
}

int Machine::exec_error(std::string_view name, int failure, std::string_view who) {
  if (is_bash() && !who.empty()) {
    bool is_path = name.find('/') != std::string_view::npos;
    bool is_missing = failure == ENOENT && !is_path;
    error(fmt::format("{}{}: {}", is_path ? "" : who, name,
                      is_missing ? "not found" : std::strerror(failure)));
    return failure == ENOENT ? 127 : 126;
  }
  if (failure == ENOENT || failure == ENOTDIR) {
    bool is_path = name.find('/') != std::string_view::npos;
    error(is_bash()
              ? fmt::format("{}: {}", name, is_path ? std::strerror(failure) : "command not found")
              : fmt::format("{}: not found", name));
    return 127;
  }
  error(fmt::format("{}: {}", name, std::strerror(failure)));
  return 126;
}

std::optional<std::string> Machine::find_command(std::string_view name, NameId id, int& failure,
                                                 bool use_default_path) {
  if (name.find('/') != std::string_view::npos) return std::string(name);
  failure = ENOENT;
  if (name.empty()) return std::nullopt;
  if (!use_default_path) {
    if (auto hashed = state.hashed.find(id); hashed != state.hashed.end()) {
      if (os->may(hashed->second.path.c_str(), world::Access::kExecute)) {
        ++hashed->second.hits;
        return hashed->second.path;
      }
    }
  }
  const std::string* variable = state.variables.get("PATH");
  std::string path = use_default_path ? "/bin:/usr/bin" : variable == nullptr ? "" : *variable;
  size_t begin = 0;
  while (begin <= path.size()) {
    size_t end = std::min(path.find(':', begin), path.size());
    std::string candidate = path.substr(begin, end - begin);
    begin = end + 1;
    if (!candidate.empty()) candidate += '/';
    candidate += name;
    world::FileStatus status;
    if (os->status(candidate.c_str(), true, status) < 0) continue;
    if (status.kind == world::FileKind::kDirectory) continue;
    if (os->may(candidate.c_str(), world::Access::kExecute)) {
      if (!use_default_path && candidate[0] == '/') state.hashed[id] = {candidate, 1};
      return candidate;
    }
    failure = EACCES;
  }
  return std::nullopt;
}

int Machine::wait_for(world::Pid pid) {
  if (pid <= 0) return state.status;
  while (true) {
    world::ChildEvent event;
    int got = os->wait(pid, false, false, event);
    if (got == world::kWouldBlock) return got;
    if (got == -EINTR) continue;
    if (got < 0) return 127;
    if (event.kind == world::ChildEvent::kSignaled && event.value != SIGINT &&
        event.value != SIGPIPE && !state.is_subshell) {
      std::string core = event.dumped_core ? " (core dumped)" : "";
      write_all(io[2], signal_description(event.value) + core + "\n");
    }
    reap_jobs();
    return status_of(event);
  }
}

// One by one: the children of commands that are being run are waited for elsewhere.
void Machine::reap_jobs() {
  for (const Job& job : state.jobs.all()) {
    if (job.is_disowned) continue;
    for (const JobProcess& process : job.processes) {
      world::ChildEvent event;
      if (process.state == JobProcess::kRunning &&
          os->wait(process.pid, true, state.options.has(Option::kMonitor), event) > 0) {
        state.jobs.record(event);
      }
    }
  }
}

void Machine::reap_children() {
  world::ChildEvent event;
  while (os->wait(-1, true, state.options.has(Option::kMonitor), event) > 0)
    state.jobs.record(event);
}

}  // namespace nacre::machine
