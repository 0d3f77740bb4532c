// (( )), for (( ; ; )) and let.
#include <algorithm>
#include <fmt/format.h>

#include "machine/builtins.h"
#include "machine/machine.h"

namespace nacre::machine {

namespace {

// To bash an error in (( )), let or [[ ]] is only their status; an unset variable ends the shell.
bool forgives(Machine& machine) {
  bool is_error =
      machine.unwinding == Unwind::kError ||
      (machine.unwinding == Unwind::kExit && !machine.state.options.has(Option::kNoUnset));
  if (!machine.is_bash() || !is_error) return false;
  machine.unwinding = Unwind::kNone;
  return true;
}

}  // namespace

Rule Machine::step_arithmetic(Frame& frame) {
  auto& self = frame.as<ArithmeticFrame>();
  if (!self.is_expanded) {
    if (debug_before(frame)) return Rule::kTrapped;
    state.line = frame.node->line;
    std::string_view written = frame.node->text;
    if (written.starts_with("((") && written.ends_with("))")) {
      trace_compound(
          fmt::format("(({}))", fmt::format(" {} ", written.substr(2, written.size() - 4))));
    }
    self.is_expanded = true;
    size_t self_at = frames.size() - 1;
    if (!expand_word(frame.node->words[0], ExpandMode::kString)) {
      if (frames.size() - 1 != self_at || !forgives(*this)) return Rule::kCmdArgExp;
      text.resize(frames.back().base.text);
      text += '0';
    }
  }
  Frame& now = frames.back();
  state.status = take_text(now.base.text) == "0" ? 1 : 0;
  bool tested = now.tested;
  pop();
  return finish_command(tested);
}

Rule Machine::step_arithmetic_loop(Frame& frame) {
  using Phase = ArithmeticLoopFrame::Phase;
  auto& self = frame.as<ArithmeticLoopFrame>();
  const Node& node = *frame.node;
  const Word* word = nullptr;  // to be expanded before the next phase
  if (self.phase != Phase::kConditionDone && debug_before(frame)) return Rule::kTrapped;
  switch (self.phase) {
    case Phase::kInitial:
      ++loop_depth;
      self.phase = Phase::kCondition;
      word = &node.words[0];
      break;
    case Phase::kBody:
      self.last_status = state.status;
      self.phase = Phase::kCondition;
      word = &node.words[2];
      break;
    case Phase::kStep:
    case Phase::kCondition:
      text.resize(frame.base.text);  // the value of the step
      self.phase = Phase::kConditionDone;
      word = &node.words[1];
      break;
    case Phase::kConditionDone: {
      std::string value = take_text(frame.base.text);
      if (value != "0") {
        self.phase = Phase::kBody;
        push_node(node.children[0], frame.tested);
        return Rule::kForRunning;
      }
      state.status = self.last_status;
      --loop_depth;
      pop();
      return Rule::kForDone;
    }
  }
  std::string_view written = word->written;
  written.remove_prefix(std::min(written.find_first_not_of(" \t\n"), written.size()));
  if (written.empty()) {
    text += '1';
    trace_compound("(( 1 ))");
    return Rule::kForArgs;
  }
  trace_compound(fmt::format("(( {} ))", written));
  expand_word(*word, ExpandMode::kString);
  return Rule::kForArgs;
}

int run_let(Machine& machine, Args args) {
  if (args.size() < 2) return machine.builtin_failure(args[0], "expression expected", 1);
  int64_t last = 0;
  for (size_t i = 1; i < args.size(); ++i) {
    std::optional<int64_t> value = machine.evaluate_text(args[i]);
    if (!value) {
      forgives(machine);
      return 1;
    }
    last = *value;
  }
  return last == 0 ? 1 : 0;
}

}  // namespace nacre::machine
