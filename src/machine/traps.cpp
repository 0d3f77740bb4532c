// Signals and their traps: what runs between two commands.
#include <algorithm>
#include <csignal>

#include "machine/machine.h"
#include "machine/signals.h"

namespace nacre::machine {

using world::Disposition;

// False: the signal was ignored when the shell started, and stays so.
bool Machine::set_trap(int signal, std::optional<std::string> action) {
  Traps& traps = state.traps;
  if (traps.are_inherited) {  // the parent's were only there to be shown
    traps.are_inherited = false;
    for (auto& old : traps.actions) {
      if (old && !old->empty()) old.reset();
    }
  }
  auto index = static_cast<size_t>(signal);
  if (signal >= NSIG) {
    traps.has_pseudo = true;
    traps.actions[index] = std::move(action);
    return true;
  }
  bool is_own = traps.is_async && (signal == SIGINT || signal == SIGQUIT);
  if (signal != 0 && !traps.actions[index] && !is_interactive() && !is_own &&
      os->disposition(signal) == Disposition::kIgnore) {
    traps.ignored_at_start[index] = true;
  }
  if (traps.ignored_at_start[index] && !is_interactive()) return false;
  traps.ignored_at_start[index] = false;  // a session decides anew
  traps.actions[index] = std::move(action);
  if (signal == 0 || signal == SIGKILL || signal == SIGSTOP) return true;
  const auto& now = traps.actions[index];
  bool ignores = now && now->empty() && signal != SIGCHLD;  // see keep_children()
  os->set_disposition(signal, !now || (now->empty() && !ignores) ? Disposition::kDefault
                              : ignores                          ? Disposition::kIgnore
                                                                 : Disposition::kCatch);
  if (is_interactive() && !state.is_subshell) update_interactive_signals();
  return true;
}

// The kernel forgets the status of children whose parent ignores SIGCHLD, and the shell waits for
// them. Its default does nothing either; only the programs that are started are told to ignore it.
void Machine::keep_children() {
  if (os->disposition(SIGCHLD) != Disposition::kIgnore) return;
  state.traps.ignored_at_start[SIGCHLD] = true;
  os->set_disposition(SIGCHLD, Disposition::kDefault);
}

bool Machine::ignores_children() const {
  const auto& action = state.traps.actions[SIGCHLD];
  return state.traps.ignored_at_start[SIGCHLD] || (action && action->empty());
}

void Machine::reset_traps_for_subshell() {
  is_exiting = false;
  if (state.traps.are_inherited) return;  // they have been, and some may be ignored since
  for (int signal = 1; signal < NSIG; ++signal) {
    const auto& action = state.traps.actions[static_cast<size_t>(signal)];
    if (action && !action->empty()) os->set_disposition(signal, Disposition::kDefault);
  }
  state.traps.are_inherited = true;
}

void Machine::update_interactive_signals() {
  note_ignored_signals();
  auto set = [&](int signal, Disposition disposition) {
    if (!state.traps.actions[static_cast<size_t>(signal)]) os->set_disposition(signal, disposition);
  };
  bool interactive = is_interactive();
  set(SIGINT, interactive ? Disposition::kCatch : Disposition::kDefault);
  set(SIGQUIT, interactive ? Disposition::kIgnore : Disposition::kDefault);
  set(SIGTERM, interactive ? Disposition::kIgnore : Disposition::kDefault);
  bool notifies = interactive && state.options.has(Option::kNotify);
  set(SIGCHLD, notifies ? Disposition::kCatch : Disposition::kDefault);
}

namespace {

bool is_between_commands(const Frame& frame) {
  switch (frame.kind()) {
    case FrameKind::kSequence:
    case FrameKind::kAndOr:
    case FrameKind::kIf:
    case FrameKind::kWhile:
    case FrameKind::kSource:
    case FrameKind::kCall:
    case FrameKind::kEnd:
    case FrameKind::kNot: return true;
    case FrameKind::kFor: return frame.as<ForFrame>().phase == ForFrame::Phase::kBody;
    case FrameKind::kSimple: return frame.as<SimpleFrame>().phase == SimpleFrame::Phase::kStart;
    default: return false;
  }
}

}  // namespace

// True if a frame was pushed or the machine unwinds. Only between commands.
bool Machine::run_pending_traps() {
  if (!is_between_commands(frames.back())) return false;
  bool interrupts = is_interactive() && !state.traps.actions[SIGINT];
  if (subshell_level > 0) {  // the shell itself handles it when it is back
    if (os->peek_signal() != SIGINT || !interrupts) return false;
    exit_shell(128 + SIGINT);
    return true;
  }
  while (int signal = os->take_signal()) {
    const auto& action = state.traps.actions[static_cast<size_t>(signal)];
    bool is_trapped = action && !action->empty() && !state.traps.are_inherited;
    if (is_trapped) {
      push(TrapFrame{.status = state.status});
      push_source(Source::of_text("trap", *action), false);
      return true;
    }
    if (signal == SIGINT && is_interactive() && !state.is_subshell) {
      interrupt_session();
      return true;
    }
  }
  return false;
}

// ^C: the rest of the line is not run, and the prompt starts a new line after the terminal's `^C`.
void Machine::interrupt_session() {
  write_all(io[2], "\n");
  state.status = 128 + SIGINT;
  if (!state.traps.actions[SIGINT]) unwind(Unwind::kError);
}

bool Machine::warn_about_stopped_jobs() {
  if (!is_interactive() || state.is_subshell || state.exit_warned_at + 1 == state.commands_read) {
    return false;
  }
  reap_children();
  const auto& jobs = state.jobs.all();
  bool has_stopped = std::any_of(
      jobs.begin(), jobs.end(), [](const Job& job) { return job.state() == JobProcess::kStopped; });
  if (!has_stopped) return false;
  write_all(io[2], "You have stopped jobs.\n");
  state.exit_warned_at = state.commands_read;
  return true;
}

bool Machine::take_interrupt() {
  if (os->peek_signal() != SIGINT) return false;
  if (!state.traps.actions[SIGINT]) os->take_signal();
  state.status = 128 + SIGINT;
  return true;
}

bool Machine::run_trap(int signal, bool exits) {
  const auto& action = state.traps.actions[static_cast<size_t>(signal)];
  bool is_inherited = state.traps.are_inherited || subshell_level > 0;
  bool is_traced = state.options.has(signal == kErrTrap ? Option::kErrTrace : Option::kFuncTrace);
  if (!action || action->empty() || (is_inherited && !is_traced)) return false;
  // What the action of DEBUG calls and leaves is not traced either.
  bool is_running = std::any_of(frames.begin(), frames.end(), [&](const Frame& frame) {
    const auto* trap = frame.get<TrapFrame>();
    return trap != nullptr &&
           (trap->signal == signal || (trap->signal == kDebugTrap && signal == kReturnTrap));
  });
  if (is_running) return false;
  push(TrapFrame{.status = state.status, .signal = signal, .exits = exits, .line = state.line});
  auto source = Source::of_text("trap", *action);
  source->counts_on = true;
  push_source(std::move(source), false);
  return true;
}

bool Machine::debug_before(Frame& frame) {
  if (!state.traps.has_pseudo || std::exchange(frame.has_debugged, false)) return false;
  frame.has_debugged = true;
  state.line = frame.node->line;
  if (run_trap(kDebugTrap)) return true;
  frame.has_debugged = false;
  return false;
}

Rule Machine::step_trap(Frame& frame) {
  int ended_with = state.status;
  state.status = frame.as<TrapFrame>().status;
  if (frame.as<TrapFrame>().line != 0) state.line = frame.as<TrapFrame>().line;
  bool exits = frame.as<TrapFrame>().exits;
  bool skips = frame.as<TrapFrame>().signal == kDebugTrap && ended_with != 0 &&
               state.options.has(Option::kExtdebug);
  pop();
  // extdebug: the command that the DEBUG trap came before is not run.
  if (skips && !frames.empty() && frames.back().is<SimpleFrame>()) pop();
  if (exits) unwind(Unwind::kExit);
  return Rule::kTrappedDone;
}

bool Machine::start_exit_trap() {
  const auto& action = state.traps.actions[0];
  if (is_exiting || !action || action->empty() || state.traps.are_inherited) return false;
  is_exiting = true;
  push(ExitTrapFrame{.status = state.status});
  push_source(Source::of_text("trap", *action), false);
  return true;
}

Rule Machine::step_exit(Frame& frame) {
  state.status = frame.as<ExitTrapFrame>().status;
  pop();
  return Rule::kDone;
}

}  // namespace nacre::machine
