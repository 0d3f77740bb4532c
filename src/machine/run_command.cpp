// Simple commands, second half: what has been expanded is run as a special builtin, a function, a
// builtin or a program.
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "machine/machine.h"

namespace nacre::machine {

using SimplePhase = SimpleFrame::Phase;

Rule Machine::run_simple(Frame& frame) {
  if (is_bash()) {
    bool has_words = fields.size() > frame.base.fields;
    state.last_argument = has_words ? fields[fields.size() - 1] : std::string_view();
  }
  switch (frame.as<SimpleFrame>().target) {
    case CommandTarget::kNothing:
      if (!did_substitute) state.status = 0;
      return finish_simple(frame) == Rule::kRunErr ? Rule::kRunErr : Rule::kCmdAssignDoneNoCmd;
    case CommandTarget::kFunctionCall: return call_function(frame);
    case CommandTarget::kProgram: return run_external(frame);
    default: return run_builtin(frame);
  }
}

int Machine::builtin_failure(std::string_view name, std::string_view message, int status) {
  builtin_error(name, message);
  if (is_special_call) shell_error(status);
  return status;
}

int Machine::bad_option(std::string_view name, char letter) {
  if (!is_bash()) return builtin_failure(name, fmt::format("-{}: bad option", letter), 2);
  builtin_error(name, fmt::format("-{}: invalid option", letter));
  return usage_failure(name);
}

int Machine::usage_failure(std::string_view name) {
  write_all(io[2], fmt::format("{}: usage: {}\n", name, bash_usage(name)));
  if (is_special_call) shell_error(2);
  return 2;
}

Rule Machine::run_builtin(Frame& frame) {
  auto& simple = frame.as<SimpleFrame>();
  const Builtin& builtin = *simple.builtin;
  size_t self = frames.size() - 1;
  size_t base = command_base(frame);
  bool is_plain = simple.target == CommandTarget::kPlainBuiltin;
  int old_io[3] = {io[0], io[1], io[2]};
  if (is_plain && moves.size() > frame.base.moves) {
    size_t from = frame.base.moves;
    int resolved[3] = {resolve(0, from), resolve(1, from), resolve(2, from)};
    for (int i = 0; i < 3; ++i) io[i] = resolved[i];
  }
  is_special_call = simple.target == CommandTarget::kSpecialBuiltin;
  simple.phase = SimplePhase::kFinish;
  int status = builtin.run(*this, Args(fields, base));
  is_special_call = false;
  if (!flush_out() && status != kNotReady) {
    builtin_error(builtin.name, fmt::format("write error: {}", std::strerror(errno)));
    status = status > 0 ? status : 1;
  }
  if (is_plain) {
    for (int i = 0; i < 3; ++i) io[i] = old_io[i];
  }
  if (status == kNotReady) {
    frames[self].as<SimpleFrame>().phase = SimplePhase::kRun;
    return Rule::kBlocked;
  }
  if (status == kPushed) return Rule::kRun;
  // While unwinding (exit, return) the status is already the one that counts.
  if (unwinding != Unwind::kNone) {
    bool failed = status != 0 && (unwinding == Unwind::kError || builtin.name != "exit");
    return failed && unwinding != Unwind::kReturn ? Rule::kRunFail : Rule::kRun;
  }
  state.status = status;
  return finish_simple(frames[self]);
}

Rule Machine::finish_simple(Frame& frame) {
  auto& self = frame.as<SimpleFrame>();
  if (moves.size() > frame.base.moves) undo_moves(frame.base.moves);
  if (self.restores_variables) {
    state.variables.restore(frame.base.variables);
    if (state.variables.has_changes()) react_to_changes();
  }
  fields.truncate(frame.base.fields);
  if (!compounds.empty()) drop_compounds(frame.base.fields);
  forget_shown(self.shown);
  bool tested = frame.tested;
  pop();
  return finish_command(tested);
}

Rule Machine::call_function(Frame& frame) {
  NameId id =
      frame.node->name != kNoName ? frame.node->name : names().find(fields[frame.base.fields]);
  const Function called = *function(id);
  if (!frame.node->assignments.empty()) {
    unspecified("whether assignments before a function outlive it");
  }
  Context context;
  context.positional = std::move(state.positional);
  context.loop_depth = loop_depth;
  context.getopts_offset = state.getopts_offset;
  context.code = called.code;
  if (is_bash()) context.last_argument = state.last_argument;
  if (state.traps.has_pseudo) hide_traps(context, state.variables.at(id).is(kTraced));
  contexts.push_back(std::move(context));
  auto values = std::make_shared<std::vector<std::string>>();
  values->reserve(fields.size() - frame.base.fields - 1);
  for (size_t i = frame.base.fields + 1; i < fields.size(); ++i) values->emplace_back(fields[i]);
  state.positional = {std::move(values), 0};
  fields.truncate(frame.base.fields);
  if (!state.options.has(Option::kNonLexicalControl)) loop_depth = 0;
  ++function_depth;
  frame.as<SimpleFrame>().phase = SimplePhase::kFinish;
  bool tested = frame.tested;
  push(CallFrame{.name = id, .line = state.line}, called.body).tested = tested;
  push_node(called.body, tested);
  if (state.traps.has_pseudo) {
    state.line = called.definition->line;
    run_trap(kDebugTrap);
  }
  return Rule::kCall;
}

// A function starts without the traps that it does not inherit.
void Machine::hide_traps(Context& context, bool is_traced) {
  for (int trap = kErrTrap; trap < kTrapCount; ++trap) {
    bool inherits = state.options.has(trap == kErrTrap ? Option::kErrTrace : Option::kFuncTrace);
    auto& action = state.traps.actions[static_cast<size_t>(trap)];
    if (inherits || is_traced) continue;
    context.traps[static_cast<size_t>(trap - NSIG)] = std::exchange(action, std::nullopt);
  }
}

void Machine::restore_traps(Context& context) {
  for (int trap = kErrTrap; trap < kTrapCount; ++trap) {
    auto& action = state.traps.actions[static_cast<size_t>(trap)];
    auto& saved = context.traps[static_cast<size_t>(trap - NSIG)];
    if (saved && !action) action = std::move(saved);
  }
}

Rule Machine::step_call(Frame& frame) {
  auto& self = frame.as<CallFrame>();
  if (state.traps.has_pseudo && !std::exchange(self.has_trapped, true) && run_trap(kReturnTrap)) {
    return Rule::kTrapped;
  }
  finish_call(frame);
  pop();
  return Rule::kCallDone;
}

void Machine::finish_call(Frame& frame) {
  undo_moves(frame.base.moves);
  cut_to(frame.base);
  state.variables.restore(frame.base.variables);
  if (state.variables.has_changes()) {
    // A local OPTIND goes together with the place within its argument.
    constexpr size_t kUnchanged = ~size_t{0};
    size_t own = std::exchange(state.getopts_offset, kUnchanged);
    react_to_changes();
    bool is_restored = state.getopts_offset != kUnchanged;
    state.getopts_offset = is_restored ? contexts.back().getopts_offset : own;
  }
  state.positional = std::move(contexts.back().positional);
  loop_depth = contexts.back().loop_depth;
  if (is_bash()) state.last_argument = std::move(contexts.back().last_argument);
  if (state.traps.has_pseudo) restore_traps(contexts.back());
  --function_depth;
  contexts.pop_back();
}

// The last command of a process that has nothing else to do becomes it.
Rule Machine::exec_in_place(Frame& frame, const std::string& path) {
  size_t base = command_base(frame);
  for (size_t i = frame.base.moves; i < moves.size(); ++i) {
    const world::FdMove& move = moves[i].move;
    if (moves[i].is_applied) continue;
    if (move.source < 0) {
      os->close(move.target);
    } else {
      os->duplicate_to(move.source, move.target);
    }
  }
  std::string name(fields[base]);
  state.status = exec_error(name, exec_command(base, path));
  finish_simple(frame);
  return Rule::kRunFail;
}

// The message goes where the command's errors would have gone.
Rule Machine::cannot_run(Frame& frame, std::string_view name, int failure) {
  int old = io[2];
  io[2] = resolve(2, frame.base.moves);
  state.status = exec_error(name, failure);
  io[2] = old;
  finish_simple(frame);
  return Rule::kRunFail;
}

Rule Machine::run_external(Frame& frame) {
  auto& self = frame.as<SimpleFrame>();
  size_t base = command_base(frame);
  std::string name(fields[base]);
  NameId id =
      frame.node->name != kNoName && self.prefix == 0 ? frame.node->name : names().intern(name);
  int failure = 0;
  std::optional<std::string> path = find_command(name, id, failure, self.uses_default_path);
  if (!path) return cannot_run(frame, name, failure);
  bool is_last = frames.size() == 2 && frames[0].is<EndFrame>();
  if (is_last && !state.traps.has_actions()) return exec_in_place(frame, *path);
  std::vector<world::FdMove> wanted;
  const Launch* launch = is_launched_here() ? &launches.back() : nullptr;
  if (launch != nullptr) wanted = launch->moves;
  for (size_t i = frame.base.moves; i < moves.size(); ++i) {
    if (!moves[i].is_applied) wanted.push_back(moves[i].move);
  }
  bool has_group = leads_jobs();
  Launch own;
  own.group = has_group ? 0 : -1;
  world::Pid pid = spawn(base, *path, wanted, launch != nullptr ? *launch : own);
  if (pid < 0) return cannot_run(frame, name, -pid);
  undo_moves(frame.base.moves);
  if (launch != nullptr) {
    launched = pid;
    state.status = 0;
    fields.truncate(frame.base.fields);
    if (self.restores_variables) state.variables.restore(frame.base.variables);
    pop();
    return Rule::kRun;
  }
  if (has_group) {
    Job job;
    job.group = pid;
    job.text = frame.node->text;
    job.processes.push_back({pid});
    self.phase = SimplePhase::kFinish;
    pending_jobs.push_back(std::move(job));
    push(WaitJobFrame{});
    return Rule::kRun;
  }
  self.phase = SimplePhase::kWaiting;
  self.process = pid;
  return fine_steps ? Rule::kRun : wait_external(frame);
}

Rule Machine::wait_external(Frame& frame) {
  int status = wait_for(frame.as<SimpleFrame>().process);
  if (status == world::kWouldBlock) return Rule::kBlocked;
  state.status = status;
  return finish_simple(frame) == Rule::kRunErr ? Rule::kRunErr : Rule::kWait;
}

}  // namespace nacre::machine
