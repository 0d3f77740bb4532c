// Lists and compound commands: what runs other commands, in their order.
#include <fmt/format.h>

#include "machine/machine.h"
#include "machine/pattern.h"

namespace nacre::machine {

Rule Machine::step_sequence(Frame& frame) {
  const Node& node = *frame.node;
  auto& self = frame.as<SequenceFrame>();
  if (self.next < node.children.size()) {
    const Node* child = node.children[self.next++];
    bool tested = frame.tested;
    // The last command needs nothing of this frame any more.
    if (self.next == node.children.size()) pop();
    push_node(child, tested);
    return Rule::kSeq;
  }
  if (node.children.empty()) state.status = 0;
  pop();
  return Rule::kSeq;
}

Rule Machine::step_and_or(Frame& frame) {
  const Node& node = *frame.node;
  auto& self = frame.as<AndOrFrame>();
  while (self.next < node.children.size()) {
    uint32_t i = self.next++;
    bool runs = i == 0 || (node.ops[i] == shell::AndOrOp::kAnd) == (state.status == 0);
    if (!runs) continue;
    bool is_last = i + 1 == node.children.size();
    bool tested = frame.tested || !is_last;
    const Node* child = node.children[i];
    if (is_last) pop();
    push_node(child, tested);
    return node.ops[std::max(i, 1u)] == shell::AndOrOp::kOr ? Rule::kOr : Rule::kAnd;
  }
  pop();
  return Rule::kAnd;
}

Rule Machine::step_not(Frame& frame) {
  auto& self = frame.as<NotFrame>();
  if (!self.is_inside) {
    self.is_inside = true;
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
  auto& self = frame.as<IfFrame>();
  uint32_t arms = static_cast<uint32_t>(node.children.size()) / 2;
  bool tested = frame.tested;
  if (self.phase == IfFrame::Phase::kCondition) {
    if (state.status == 0) {
      const Node* body = node.children[2 * self.arm + 1];
      pop();
      push_node(body, tested);
      return Rule::kIfThen;
    }
    ++self.arm;
  }
  self.phase = IfFrame::Phase::kCondition;
  if (self.arm < arms) {
    push_node(node.children[2 * self.arm], true);
    return Rule::kIf;
  }
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
  auto& self = frame.as<WhileFrame>();
  switch (self.phase) {
    case WhileFrame::Phase::kStart: ++loop_depth; break;
    case WhileFrame::Phase::kCondition:
      if ((state.status == 0) != node.negated) {
        self.phase = WhileFrame::Phase::kBody;
        push_node(node.children[1], frame.tested);
        return Rule::kWhileBody;
      }
      state.status = self.last_status;
      --loop_depth;
      pop();
      return Rule::kWhileDone;
    case WhileFrame::Phase::kBody: self.last_status = state.status; break;
  }
  self.phase = WhileFrame::Phase::kCondition;
  push_node(node.children[0], true);
  return Rule::kWhileCond;
}

// for and select: the words as they are written.
void Machine::trace_loop(std::string_view keyword, const Node& node) {
  if (!state.options.has(Option::kTrace)) return;
  std::string head = fmt::format("{} {} in", keyword, names().text(node.name));
  for (const Word& word : node.words) head += fmt::format(" {}", word.written);
  if (!node.has_in) head += " \"$@\"";
  trace_text(head);
}

bool Machine::refer_to(NameId name, std::string_view target) {
  if (!is_name(target.substr(0, target.find('[')))) {
    error(fmt::format("`{}': not a valid identifier", target));
    shell_error(1);
    return false;
  }
  if (state.variables.at(name).is_readonly) {
    complain_readonly(name);
    return false;
  }
  state.variables.set_reference(name, target);
  return true;
}

Rule Machine::step_for(Frame& frame) {
  const Node& node = *frame.node;
  auto& self = frame.as<ForFrame>();
  if (self.phase == ForFrame::Phase::kWords) {
    if (self.next == 0 && !is_name(names().text(node.name))) {
      state.line = node.line;
      error(fmt::format("`{}': not a valid identifier", names().text(node.name)));
      state.status = 1;
      bool tested = frame.tested;
      pop();
      return finish_command(tested);
    }
    while (self.next < node.words.size()) {
      uint32_t i = self.next++;
      if (!expand_word(node.words[i], ExpandMode::kFields)) return Rule::kForArgs;
    }
    if (!node.has_in) {
      for (size_t i = 0; i < state.positional.size(); ++i) fields.push(state.positional[i]);
    }
    self.phase = ForFrame::Phase::kBody;
    self.next = 0;
    ++loop_depth;
  } else {
    self.last_status = state.status;
  }
  if (frame.base.fields + self.next < fields.size()) {
    if (debug_before(frame)) return Rule::kTrapped;
    if (is_bash()) trace_loop("for", node);
    std::string_view value = fields[frame.base.fields + self.next++];
    // A reference is led to each of the words.
    if (state.variables.at(node.name).is(kReference)) {
      if (!refer_to(node.name, value)) return Rule::kRunFail;
    } else if (!assign(node.name, value)) {
      shell_error(1);
      return Rule::kRunFail;
    }
    push_node(node.children[0], frame.tested);
    return Rule::kForRunning;
  }
  fields.truncate(frame.base.fields);
  state.status = self.last_status;
  --loop_depth;
  pop();
  return Rule::kForDone;
}

// Whether the pattern at the end of `text` matches the subject before it; takes the pattern off.
bool Machine::test_pattern(Frame& frame) {
  size_t end = frame.as<CaseFrame>().subject_end;
  std::string_view all = text;
  std::string_view subject = all.substr(frame.base.text, end - frame.base.text);
  bool matched = matches(all.substr(end), subject, pattern_rules());
  text.resize(end);
  return matched;
}

Rule Machine::step_case(Frame& frame) {
  using Phase = CaseFrame::Phase;
  const Node& node = *frame.node;
  auto& self = frame.as<CaseFrame>();
  if (self.phase == Phase::kSubject) {
    if (debug_before(frame)) return Rule::kTrapped;
    self.phase = Phase::kSubjectDone;
    state.line = node.line;
    trace_compound(fmt::format("case {} in", node.words[0].written));
    if (!expand_word(node.words[0], ExpandMode::kString)) return Rule::kCaseArg;
  }
  if (self.phase == Phase::kSubjectDone) {
    self.subject_end = text.size();
    self.phase = Phase::kArms;
  }
  while (self.arm < node.arms.size()) {
    const CaseArm& arm = node.arms[self.arm];
    bool matched = false;
    if (self.phase == Phase::kPatternDone) {
      matched = test_pattern(frame);
      self.phase = Phase::kArms;
    }
    while (!matched && self.pattern < arm.patterns.size()) {
      const Word& pattern = arm.patterns[self.pattern++];
      if (pattern.is_literal && !state.options.has(Option::kNoCaseMatch)) {
        matched = pattern.literal == std::string_view(text).substr(frame.base.text);
        continue;
      }
      if (!pattern.is_inline || fine_steps) {
        self.phase = Phase::kPatternDone;
        expand_word(pattern, ExpandMode::kPattern);
        return Rule::kCaseMatch;
      }
      if (!expand_word(pattern, ExpandMode::kPattern)) return Rule::kExpExpandErr;
      matched = test_pattern(frame);
    }
    if (matched) return run_case_arm(frame);
    self.pattern = 0;
    ++self.arm;
  }
  text.resize(frame.base.text);
  if (!self.has_run) state.status = 0;
  pop();
  return Rule::kCaseCheck;
}

// The bodies from the arm that matched to the first that does not fall through.
Rule Machine::run_case_arm(Frame& frame) {
  const Node& node = *frame.node;
  bool tested = frame.tested;
  auto& self = frame.as<CaseFrame>();
  uint32_t first = self.arm;
  uint32_t last = first;
  while (last + 1 < node.arms.size() && node.arms[last].falls_through) ++last;
  if (node.arms[last].continues) {
    self.arm = last + 1;
    self.pattern = 0;
    self.has_run = true;
  } else {
    text.resize(frame.base.text);
    pop();
  }
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
  using Phase = GroupFrame::Phase;
  const Node& node = *frame.node;
  auto& self = frame.as<GroupFrame>();
  while (self.phase != Phase::kBody) {
    if (self.phase == Phase::kTargetDone) {
      const Redirect& redirect = node.redirects[self.next - 1];
      std::optional<std::string> target = take_target(redirect, frame.base, frame.base.fields);
      self.phase = Phase::kRedirects;
      if (!target || !open_redirect(redirect, *target) || !apply_last_move()) {
        undo_moves(frame.base.moves);
        forget_shown(self.shown);
        bool tested = frame.tested;
        pop();
        state.status = 1;
        finish_command(tested);
        return Rule::kCmdRedirDoneErr;
      }
      if (fine_steps) shown_values.push_back(std::move(*target));
    }
    if (self.next == 0) self.shown = static_cast<uint32_t>(shown_values.size());
    if (self.next == node.redirects.size()) {
      self.phase = Phase::kBody;
      push_node(node.children[0], frame.tested);
      return Rule::kRedirs;
    }
    self.phase = Phase::kTargetDone;
    const Redirect& redirect = node.redirects[self.next++];
    if (!expand_word(redirect.target, target_mode(redirect))) {
      return Rule::kCmdRedir;
    }
  }
  undo_moves(frame.base.moves);
  forget_shown(self.shown);
  pop();
  return Rule::kRedirs;
}

}  // namespace nacre::machine
