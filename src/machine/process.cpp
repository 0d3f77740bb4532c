// Processes: starting them for commands, pipelines, substitutions and asynchronous lists, and
// waiting for them.
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
constexpr int kAsyncIgnored[] = {SIGINT, SIGQUIT};

int status_of(const world::ChildEvent& event) {
  return event.kind == world::ChildEvent::kExited ? event.value : 128 + event.value;
}

}  // namespace

bool Machine::start_fork(Frame& frame, uint8_t next_pc) {
  frame.pc = next_pc;
  flush_out();
  fork_result = os->fork();
  if (fork_result < 0) error(fmt::format("cannot fork: {}", std::strerror(-fork_result)));
  return fork_result >= 0;
}

void Machine::become_child(bool is_async) {
  bool had_monitor = state.options.has(Option::kMonitor);
  state.is_subshell = true;
  state.options.set(Option::kMonitor, false);
  reset_traps_for_subshell();
  if (had_monitor || is_interactive()) {
    for (int signal : kJobControlSignals) {
      bool is_ignored = state.traps.actions[static_cast<size_t>(signal)].has_value();
      if (!is_ignored) os->set_disposition(signal, world::Disposition::kDefault);
    }
  }
  if (is_async && !had_monitor) {
    for (int signal : kAsyncIgnored) os->set_disposition(signal, world::Disposition::kIgnore);
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
  sources.clear();
  for (Move& move : moves) {
    if (move.saved >= 0) os->close(move.saved);
    if (!move.is_applied && !move.is_copy && move.move.source >= 0) os->close(move.move.source);
  }
  moves.clear();
  frames.clear();
  become_child(is_async);
  push(FrameKind::kEnd);
  push_node(node, tested);
}

world::Pid Machine::spawn(size_t base, const std::string& path,
                          std::span<const world::FdMove> wanted, bool is_async, world::Pid group) {
  std::vector<char*> argv;
  argv.reserve(fields.size() - base + 2);
  for (size_t i = base; i < fields.size(); ++i) argv.push_back(fields.c_str(i));
  argv.push_back(nullptr);
  world::SpawnRequest request;
  request.path = path.c_str();
  request.argv = argv.data();
  request.envp = state.variables.environment();
  request.moves = wanted;
  request.group = group;
  bool monitor = state.options.has(Option::kMonitor);
  if (monitor && !is_async) request.terminal = terminal;
  std::vector<int> reset;
  if (monitor || is_interactive()) {
    for (int signal : kJobControlSignals) {
      if (!state.traps.actions[static_cast<size_t>(signal)]) reset.push_back(signal);
    }
  }
  request.default_signals = reset;
  if (is_async && !monitor) request.ignored_signals = kAsyncIgnored;
  world::Pid pid = os->spawn(request);
  if (pid != -ENOEXEC) return pid;
  // A file without a magic number is a script for this shell.
  std::string shell = "sh";
  argv[0] = const_cast<char*>(path.c_str());
  argv.insert(argv.begin(), shell.data());
  request.path = "/proc/self/exe";
  request.argv = argv.data();
  return os->spawn(request);
}

int Machine::exec_command(size_t base, const std::string& path) {
  std::vector<char*> argv;
  for (size_t i = base; i < fields.size(); ++i) argv.push_back(fields.c_str(i));
  argv.push_back(nullptr);
  int error = os->exec(path.c_str(), argv.data(), state.variables.environment());
  if (error != -ENOEXEC) return -error;
  std::string shell = "sh";
  argv[0] = const_cast<char*>(path.c_str());
  argv.insert(argv.begin(), shell.data());
  return -os->exec("/proc/self/exe", argv.data(), state.variables.environment());
}

int Machine::exec_error(std::string_view name, int failure) {
  if (failure == ENOENT || failure == ENOTDIR) {
    error(fmt::format("{}: not found", name));
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
      if (os->may(hashed->second.c_str(), world::Access::kExecute)) return hashed->second;
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
      if (!use_default_path && candidate[0] == '/') state.hashed[id] = candidate;
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

// ------------------------------------------------------------------------------ substitutions

namespace {
enum SubstPc : uint8_t { kStart, kCaptured, kLaunched, kForked, kReading, kWaiting };
}

void Machine::close_frame_descriptors(Frame& frame) {
  if (frame.kind == FrameKind::kPipeline) {
    for (int fd : {frame.value, frame.value2, frame.input}) {
      if (fd >= 0) os->close(fd);
    }
    if (frame.pc != 0 && !pending_jobs.empty()) pending_jobs.pop_back();
    return;
  }
  if (frame.pc == kCaptured) captures.pop_back();
  if (frame.pc >= kLaunched && frame.pc <= kReading && frame.value >= 0) os->close(frame.value);
  if (frame.pc >= kLaunched && frame.pc <= kForked && frame.value2 >= 0) os->close(frame.value2);
}

Rule Machine::start_substitution(Frame& frame) {
  const Node* body = frame.node;
  if (runs_here(body)) {
    frame.pc = kCaptured;
    Frame& inner = push(FrameKind::kSubshell);
    inner.pc = 1;
    inner.flag = true;
    enter_subshell();
    captures.emplace_back();
    io[1] = kFirstCapture - static_cast<int>(captures.size() - 1);
    push_node(body, false);
    return Rule::kCmdSubst;
  }
  int ends[2];
  if (int failed = os->pipe(ends); failed < 0) {
    expansion_error(fmt::format("cannot make a pipe: {}", std::strerror(-failed)));
    return Rule::kExpExpandErr;
  }
  frame.value = ends[0];
  frame.value2 = ends[1];
  if (is_direct(body)) {
    frame.pc = kLaunched;
    launches.emplace_back().moves = {{1, ends[1]}};
    push(FrameKind::kLaunch, body);
  } else {
    start_fork(frame, kForked);
  }
  return Rule::kCmdSubst;
}

// One read is one step, so that a world can count what the shell holds.
Rule Machine::read_substitution(Frame& frame) {
  char buffer[16384];
  ssize_t got = os->read(frame.value, buffer, sizeof buffer);
  if (got == world::kWouldBlock) return Rule::kBlocked;
  if (got > 0) text.append(buffer, static_cast<size_t>(got));
  if (got > 0 || got == -EINTR) return Rule::kCmdSubstRead;
  os->close(frame.value);
  frame.value = -1;
  frame.pc = kWaiting;
  return Rule::kCmdSubstRead;
}

// frame.value, value2: the ends of the pipe; frame.index: the process.
Rule Machine::step_command_subst(Frame& frame) {
  switch (frame.pc) {
    case kStart: return start_substitution(frame);
    case kCaptured:
      append("", frame.part->region);
      text += captures.back();
      captures.pop_back();
      finish_substitution(frame);
      return Rule::kCmdSubstRead;
    case kForked:
      if (fork_result == 0) {
        os->duplicate_to(frame.value2, 1);
        os->close(frame.value);
        os->close(frame.value2);
        run_in_child(frame.node, false, false);
        return Rule::kCmdSubst;
      }
      if (fork_result < 0) {
        shell_error(2);
        return Rule::kRunFail;
      }
      launched = fork_result;
      [[fallthrough]];
    case kLaunched:
      os->close(frame.value2);
      frame.value2 = -1;
      frame.index = static_cast<uint32_t>(launched);
      frame.pc = kReading;
      append("", frame.part->region);
      [[fallthrough]];
    case kReading: return read_substitution(frame);
    default: {
      int status = wait_for(static_cast<world::Pid>(frame.index));
      if (status == world::kWouldBlock) return Rule::kBlocked;
      state.status = status;
      finish_substitution(frame);
      return Rule::kCmdSubstWait;
    }
  }
}

// The output is the end of `text`; zero bytes and the newlines at its end go.
void Machine::finish_substitution(Frame& frame) {
  size_t base = frame.text;
  if (text.find('\0', base) != std::string::npos) {
    text.erase(std::remove(text.begin() + static_cast<ptrdiff_t>(base), text.end(), '\0'),
               text.end());
  }
  size_t end = text.size();
  while (end > base && text[end - 1] == '\n') --end;
  text.resize(end);
  did_substitute = true;
  pop();
}

// ------------------------------------------------------------------------------------- launch

// A program that can be started without a copy of the shell. Its words are expanded here, so they
// must start no process: that one would see the shell's descriptors instead of the command's, and
// an asynchronous command would keep the shell waiting.
bool Machine::is_direct(const Node* node) {
  const auto is_safe_word = [this](const Word& word) { return is_safe(word, 0); };
  return node->kind == NodeKind::kSimple && node->name != kNoName && node->builtin == nullptr &&
         function(node->name) == nullptr && !fine_steps &&
         std::all_of(node->words.begin(), node->words.end(), is_safe_word) &&
         std::all_of(
             node->assignments.begin(), node->assignments.end(),
             [&](const Assignment& assignment) { return is_safe_word(assignment.value); }) &&
         std::all_of(node->redirects.begin(), node->redirects.end(),
                     [&](const Redirect& redirect) { return is_safe_word(redirect.target); });
}

namespace {
enum LaunchPc : uint8_t { kLaunchStart, kLaunchInside, kLaunchForked };
}

Rule Machine::step_launch(Frame& frame) {
  switch (frame.pc) {
    case kLaunchStart:
      if (is_direct(frame.node)) {
        const Node* node = frame.node;
        frame.pc = kLaunchInside;
        frame.flag = true;
        launched = 0;
        enter_subshell();
        for (const world::FdMove& move : launches.back().moves) io[move.target] = move.source;
        push_node(node, true);
        return Rule::kRun;
      }
      start_fork(frame, kLaunchForked);
      return Rule::kRun;
    case kLaunchInside:
      undo_moves(frame.redirects);
      fields.truncate(frame.fields);
      text.resize(frame.text);
      regions.resize(frame.regions);
      leave_subshell(frame.saved);
      launches.pop_back();
      pop();
      return Rule::kRun;
    default: break;
  }
  Launch launch = std::move(launches.back());
  launches.pop_back();
  if (fork_result == 0) {
    if (launch.group >= 0) os->set_group(0, launch.group);
    for (const world::FdMove& move : launch.moves) os->duplicate_to(move.source, move.target);
    for (int fd : launch.closes) os->close(fd);
    run_in_child(frame.node, frame.tested, launch.is_async);
    return Rule::kRun;
  }
  if (fork_result > 0 && launch.group >= 0) {
    os->set_group(fork_result, launch.group == 0 ? fork_result : launch.group);
  }
  launched = std::max(fork_result, 0);
  if (fork_result < 0) state.status = 2;
  pop();
  return Rule::kRun;
}

}  // namespace nacre::machine
