#include "machine/machine.h"

#include <cerrno>
#include <fmt/format.h>

namespace nacre::machine {

Machine::Machine(world::Os& world, std::shared_ptr<Names> names, size_t frame_limit)
    : signal_flag(world.pending_flag()),
      os(&world),
      state(std::move(names)),
      max_frames(frame_limit) {
  state.variables.set_attributes(state.variables.id("LINENO"), kDynamic);
  state.variables.set(state.variables.id("IFS"), " \t\n");
  state.variables.set(state.variables.id("OPTIND"), "1");
  react_to_changes();
}

Frame& Machine::push_empty([[maybe_unused]] FrameKind kind) {
  assert(frames.empty() || may_stand_on(kind, frames.back().kind()) || kind == FrameKind::kEnd);
  if (frames.size() >= max_frames && unwinding == Unwind::kNone) {
    error("commands are nested too deeply");
    shell_error(2);
  }
  Frame& frame = frames.emplace_back();
  frame.base = {fields.size(), text.size(), regions.size(), state.variables.mark(), moves.size()};
  return frame;
}

void Machine::cut_to(const Marks& base) {
  fields.truncate(base.fields);
  if (!compounds.empty()) drop_compounds(base.fields);
  text.resize(std::min(text.size(), base.text));
  regions.resize(std::min(regions.size(), base.regions));
}

void Machine::push_node(const Node* node, bool tested) {
  switch (node->kind) {
    case NodeKind::kSimple: push(SimpleFrame{}, node).tested = tested; break;
    case NodeKind::kSequence: push(SequenceFrame{}, node).tested = tested; break;
    case NodeKind::kAndOr: push(AndOrFrame{}, node).tested = tested; break;
    case NodeKind::kNot: push(NotFrame{}, node).tested = tested; break;
    case NodeKind::kPipeline: push(PipelineFrame{}, node).tested = tested; break;
    case NodeKind::kBackground: push(BackgroundFrame{}, node).tested = tested; break;
    case NodeKind::kSubshell: push(SubshellFrame{}, node).tested = tested; break;
    case NodeKind::kGroup: push(GroupFrame{}, node).tested = tested; break;
    case NodeKind::kIf: push(IfFrame{}, node).tested = tested; break;
    case NodeKind::kWhile: push(WhileFrame{}, node).tested = tested; break;
    case NodeKind::kFor: push(ForFrame{}, node).tested = tested; break;
    case NodeKind::kCase: push(CaseFrame{}, node).tested = tested; break;
    case NodeKind::kConditional: push(ConditionalFrame{}, node).tested = tested; break;
    case NodeKind::kArithmetic: push(ArithmeticFrame{}, node).tested = tested; break;
    case NodeKind::kArithmeticLoop: push(ArithmeticLoopFrame{}, node).tested = tested; break;
    case NodeKind::kSelect: push(SelectFrame{}, node).tested = tested; break;
    case NodeKind::kTime: push(TimeFrame{}, node).tested = tested; break;
    case NodeKind::kCoproc: push(CoprocFrame{}, node).tested = tested; break;
    case NodeKind::kFunction:
    case NodeKind::kUnsupported: push(DefinitionFrame{}, node).tested = tested; break;
  }
}

void Machine::unwind(Unwind how, int depth) {
  unwinding = how;
  unwind_depth = depth;
}

void Machine::shell_error(int status) {
  state.status = status;
  // To bash most errors end the line that is being run.
  bool survives = (is_interactive() || is_bash()) && !state.is_subshell && subshell_level == 0;
  unwind(survives ? Unwind::kError : Unwind::kExit);
}

void Machine::unset_error() {
  if (!is_bash() || is_interactive()) return;
  constexpr int kCommandStringStatus = 127;  // what bash -c ends with then
  bool is_string = state.is_command_string && !state.is_subshell && subshell_level == 0;
  exit_shell(is_string ? kCommandStringStatus : 1);
}

void Machine::exit_shell(int status) {
  state.status = status & 255;
  unwind(Unwind::kExit);
}

Rule Machine::finish_command(bool tested) {
  state.pipe_statuses.clear();
  if (state.status == 0 || tested) return Rule::kRun;
  const bool exits = state.options.has(Option::kErrExit);
  if (state.traps.has_pseudo && run_trap(kErrTrap, exits)) return Rule::kTrapped;
  if (!exits) return Rule::kRun;
  unwind(Unwind::kExit);
  return Rule::kRunErr;
}

Rule Machine::step() {
  if (unwinding != Unwind::kNone) return step_unwind();
  if (*signal_flag != 0 && run_pending_traps()) return Rule::kTrapped;
  Frame& frame = frames.back();
  switch (frame.kind()) {
    case FrameKind::kDefinition: return step_definition(frame);
    case FrameKind::kSequence: return step_sequence(frame);
    case FrameKind::kAndOr: return step_and_or(frame);
    case FrameKind::kNot: return step_not(frame);
    case FrameKind::kIf: return step_if(frame);
    case FrameKind::kWhile: return step_while(frame);
    case FrameKind::kFor: return step_for(frame);
    case FrameKind::kCase: return step_case(frame);
    case FrameKind::kGroup: return step_group(frame);
    case FrameKind::kConditional: return step_conditional(frame);
    case FrameKind::kArithmetic: return step_arithmetic(frame);
    case FrameKind::kArithmeticLoop: return step_arithmetic_loop(frame);
    case FrameKind::kSelect: return step_select(frame);
    case FrameKind::kTime: return step_time(frame);
    case FrameKind::kCoproc: return step_coproc(frame);
    case FrameKind::kSimple: return step_simple(frame);
    case FrameKind::kCall: return step_call(frame);
    case FrameKind::kWord: return step_word(frame);
    case FrameKind::kParameter: return step_parameter(frame);
    case FrameKind::kCompound: return step_compound(frame);
    case FrameKind::kCommandSubst: return step_command_subst(frame);
    case FrameKind::kProcessSubst: return step_process_subst(frame);
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
  undo_moves(frame.base.moves);
  text.resize(frame.base.text);
  regions.resize(frame.base.regions);
  rule = continues ? Rule::kContinue : Rule::kBreak;
  if (continues) {
    if (frame.is<WhileFrame>()) frame.as<WhileFrame>().phase = WhileFrame::Phase::kBody;
    if (auto* select = std::get_if<SelectFrame>(&frame.body)) {
      select->phase = SelectFrame::Phase::kBody;
    }
    if (auto* loop = std::get_if<ArithmeticLoopFrame>(&frame.body)) {
      loop->phase = ArithmeticLoopFrame::Phase::kBody;
    }
    return true;
  }
  fields.truncate(frame.base.fields);
  --loop_depth;
  pop();
  return true;
}

// Whether the unwinding was for this frame; does what the frame has to do in either case.
bool Machine::stop_unwinding_at(Frame& frame, Rule& rule) {
  bool returns = unwinding == Unwind::kReturn;
  bool ends_shell = unwinding == Unwind::kExit || unwinding == Unwind::kError;
  switch (frame.kind()) {
    case FrameKind::kWhile:
      if (frame.as<WhileFrame>().phase == WhileFrame::Phase::kStart) return false;
      return stop_unwinding_at_loop(frame, rule);
    case FrameKind::kFor:
      if (frame.as<ForFrame>().phase == ForFrame::Phase::kWords) return false;
      return stop_unwinding_at_loop(frame, rule);
    case FrameKind::kArithmeticLoop:
      if (frame.as<ArithmeticLoopFrame>().phase == ArithmeticLoopFrame::Phase::kInitial)
        return false;
      return stop_unwinding_at_loop(frame, rule);
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
      if (frame.as<SubshellFrame>().phase != SubshellFrame::Phase::kInside) return false;
      if (!ends_shell && !returns) return false;
      unwinding = Unwind::kNone;
      rule = step_subshell(frame);
      return true;
    case FrameKind::kLaunch:
      if (frame.as<LaunchFrame>().phase != LaunchFrame::Phase::kInside) return false;
      unwinding = Unwind::kNone;
      launched = 0;
      rule = step_launch(frame);
      return true;
    case FrameKind::kSelect:
      if (frame.as<SelectFrame>().phase == SelectFrame::Phase::kWords) return false;
      return stop_unwinding_at_loop(frame, rule);
    case FrameKind::kCompound: {
      bool is_argument = frame.as<CompoundFrame>().assignment == nullptr;
      if (!is_argument && !compounds.empty()) compounds.pop_back();
      return false;
    }
    case FrameKind::kCommandSubst: abandon(frame.as<CommandSubstFrame>()); return false;
    case FrameKind::kProcessSubst: abandon(frame.as<ProcessSubstFrame>()); return false;
    case FrameKind::kCoproc: abandon(frame.as<CoprocFrame>()); return false;
    case FrameKind::kPipeline: abandon(frame.as<PipelineFrame>()); return false;
    default: return false;
  }
}

// An error in a word is one of the command that wanted the word.
Rule Machine::rule_of_unwinding(const Frame& frame) {
  if (frame.is<WordFrame>()) return Rule::kExpExpandErr;
  if (frame.is<NotFrame>()) return Rule::kNotCtrl;
  const auto* simple = frame.get<SimpleFrame>();
  if (simple == nullptr) return Rule::kExit;
  switch (simple->phase) {
    case SimpleFrame::Phase::kArguments:
    case SimpleFrame::Phase::kSeparator: return Rule::kCmdArgErr;
    case SimpleFrame::Phase::kTargetDone: return Rule::kCmdRedirErr;
    case SimpleFrame::Phase::kValueDone: return Rule::kCmdAssignErr;
    default: return Rule::kExit;
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
  rule = rule_of_unwinding(frame);
  undo_moves(frame.base.moves);
  if (const auto* simple = frame.get<SimpleFrame>()) {
    if (simple->restores_variables) state.variables.restore(frame.base.variables);
    if (simple->phase != SimpleFrame::Phase::kStart) forget_shown(simple->shown);
  }
  cut_to(frame.base);
  pop();
  if (!frames.empty()) return rule;
  unwinding = Unwind::kNone;
  return start_exit_trap() ? Rule::kTrapped : Rule::kDone;
}

Rule Machine::step_definition(Frame& frame) {
  const Node& node = *frame.node;
  if (node.kind == NodeKind::kFunction) return define_function(frame);
  state.line = node.line;
  error(fmt::format("{} is not supported{}", node.text,
                    is_bash() ? "" : ": it is not part of the POSIX shell"));
  pop();
  shell_error(2);
  return Rule::kRunFail;
}

Rule Machine::define_function(Frame& frame) {
  const Node& node = *frame.node;
  auto index = static_cast<uint32_t>(node.name);
  pop();
  if (const Builtin* builtin = find_builtin(names().text(node.name));
      builtin != nullptr && builtin->is(kSpecial) && !is_bash()) {
    error(fmt::format("{}: is a special builtin", builtin->name));
    shell_error(2);
    return Rule::kRunFail;
  }
  if (index >= state.functions.size()) state.functions.resize(names().size());
  if (state.functions[index].is_readonly) {
    error(fmt::format("{}: readonly function", names().text(node.name)));
    state.status = 1;
    return Rule::kRunFail;
  }
  state.functions[index] = {node.owner->shared_from_this(), node.children[0], &node};
  state.function_generation = names().next_generation();
  state.status = 0;
  return Rule::kFunctionDefinition;
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
  std::string_view word = is_bash() ? "line " : "";
  std::string line = state.line > 0 && !is_interactive()
                         ? fmt::format("{}: {}{}: {}\n", state.arg0, word, state.line, message)
                         : fmt::format("{}: {}\n", state.arg0, message);
  write_all(io[2], line);
}

void Machine::builtin_error(std::string_view name, std::string_view message) {
  if (is_bash()) flush_out();
  error(fmt::format("{}: {}", name, message));
}

void Machine::unspecified(std::string_view what) {
  if (reports_unspecified) error(fmt::format("unspecified by POSIX: {}", what));
}

}  // namespace nacre::machine
