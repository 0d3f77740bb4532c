// Subshells and substitutions without a process. A subshell must not change its parent; a process
// of its own is only one way to get that. Where every command of the body is a builtin whose
// changes can be undone, the body runs here: variables are journalled, the other registers are
// saved, and output goes to memory.
//
// is_safe() proves it: the body has only literal names of undoable builtins and of functions whose
// bodies are safe, redirects nothing but 0, 1 and 2, and starts no process. Then
// 1. no process sees the shell's descriptors while they lead somewhere else (`io`);
// 2. every change of a variable goes through the journal of Variables;
// 3. what else can change (options, positional parameters, getopts) is in Context;
// 4. `exit` and errors end at the kSubshell frame, as they would end the process.
// 5. before the first `cd` the working directory is remembered.
// $$ and traps are the same in a process of its own.
#include <algorithm>
#include <csignal>
#include <fcntl.h>

#include "machine/machine.h"

namespace nacre::machine {

namespace {

constexpr int kMaxAnalysisDepth = 100;

bool is_safe_redirect(const Redirect& redirect) {
  if (redirect.fd > 2 || !redirect.variable.empty()) return false;
  bool copies = redirect.op == shell::RedirectOp::kDuplicateInput ||
                redirect.op == shell::RedirectOp::kDuplicateOutput;
  if (!copies) return true;
  if (!redirect.target.is_literal) return false;
  std::string_view target = redirect.target.literal;
  return target == "0" || target == "1" || target == "2";
}

// Not what the journal does not hold: functions, and the variables outside of a function.
bool is_safe_declaration(const Node& node) {
  for (const Word& word : node.words) {
    if (!word.is_literal) continue;
    std::string_view text = word.literal;
    if (text.starts_with('-') && text.find_first_of("gfF") != std::string_view::npos) return false;
  }
  return true;
}

// `set -- a b`; `command -v x`. Their other uses change more than the journal holds.
bool is_safe_use(const Node& node) {
  std::string_view name = node.builtin->name;
  if (name == "declare" || name == "typeset" || name == "export") return is_safe_declaration(node);
  if (name == "builtin") return false;
  if (name != "set" && name != "command") return true;
  if (node.words.size() < 2 || !node.words[1].is_literal) return false;
  std::string_view first = node.words[1].literal;
  return name == "set" ? first == "--" : first == "-v" || first == "-V";
}

}  // namespace

bool Machine::is_safe(const Word& word, int depth) {
  for (const Part& part : word.parts) {
    if (part.kind == PartKind::kCommand && part.body != nullptr && !is_safe(part.body, depth + 1)) {
      return false;
    }
    if (part.kind == PartKind::kProcess) return false;
    if (part.kind == PartKind::kParameter) {
      const Parameter& parameter = *part.parameter;
      if (parameter.kind == ParameterKind::kVariable && names().text(parameter.name) == "BASHPID") {
        return false;
      }
      const Word* subscript = parameter.subscript == nullptr ? nullptr : parameter.subscript->word;
      for (const Word* inner : {parameter.argument, parameter.replacement, subscript}) {
        if (inner != nullptr && !is_safe(*inner, depth)) return false;
      }
    }
    if (part.expression_word != nullptr && !is_safe(*part.expression_word, depth)) return false;
  }
  return word.compound == nullptr || is_safe(*word.compound, depth);
}

bool Machine::is_safe(const Compound& compound, int depth) {
  for (const CompoundElement& element : compound.elements) {
    if (!is_safe(element.value, depth)) return false;
    if (element.subscript != nullptr && !is_safe(*element.subscript->word, depth)) return false;
  }
  return true;
}

bool Machine::is_safe(const Assignment& assignment, int depth) {
  if (assignment.compound != nullptr && !is_safe(*assignment.compound, depth)) return false;
  if (assignment.subscript != nullptr && !is_safe(*assignment.subscript->word, depth)) return false;
  return is_safe(assignment.value, depth);
}

bool Machine::is_safe(const Node* node, int depth) {
  if (node->safe_generation == state.function_generation) return node->safe;
  if (depth > kMaxAnalysisDepth) return false;
  // Assumed while the body is looked at: a function that calls itself is as safe as its other
  // commands.
  node->safe_generation = state.function_generation;
  node->safe = true;
  bool safe = true;
  switch (node->kind) {
    case NodeKind::kPipeline:
    case NodeKind::kBackground:
    case NodeKind::kFunction:
    case NodeKind::kCoproc:
    case NodeKind::kUnsupported: safe = false; break;
    case NodeKind::kSimple:
      if (!node->words.empty() && node->name == kNoName) {
        safe = false;
      } else if (node->builtin != nullptr && node->builtin->is(kSpecial)) {
        safe = node->builtin->is(kUndoable) && is_safe_use(*node);
      } else if (const Function* called = node->words.empty() ? nullptr : function(node->name)) {
        safe = is_safe(called->body, depth + 1);
      } else if (!node->words.empty()) {
        safe = node->builtin != nullptr && node->builtin->is(kUndoable) && is_safe_use(*node);
      }
      break;
    default: break;
  }
  for (const Node* child : node->children) safe = safe && is_safe(child, depth + 1);
  for (const CaseArm& arm : node->arms) {
    safe = safe && (arm.body == nullptr || is_safe(arm.body, depth + 1));
    for (const Word& pattern : arm.patterns) safe = safe && is_safe(pattern, depth);
  }
  for (const Word& word : node->words) safe = safe && is_safe(word, depth);
  for (const Assignment& assignment : node->assignments) safe = safe && is_safe(assignment, depth);
  for (const Redirect& redirect : node->redirects) {
    safe = safe && is_safe_redirect(redirect) && is_safe(redirect.target, depth);
  }
  node->safe = safe;
  return safe;
}

bool Machine::runs_here(const Node* node) {
  return !fine_steps && !state.traps.actions[SIGCHLD] && is_safe(node);
}

void Machine::enter_subshell() {
  Context context;
  context.positional = state.positional;
  context.options = state.options;
  context.locale = state.locale;
  context.loop_depth = loop_depth;
  context.function_depth = function_depth;
  context.getopts_offset = state.getopts_offset;
  for (int i = 0; i < 3; ++i) context.io[i] = io[i];
  context.is_subshell = state.is_subshell;
  context.background_pid = state.background_pid;
  context.is_of_subshell = true;
  contexts.push_back(std::move(context));
  state.variables.enter_journal();
  state.is_subshell = true;
  ++subshell_level;
  loop_depth = 0;
}

void Machine::remember_directory() {
  if (subshell_level == 0) return;
  auto context = std::find_if(contexts.rbegin(), contexts.rend(),
                              [](const Context& of) { return of.is_of_subshell; });
  if (context->directory) return;
  context->directory = {os->open(".", O_PATH, 0), state.directory};
}

void Machine::return_to_directory(Context& context) {
  if (context.directory->fd < 0) {
    os->change_directory(context.directory->name.c_str());
  } else {
    os->change_directory(context.directory->fd);
    os->close(context.directory->fd);
  }
  state.directory = std::move(context.directory->name);
}

void Machine::leave_subshell(size_t variables_mark) {
  state.variables.leave_journal(variables_mark);
  if (state.variables.has_changes()) react_to_changes();
  Context& context = contexts.back();
  state.positional = std::move(context.positional);
  state.options = context.options;
  state.locale = context.locale;
  loop_depth = context.loop_depth;
  function_depth = context.function_depth;
  state.getopts_offset = context.getopts_offset;
  for (int i = 0; i < 3; ++i) io[i] = context.io[i];
  state.is_subshell = context.is_subshell;
  state.background_pid = context.background_pid;
  if (context.directory) return_to_directory(context);
  contexts.pop_back();
  --subshell_level;
}

// Under job control a subshell is a job like any other: it may be stopped.
Rule Machine::wait_for_subshell(Frame& frame) {
  auto& self = frame.as<SubshellFrame>();
  world::Pid pid = std::exchange(self.process, 0);
  os->set_group(pid, pid);
  give_terminal(pid);
  Job job;
  job.group = pid;
  job.text = frame.node->text;
  job.processes.push_back({pid});
  pending_jobs.push_back(std::move(job));
  push(WaitJobFrame{});
  return Rule::kSubshell;
}

Rule Machine::step_subshell(Frame& frame) {
  using Phase = SubshellFrame::Phase;
  auto& self = frame.as<SubshellFrame>();
  switch (self.phase) {
    case Phase::kStart: {
      const Node* body = frame.node->children[0];
      if (runs_here(body)) {
        self.phase = Phase::kInside;
        bool tested = frame.tested;
        enter_subshell();
        push_node(body, tested);
        return Rule::kSubshell;
      }
      self.phase = Phase::kForked;
      start_fork();
      return Rule::kSubshell;
    }
    case Phase::kInside: {
      undo_moves(frame.base.moves);
      cut_to(frame.base);
      leave_subshell(frame.base.variables);
      bool tested = frame.tested || self.is_part;
      pop();
      finish_command(tested);
      return Rule::kSubshellDone;
    }
    case Phase::kForked:
      if (fork_result == 0) {
        if (leads_jobs()) {
          os->set_group(0, 0);
          give_terminal(os->group_id());
        }
        run_in_child(frame.node->children[0], frame.tested, false);
        return Rule::kSubshell;
      }
      if (fork_result < 0) {
        state.status = 2;
        pop();
        shell_error(2);
        return Rule::kRunFail;
      }
      self.phase = Phase::kWaiting;
      self.process = fork_result;
      if (leads_jobs()) return wait_for_subshell(frame);
      [[fallthrough]];
    case Phase::kWaiting: break;
  }
  if (self.process != 0) {
    int status = wait_for(self.process);
    if (status == world::kWouldBlock) return Rule::kBlocked;
    state.status = status;
  }
  bool tested = frame.tested;
  pop();
  return finish_command(tested) == Rule::kRunErr ? Rule::kRunErr : Rule::kSubshellDone;
}

}  // namespace nacre::machine
