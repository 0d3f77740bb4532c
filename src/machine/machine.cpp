// Control: dispatch, unwinding, and the commands that are made of other commands.
#include "machine/machine.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>

#include "machine/lower.h"
#include "machine/pattern.h"

namespace nacre::machine {

Machine::Machine(world::Os& world, std::shared_ptr<Names> names, size_t frame_limit)
    : signal_flag(world.pending_flag()),
      os(&world),
      state(std::move(names)),
      max_frames(frame_limit) {
  line_number = state.variables.id("LINENO");
  state.variables.set(state.variables.id("IFS"), " \t\n");
  state.variables.set(state.variables.id("OPTIND"), "1");
  react_to_changes();
}

std::shared_ptr<const Code> Machine::lower_code(std::shared_ptr<const shell::Tree> tree) {
  return lower(std::move(tree), names());
}

Frame& Machine::push(FrameKind kind, const Node* node) {
  if (frames.size() >= max_frames && unwinding == Unwind::kNone) {
    error("commands are nested too deeply");
    shell_error(2);
  }
  Frame& frame = frames.emplace_back();
  frame.kind = kind;
  frame.node = node;
  frame.fields = fields.size();
  frame.text = text.size();
  frame.regions = regions.size();
  frame.saved = state.variables.mark();
  frame.redirects = moves.size();
  return frame;
}

void Machine::pop() { frames.pop_back(); }

void Machine::push_node(const Node* node, bool tested) {
  static constexpr FrameKind kKinds[] = {
      FrameKind::kSimple,   FrameKind::kSequence,   FrameKind::kAndOr,    FrameKind::kNot,
      FrameKind::kPipeline, FrameKind::kBackground, FrameKind::kSubshell, FrameKind::kGroup,
      FrameKind::kIf,       FrameKind::kWhile,      FrameKind::kFor,      FrameKind::kCase,
      FrameKind::kNode,     FrameKind::kNode};
  push(kKinds[static_cast<uint8_t>(node->kind)], node).tested = tested;
}

void Machine::unwind(Unwind how, int depth) {
  unwinding = how;
  unwind_depth = depth;
}

void Machine::shell_error(int status) {
  state.status = status;
  bool survives = is_interactive() && !state.is_subshell && subshell_level == 0;
  unwind(survives ? Unwind::kError : Unwind::kExit);
}

void Machine::exit_shell(int status) {
  state.status = status & 255;
  unwind(Unwind::kExit);
}

Rule Machine::finish_command(bool tested) {
  if (state.status == 0 || tested || !state.options.has(Option::kErrExit)) return Rule::kRun;
  unwind(Unwind::kExit);
  return Rule::kRunErr;
}

Rule Machine::step() {
  if (unwinding != Unwind::kNone) return step_unwind();
  if (*signal_flag != 0 && run_pending_traps()) return Rule::kTrapped;
  Frame& frame = frames.back();
  switch (frame.kind) {
    case FrameKind::kNode: return step_node(frame);
    case FrameKind::kSequence: return step_sequence(frame);
    case FrameKind::kAndOr: return step_and_or(frame);
    case FrameKind::kNot: return step_not(frame);
    case FrameKind::kIf: return step_if(frame);
    case FrameKind::kWhile: return step_while(frame);
    case FrameKind::kFor: return step_for(frame);
    case FrameKind::kCase: return step_case(frame);
    case FrameKind::kGroup: return step_group(frame);
    case FrameKind::kSimple: return step_simple(frame);
    case FrameKind::kCall: return step_call(frame);
    case FrameKind::kWord: return step_word(frame);
    case FrameKind::kParameter: return step_parameter(frame);
    case FrameKind::kCommandSubst: return step_command_subst(frame);
    case FrameKind::kSubshell: return step_subshell(frame);
    case FrameKind::kLaunch: return step_launch(frame);
    case FrameKind::kPipeline: return step_pipeline(frame);
    case FrameKind::kBackground: return step_background(frame);
    case FrameKind::kWaitJob: return step_wait_job(frame);
    case FrameKind::kSource: return step_source(frame);
    case FrameKind::kTrap: return step_trap(frame);
    case FrameKind::kExitTrap: return step_exit(frame);
    case FrameKind::kEnd: pop(); return start_exit_trap() ? Rule::kTrapped : Rule::kDone;
  }
  return Rule::kDone;
}

// `break` and `continue` have reached a loop; it may be an outer one that they are for.
bool Machine::stop_unwinding_at_loop(Frame& frame, Rule& rule) {
  bool continues = unwinding == Unwind::kContinue;
  if ((!continues && unwinding != Unwind::kBreak) || --unwind_depth > 0) {
    --loop_depth;
    return false;
  }
  unwinding = Unwind::kNone;
  state.status = 0;
  undo_moves(frame.redirects);
  text.resize(frame.text);
  regions.resize(frame.regions);
  rule = continues ? Rule::kContinue : Rule::kBreak;
  if (continues) {
    if (frame.kind == FrameKind::kWhile) frame.pc = 2;
    return true;
  }
  fields.truncate(frame.fields);
  --loop_depth;
  pop();
  return true;
}

// Whether the unwinding was for this frame; does what the frame has to do in either case.
bool Machine::stop_unwinding_at(Frame& frame, Rule& rule) {
  bool returns = unwinding == Unwind::kReturn;
  bool ends_shell = unwinding == Unwind::kExit || unwinding == Unwind::kError;
  switch (frame.kind) {
    case FrameKind::kWhile:
    case FrameKind::kFor: return stop_unwinding_at_loop(frame, rule);
    case FrameKind::kCall:
      if (returns) {
        unwinding = Unwind::kNone;
        rule = step_call(frame);
      } else {
        finish_call(frame);
      }
      return returns;
    case FrameKind::kSource: rule = Rule::kEvalDone; return stop_unwinding_at_source(frame);
    case FrameKind::kSubshell:
      if (frame.pc != 1 || (!ends_shell && !returns)) return false;
      unwinding = Unwind::kNone;
      rule = step_subshell(frame);
      return true;
    case FrameKind::kLaunch:
      if (frame.pc != 1) return false;
      unwinding = Unwind::kNone;
      launched = 0;
      rule = step_launch(frame);
      return true;
    case FrameKind::kCommandSubst:
    case FrameKind::kPipeline: close_frame_descriptors(frame); return false;
    default: return false;
  }
}

// Takes one frame off the stack, or stops at the frame that the unwinding was for.
Rule Machine::step_unwind() {
  if (frames.empty()) {
    unwinding = Unwind::kNone;
    return Rule::kDone;
  }
  Frame& frame = frames.back();
  Rule rule = Rule::kExit;
  if (stop_unwinding_at(frame, rule)) return rule;
  undo_moves(frame.redirects);
  if (frame.kind == FrameKind::kSimple && frame.flag) state.variables.restore(frame.saved);
  fields.truncate(frame.fields);
  text.resize(std::min(text.size(), frame.text));
  regions.resize(std::min(regions.size(), frame.regions));
  pop();
  if (!frames.empty()) return Rule::kExit;
  unwinding = Unwind::kNone;
  return start_exit_trap() ? Rule::kTrapped : Rule::kDone;
}

Rule Machine::step_node(Frame& frame) {
  const Node& node = *frame.node;
  if (node.kind == NodeKind::kFunction) return define_function(frame);
  state.line = node.line;
  error(fmt::format("{} is not part of the POSIX shell", node.text));
  pop();
  shell_error(2);
  return Rule::kRunFail;
}

Rule Machine::define_function(Frame& frame) {
  const Node& node = *frame.node;
  auto index = static_cast<uint32_t>(node.name);
  pop();
  if (const Builtin* builtin = find_builtin(names().text(node.name));
      builtin != nullptr && builtin->is(kSpecial)) {
    error(fmt::format("{}: is a special builtin", builtin->name));
    shell_error(2);
    return Rule::kRunFail;
  }
  if (index >= state.functions.size()) state.functions.resize(names().size());
  state.functions[index] = {node.owner->shared_from_this(), node.children[0]};
  state.function_generation = names().next_generation();
  state.status = 0;
  return Rule::kFunctionDefinition;
}

Rule Machine::step_sequence(Frame& frame) {
  const Node& node = *frame.node;
  if (frame.index < node.children.size()) {
    const Node* child = node.children[frame.index++];
    bool tested = frame.tested;
    // The last command needs nothing of this frame any more.
    if (frame.index == node.children.size()) pop();
    push_node(child, tested);
    return Rule::kSeq;
  }
  if (node.children.empty()) state.status = 0;
  pop();
  return Rule::kSeq;
}

Rule Machine::step_and_or(Frame& frame) {
  const Node& node = *frame.node;
  while (frame.index < node.children.size()) {
    uint32_t i = frame.index++;
    bool runs = i == 0 || (node.ops[i] == shell::AndOrOp::kAnd) == (state.status == 0);
    if (!runs) continue;
    bool is_last = i + 1 == node.children.size();
    bool tested = frame.tested || !is_last;
    const Node* child = node.children[i];
    if (is_last) pop();
    push_node(child, tested);
    return node.ops[i] == shell::AndOrOp::kOr ? Rule::kOr : Rule::kAnd;
  }
  pop();
  return Rule::kAnd;
}

Rule Machine::step_not(Frame& frame) {
  if (frame.pc++ == 0) {
    push_node(frame.node->children[0], true);
    return Rule::kNot;
  }
  bool failed = state.status != 0;
  state.status = failed ? 0 : 1;
  pop();
  return failed ? Rule::kNotFail : Rule::kNotSuccess;
}

Rule Machine::step_if(Frame& frame) {
  const Node& node = *frame.node;
  uint32_t arms = static_cast<uint32_t>(node.children.size()) / 2;
  if (frame.pc == 1) {  // a condition is done
    if (state.status == 0) {
      const Node* body = node.children[2 * frame.index + 1];
      bool tested = frame.tested;
      pop();
      push_node(body, tested);
      return Rule::kIfThen;
    }
    ++frame.index;
  }
  frame.pc = 1;
  if (frame.index < arms) {
    push_node(node.children[2 * frame.index], true);
    return Rule::kIf;
  }
  bool tested = frame.tested;
  pop();
  if (node.children.size() % 2 != 0) {
    push_node(node.children.back(), tested);
  } else {
    state.status = 0;
  }
  return Rule::kIfElse;
}

Rule Machine::step_while(Frame& frame) {
  const Node& node = *frame.node;
  switch (frame.pc) {
    case 0: ++loop_depth; break;
    case 1:
      if ((state.status == 0) != node.negated) {
        frame.pc = 2;
        push_node(node.children[1], frame.tested);
        return Rule::kWhileBody;
      }
      state.status = frame.value;
      --loop_depth;
      pop();
      return Rule::kWhileDone;
    default: frame.value = state.status;
  }
  frame.pc = 1;
  push_node(node.children[0], true);
  return Rule::kWhileCond;
}

Rule Machine::step_for(Frame& frame) {
  const Node& node = *frame.node;
  if (frame.pc == 0) {
    while (frame.index < node.words.size()) {
      uint32_t i = frame.index++;
      if (!expand_word(node.words[i], ExpandMode::kFields)) return Rule::kForArgs;
    }
    if (!node.has_in) {
      for (size_t i = 0; i < state.positional.size(); ++i) fields.push(state.positional[i]);
    }
    frame.pc = 1;
    frame.index = 0;
    ++loop_depth;
  } else {
    frame.value = state.status;
  }
  if (frame.fields + frame.index < fields.size()) {
    if (!assign(node.name, fields[frame.fields + frame.index++])) {
      shell_error(1);
      return Rule::kRunFail;
    }
    push_node(node.children[0], frame.tested);
    return Rule::kForRunning;
  }
  fields.truncate(frame.fields);
  state.status = frame.value;
  --loop_depth;
  pop();
  return Rule::kForDone;
}

Rule Machine::step_case(Frame& frame) {
  const Node& node = *frame.node;
  if (frame.pc == 0) {
    frame.pc = 1;
    if (!expand_word(node.words[0], ExpandMode::kString)) return Rule::kCaseArg;
  }
  if (frame.pc == 1) {
    frame.saved = text.size();  // the subject ends here, patterns come behind it
    frame.pc = 2;
  }
  while (frame.index < node.arms.size()) {
    const CaseArm& arm = node.arms[frame.index];
    std::string_view all = text;
    std::string_view subject = all.substr(frame.text, frame.saved - frame.text);
    bool matched = false;
    if (frame.pc == 3) {  // a pattern has been expanded by a frame of its own
      matched = matches(all.substr(frame.saved), subject, state.locale);
      text.resize(frame.saved);
      frame.pc = 2;
    }
    while (!matched && static_cast<size_t>(frame.value) < arm.patterns.size()) {
      const Word& pattern = arm.patterns[static_cast<size_t>(frame.value++)];
      if (pattern.is_literal) {
        matched = pattern.literal == subject;
        continue;
      }
      if (!pattern.is_inline || fine_steps) {
        frame.pc = 3;
        expand_word(pattern, ExpandMode::kPattern);
        return Rule::kCaseMatch;
      }
      if (!expand_word(pattern, ExpandMode::kPattern)) return Rule::kExpExpandErr;
      all = text;
      subject = all.substr(frame.text, frame.saved - frame.text);
      matched = matches(all.substr(frame.saved), subject, state.locale);
      text.resize(frame.saved);
    }
    if (matched) {
      return run_case_arm(frame);
    }
    frame.value = 0;
    ++frame.index;
  }
  text.resize(frame.text);
  state.status = 0;
  pop();
  return Rule::kCaseCheck;
}

// The bodies from the arm that matched to the first that does not fall through.
Rule Machine::run_case_arm(Frame& frame) {
  const Node& node = *frame.node;
  bool tested = frame.tested;
  uint32_t first = frame.index;
  text.resize(frame.text);
  pop();
  uint32_t last = first;
  while (last + 1 < node.arms.size() && node.arms[last].falls_through) ++last;
  bool runs = false;
  for (uint32_t i = last + 1; i-- > first;) {
    if (node.arms[i].body == nullptr) continue;
    push_node(node.arms[i].body, tested);
    runs = true;
  }
  if (!runs) state.status = 0;
  return Rule::kCaseCheck;
}

Rule Machine::step_group(Frame& frame) {
  const Node& node = *frame.node;
  size_t self = frames.size() - 1;
  while (frame.pc < 2) {
    if (frame.pc == 1) {  // a target has been expanded
      std::string target = take_text(frame.text);
      frame.pc = 0;
      if (!open_redirect(node.redirects[frame.index - 1], target) || !apply_last_move()) {
        undo_moves(frame.redirects);
        bool tested = frame.tested;
        pop();
        state.status = 1;
        return finish_command(tested);
      }
    }
    if (frame.index == node.redirects.size()) {
      frame.pc = 2;
      push_node(node.children[0], frame.tested);
      return Rule::kRedirs;
    }
    frame.pc = 1;
    bool done = expand_word(node.redirects[frame.index++].target, ExpandMode::kString);
    if (!done || self >= frames.size()) return Rule::kCmdRedir;
  }
  undo_moves(frame.redirects);
  pop();
  return Rule::kRedirs;
}

bool Machine::write_all(int fd, std::string_view data) {
  if (fd <= kFirstCapture) {
    captures[static_cast<size_t>(kFirstCapture - fd)].append(data);
    return true;
  }
  while (!data.empty()) {
    ssize_t written = os->write(fd, data.data(), data.size());
    if (written == -EINTR) continue;
    if (written < 0) return false;
    data.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

bool Machine::flush_out() {
  if (out_buffer.empty()) return true;
  bool written = write_all(io[1], out_buffer);
  out_buffer.clear();
  return written;
}

void Machine::error(std::string_view message) {
  std::string line = state.line > 0 && !is_interactive()
                         ? fmt::format("{}: {}: {}\n", state.arg0, state.line, message)
                         : fmt::format("{}: {}\n", state.arg0, message);
  write_all(io[2], line);
}

void Machine::builtin_error(std::string_view name, std::string_view message) {
  error(fmt::format("{}: {}", name, message));
}

void Machine::unspecified(std::string_view what) {
  if (reports_unspecified) error(fmt::format("unspecified by POSIX: {}", what));
}

}  // namespace nacre::machine
