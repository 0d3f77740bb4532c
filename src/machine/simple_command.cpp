// Simple commands, in the order of the semantics: arguments, redirections, assignments, then the
// command itself: a special builtin, a function, a builtin or a program.
#include <cerrno>
#include <cstring>
#include <fmt/format.h>

#include "machine/machine.h"
#include "machine/quote.h"
#include "machine/signals.h"

namespace nacre::machine {
namespace {

enum Pc : uint8_t {
  kArguments,
  kRedirects,
  kTarget,
  kAssignments,
  kValue,
  kRun,
  kWaiting,
  kFinish
};

// What a command's name stands for; Frame::value while it is prepared.
enum Target : int {
  kNothing,
  kSpecialBuiltin,
  kPlainBuiltin,
  kBuiltinCommand,
  kFunctionCall,
  kProgram
};

// Redirections of these are undone by frames of their own accord: the shell's descriptors change.
bool needs_real_descriptors(int target) {
  return target == kSpecialBuiltin || target == kBuiltinCommand || target == kFunctionCall;
}

}  // namespace

Rule Machine::step_simple(Frame& frame) {
  switch (frame.pc) {
    case kArguments:
      if (!expand_arguments(frame)) return Rule::kCmdArgExp;
      resolve_command(frame);
      frame.pc = kRedirects;
      frame.index = 0;
      [[fallthrough]];
    case kRedirects:
    case kTarget:
      if (!open_redirects(frame)) return Rule::kCmdRedir;
      frame.pc = kAssignments;
      frame.index = 0;
      [[fallthrough]];
    case kAssignments:
    case kValue:
      if (!expand_assignments(frame)) return Rule::kCmdAssign;
      frame.pc = kRun;
      if (state.options.has(Option::kTrace)) trace(frame);
      if (fine_steps) return Rule::kCmdAssignDoneCmd;
      [[fallthrough]];
    case kRun: return run_simple(frame);
    case kWaiting: return wait_external(frame);
    default: return finish_simple(frame);
  }
}

bool Machine::expand_arguments(Frame& frame) {
  const Node& node = *frame.node;
  if (frame.index == 0) {
    state.line = node.line;
    did_substitute = false;
  }
  while (frame.index < node.words.size()) {
    const Word& word = node.words[frame.index++];
    if (!expand_word(word, word.is_assignment ? ExpandMode::kOneField : ExpandMode::kFields)) {
      return false;
    }
  }
  return true;
}

// Sets frame.value (a Target), frame.builtin and frame.value2 (how many words stand before the
// command's own: `command`).
void Machine::resolve_command(Frame& frame) {
  const Node& node = *frame.node;
  frame.value2 = 0;
  if (fields.size() == frame.fields) {
    frame.value = kNothing;
    return;
  }
  bool is_literal = node.name != kNoName;
  NameId id = is_literal ? node.name : names().find(fields[frame.fields]);
  frame.builtin = is_literal ? node.builtin : find_builtin(fields[frame.fields]);
  if (frame.builtin != nullptr && frame.builtin->is(kSpecial)) {
    frame.value = kSpecialBuiltin;
  } else if (id != kNoName && function(id) != nullptr) {
    frame.value = kFunctionCall;
  } else if (frame.builtin != nullptr) {
    frame.value = frame.builtin->is(kPlain) ? kPlainBuiltin : kBuiltinCommand;
    if (frame.builtin->name == "command") skip_command_prefix(frame);
  } else {
    frame.value = kProgram;
  }
}

// `command [-p] name ...`: no function, and a special builtin is not special any more.
bool Machine::skip_command_prefix(Frame& frame) {
  size_t at = frame.fields;
  bool default_path = false;
  while (at < fields.size() && fields[at] == "command") {
    size_t next = at + 1;
    bool path = false;
    while (next < fields.size() && fields[next].starts_with('-') && fields[next].size() > 1) {
      if (fields[next] == "--") {
        ++next;
        break;
      }
      if (fields[next] != "-p") return false;  // -v, -V or wrong: the builtin `command` itself
      path = true;
      ++next;
    }
    if (next >= fields.size()) return false;
    default_path |= path;
    at = next;
  }
  frame.value2 = static_cast<int>(at - frame.fields);
  frame.is_forgiving = true;
  frame.splits = default_path;
  frame.builtin = find_builtin(fields[at]);
  frame.value = frame.builtin == nullptr                                    ? kProgram
                : frame.builtin->is(kPlain) && !frame.builtin->is(kSpecial) ? kPlainBuiltin
                                                                            : kBuiltinCommand;
  return true;
}

bool Machine::open_redirects(Frame& frame) {
  const Node& node = *frame.node;
  while (true) {
    if (frame.pc == kTarget) {
      std::string target = take_text(frame.text);
      frame.pc = kRedirects;
      bool opened = open_redirect(node.redirects[frame.index - 1], target) &&
                    (!needs_real_descriptors(frame.value) || apply_last_move());
      if (!opened) {
        state.status = 1;
        if (frame.value == kSpecialBuiltin) {
          shell_error(1);
        } else {
          finish_simple(frame);
        }
        return false;
      }
    }
    if (frame.index == node.redirects.size()) return true;
    frame.pc = kTarget;
    if (!expand_word(node.redirects[frame.index++].target, ExpandMode::kString)) return false;
  }
}

bool Machine::append_in_place(const Assignment& assignment, Frame& frame) {
  const std::string* old = state.variables.get(assignment.name);
  if (old == nullptr || fine_steps || state.variables.at(assignment.name).is_readonly) return false;
  uint32_t index = 1;
  if (!expand_parts(assignment.value, index, false)) return true;  // unwinding
  state.variables.append(assignment.name, std::string_view(text).substr(frame.text));
  text.resize(frame.text);
  regions.resize(frame.regions);
  if (state.variables.has_changes()) react_to_changes();
  return true;
}

bool Machine::expand_assignments(Frame& frame) {
  const Node& node = *frame.node;
  bool is_temporary = frame.value != kNothing && frame.value != kSpecialBuiltin;
  while (true) {
    if (frame.pc == kValue) {
      const Assignment& assignment = node.assignments[frame.index - 1];
      frame.pc = kAssignments;
      if (is_temporary) {
        frame.flag = true;
        state.variables.save(assignment.name);
      }
      bool assigned = assign(assignment.name, std::string_view(text).substr(frame.text));
      text.resize(frame.text);
      if (!assigned) {
        shell_error(1);
        return false;
      }
      if (is_temporary) state.variables.set_exported(assignment.name, true);
    }
    if (frame.index == node.assignments.size()) return true;
    const Assignment& assignment = node.assignments[frame.index++];
    if (assignment.appends && !is_temporary && append_in_place(assignment, frame)) {
      if (unwinding != Unwind::kNone) return false;
      continue;
    }
    if (assignment.value.is_literal && !is_temporary && !fine_steps) {
      if (assign(assignment.name, assignment.value.literal)) continue;
      shell_error(1);
      return false;
    }
    frame.pc = kValue;
    if (!expand_word(assignment.value, ExpandMode::kString)) return false;
  }
}

bool Machine::assign(NameId name, std::string_view value) {
  Variables& variables = state.variables;
  if (variables.at(name).is_readonly) {
    error(fmt::format("{}: is read only", names().text(name)));
    return false;
  }
  variables.set(name, value);
  if (state.options.has(Option::kAllExport)) variables.set_exported(name, true);
  if (variables.has_changes()) react_to_changes();
  return true;
}

void Machine::trace(const Frame& frame) {
  const std::string* prompt = state.variables.get("PS4");
  state.options.set(Option::kTrace, false);
  std::string line = expand_prompt(prompt == nullptr ? "+ " : *prompt);
  state.options.set(Option::kTrace, true);
  const Frame& self = frames.back();
  std::string_view separator = "";
  for (const Assignment& assignment : self.node->assignments) {
    const std::string* value = state.variables.get(assignment.name);
    line += fmt::format("{}{}={}", separator, names().text(assignment.name),
                        value == nullptr || value->empty() ? "" : quoted_if_needed(*value));
    separator = " ";
  }
  for (size_t i = self.fields; i < fields.size(); ++i) {
    line += fmt::format("{}{}", separator, quoted_if_needed(fields[i]));
    separator = " ";
  }
  (void)frame;
  write_all(io[2], line + '\n');
}

Rule Machine::run_simple(Frame& frame) {
  switch (frame.value) {
    case kNothing:
      if (!did_substitute) state.status = 0;
      finish_simple(frame);
      return Rule::kCmdAssignDoneNoCmd;
    case kFunctionCall: return call_function(frame);
    case kProgram: return run_external(frame);
    default: return run_builtin(frame);
  }
}

int Machine::builtin_failure(std::string_view name, std::string_view message, int status) {
  builtin_error(name, message);
  if (is_special_call) shell_error(status);
  return status;
}

Rule Machine::run_builtin(Frame& frame) {
  const Builtin& builtin = *frame.builtin;
  size_t self = frames.size() - 1;
  size_t base = frame.fields + static_cast<size_t>(frame.value2);
  bool is_plain = frame.value == kPlainBuiltin;
  int old_io[3] = {io[0], io[1], io[2]};
  if (is_plain && moves.size() > frame.redirects) {
    size_t from = frame.redirects;
    int resolved[3] = {resolve(0, from), resolve(1, from), resolve(2, from)};
    for (int i = 0; i < 3; ++i) io[i] = resolved[i];
  }
  is_special_call = frame.value == kSpecialBuiltin;
  frame.pc = kFinish;
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
    frames[self].pc = kRun;
    return Rule::kBlocked;
  }
  if (status == kPushed) return Rule::kRun;
  // While unwinding (exit, return) the status is already the one that counts.
  if (unwinding != Unwind::kNone) return Rule::kRun;
  state.status = status;
  finish_simple(frames[self]);
  return Rule::kRun;
}

Rule Machine::finish_simple(Frame& frame) {
  if (moves.size() > frame.redirects) undo_moves(frame.redirects);
  if (frame.flag) {
    state.variables.restore(frame.saved);
    if (state.variables.has_changes()) react_to_changes();
  }
  fields.truncate(frame.fields);
  bool tested = frame.tested;
  pop();
  return finish_command(tested);
}

Rule Machine::call_function(Frame& frame) {
  NameId id = frame.node->name != kNoName ? frame.node->name : names().find(fields[frame.fields]);
  const Function called = *function(id);
  if (!frame.node->assignments.empty()) {
    unspecified("whether assignments before a function outlive it");
  }
  Context context;
  context.positional = std::move(state.positional);
  context.loop_depth = loop_depth;
  context.code = called.code;
  contexts.push_back(std::move(context));
  auto values = std::make_shared<std::vector<std::string>>();
  values->reserve(fields.size() - frame.fields - 1);
  for (size_t i = frame.fields + 1; i < fields.size(); ++i) values->emplace_back(fields[i]);
  state.positional = {std::move(values), 0};
  fields.truncate(frame.fields);
  if (!state.options.has(Option::kNonLexicalControl)) loop_depth = 0;
  ++function_depth;
  frame.pc = kFinish;
  bool tested = frame.tested;
  push(FrameKind::kCall, called.body).tested = tested;
  push_node(called.body, tested);
  return Rule::kCall;
}

Rule Machine::step_call(Frame& frame) {
  finish_call(frame);
  pop();
  return Rule::kCallDone;
}

void Machine::finish_call(Frame& frame) {
  undo_moves(frame.redirects);
  fields.truncate(frame.fields);
  text.resize(frame.text);
  regions.resize(frame.regions);
  state.variables.restore(frame.saved);
  if (state.variables.has_changes()) react_to_changes();
  state.positional = std::move(contexts.back().positional);
  loop_depth = contexts.back().loop_depth;
  --function_depth;
  contexts.pop_back();
}

// The last command of a process that has nothing else to do becomes it.
Rule Machine::exec_in_place(Frame& frame, const std::string& path) {
  size_t base = frame.fields + static_cast<size_t>(frame.value2);
  for (size_t i = frame.redirects; i < moves.size(); ++i) {
    const world::FdMove& move = moves[i].move;
    if (move.source < 0) {
      os->close(move.target);
    } else {
      os->duplicate_to(move.source, move.target);
    }
  }
  std::string name(fields[base]);
  state.status = exec_error(name, exec_command(base, path));
  return finish_simple(frame);
}

// The message goes where the command's errors would have gone.
Rule Machine::cannot_run(Frame& frame, std::string_view name, int failure) {
  int old = io[2];
  io[2] = resolve(2, frame.redirects);
  state.status = exec_error(name, failure);
  io[2] = old;
  return finish_simple(frame);
}

Rule Machine::run_external(Frame& frame) {
  size_t base = frame.fields + static_cast<size_t>(frame.value2);
  std::string name(fields[base]);
  NameId id =
      frame.node->name != kNoName && frame.value2 == 0 ? frame.node->name : names().intern(name);
  int failure = 0;
  std::optional<std::string> path = find_command(name, id, failure, frame.splits);
  if (!path) return cannot_run(frame, name, failure);
  bool is_last = frames.size() == 2 && frames[0].kind == FrameKind::kEnd;
  if (is_last && !state.traps.has_actions()) {
    return exec_in_place(frame, *path);
  }
  std::vector<world::FdMove> wanted;
  bool is_direct = frames.size() > 1 && frames[frames.size() - 2].kind == FrameKind::kLaunch &&
                   frames[frames.size() - 2].flag;
  const Launch* launch = is_direct ? &launches.back() : nullptr;
  if (is_direct) wanted = launch->moves;
  for (size_t i = frame.redirects; i < moves.size(); ++i) wanted.push_back(moves[i].move);
  bool has_group = state.options.has(Option::kMonitor) && !state.is_subshell;
  world::Pid group = is_direct ? launch->group : has_group ? 0 : -1;
  world::Pid pid = spawn(base, *path, wanted, is_direct && launch->is_async, group);
  if (pid < 0) return cannot_run(frame, name, -pid);
  undo_moves(frame.redirects);
  if (is_direct) {
    launched = pid;
    state.status = 0;
    fields.truncate(frame.fields);
    if (frame.flag) state.variables.restore(frame.saved);
    pop();
    return Rule::kRun;
  }
  if (has_group) {
    Job job;
    job.group = pid;
    job.text = frame.node->text;
    job.processes.push_back({pid});
    frame.pc = kFinish;
    pending_jobs.push_back(std::move(job));
    push(FrameKind::kWaitJob);
    return Rule::kRun;
  }
  frame.pc = kWaiting;
  frame.value = pid;
  return wait_external(frame);
}

Rule Machine::wait_external(Frame& frame) {
  int status = wait_for(frame.value);
  if (status == world::kWouldBlock) return Rule::kBlocked;
  state.status = status;
  finish_simple(frame);
  return Rule::kWait;
}

}  // namespace nacre::machine
