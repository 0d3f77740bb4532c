// Simple commands, first half: arguments, redirections and assignments, in the order of the
// semantics. What runs then is in run_command.cpp.
#include <fmt/format.h>
#include <utility>

#include "machine/arithmetic.h"
#include "machine/machine.h"
#include "machine/quote.h"

namespace nacre::machine {

using SimplePhase = SimpleFrame::Phase;

namespace {

// Redirections of these change the shell's own descriptors until the command is done.
bool needs_real_descriptors(CommandTarget target) {
  return target == CommandTarget::kSpecialBuiltin || target == CommandTarget::kBuiltinCommand ||
         target == CommandTarget::kFunctionCall;
}

}  // namespace

Rule Machine::step_simple(Frame& frame) {
  auto& self = frame.as<SimpleFrame>();
  Rule rule = Rule::kRun;
  switch (self.phase) {
    case SimplePhase::kStart:
      state.line = frame.node->line;
      if (debug_before(frame)) return Rule::kTrapped;
      did_substitute = false;
      self.shown = static_cast<uint32_t>(shown_values.size());
      self.phase = SimplePhase::kArguments;
      if (fine_steps) return Rule::kCmdStart;
      [[fallthrough]];
    case SimplePhase::kArguments:
    case SimplePhase::kSeparator:
      if (!expand_arguments(frame, rule)) return rule;
      resolve_command(frame);
      self.phase = SimplePhase::kRedirects;
      self.next = 0;
      if (fine_steps) return Rule::kCmdArgDone;
      [[fallthrough]];
    case SimplePhase::kRedirects:
    case SimplePhase::kTargetDone:
      if (!open_redirects(frame, rule)) return rule;
      self.phase = SimplePhase::kAssignments;
      self.next = 0;
      if (fine_steps) return Rule::kCmdRedirDone;
      [[fallthrough]];
    case SimplePhase::kAssignments:
    case SimplePhase::kKeyDone:
    case SimplePhase::kValueDone:
      if (!expand_assignments(frame, rule)) return rule;
      self.phase = SimplePhase::kRun;
      if (state.options.has(Option::kTrace)) trace();
      if (fine_steps && self.target != CommandTarget::kNothing) {
        frames.back().as<SimpleFrame>().phase = SimplePhase::kReady;
        return Rule::kCmdAssignDoneCmd;
      }
      return run_simple(frames.back());
    case SimplePhase::kReady:
      self.phase = SimplePhase::kRun;
      return self.target == CommandTarget::kSpecialBuiltin ? Rule::kCmdRunSpecial : Rule::kCmdRun;
    case SimplePhase::kRun: return run_simple(frame);
    case SimplePhase::kWaiting: return wait_external(frame);
    case SimplePhase::kFinish: return finish_simple(frame);
  }
  return rule;
}

bool Machine::expand_arguments(Frame& frame, Rule& rule) {
  const Node& node = *frame.node;
  auto& self = frame.as<SimpleFrame>();
  if (self.phase == SimplePhase::kSeparator) {
    self.phase = SimplePhase::kArguments;
    rule = Rule::kEWSep;
    return false;
  }
  rule = Rule::kCmdArgExp;
  while (self.next < node.words.size()) {
    const Word& word = node.words[self.next++];
    if (fine_steps && self.next < node.words.size()) self.phase = SimplePhase::kSeparator;
    if (word.compound != nullptr) {
      compounds.push_back({fields.size(), {}});
      fields.push(word.literal);
      push(CompoundFrame{.compound = word.compound});
      return false;
    }
    if (!expand_word(word, word.is_assignment ? ExpandMode::kOneField : ExpandMode::kFields) ||
        unwinding != Unwind::kNone) {  // failglob
      return false;
    }
  }
  return true;
}

size_t Machine::command_base(const Frame& frame) const {
  return frame.base.fields + frame.as<SimpleFrame>().prefix;
}

void Machine::resolve_command(Frame& frame) {
  const Node& node = *frame.node;
  auto& self = frame.as<SimpleFrame>();
  if (fields.size() == frame.base.fields) return;
  bool is_literal = node.name != kNoName;
  NameId id = is_literal ? node.name : names().find(fields[frame.base.fields]);
  self.builtin = is_literal ? node.builtin : find_builtin(fields[frame.base.fields], is_bash());
  if (self.builtin != nullptr && !state.disabled.empty() &&
      state.disabled.contains(self.builtin->name)) {
    self.builtin = nullptr;
  }
  bool has_special = !is_bash() || state.options.has(Option::kPosix);
  if (self.builtin != nullptr && self.builtin->is(kSpecial) && has_special) {
    self.target = CommandTarget::kSpecialBuiltin;
  } else if (id != kNoName && function(id) != nullptr) {
    self.target = CommandTarget::kFunctionCall;
  } else if (self.builtin != nullptr) {
    bool is_plain = self.builtin->is(kPlain);
    self.target = is_plain ? CommandTarget::kPlainBuiltin : CommandTarget::kBuiltinCommand;
    if (self.builtin->name == "command" || self.builtin->name == "builtin") {
      skip_command_prefix(frame);
    }
  } else if (is_bash() && fields[frame.base.fields].starts_with('%') &&
             state.options.has(Option::kMonitor) && fields.size() == frame.base.fields + 1) {
    std::string job(fields[frame.base.fields]);  // %1: fg %1
    fields.truncate(frame.base.fields);
    fields.push("fg");
    fields.push(job);
    self.builtin = find_builtin("fg", true);
    self.target = CommandTarget::kBuiltinCommand;
  } else {
    self.target = CommandTarget::kProgram;
  }
}

// `command [-p] name ...`: no function, and a special builtin is not special any more.
void Machine::skip_command_prefix(Frame& frame) {
  auto& self = frame.as<SimpleFrame>();
  size_t at = frame.base.fields;
  bool default_path = false;
  while (at < fields.size() &&
         (fields[at] == "command" || (fields[at] == "builtin" && is_bash()))) {
    size_t next = at + 1;
    if (fields[at] == "builtin" &&
        (next >= fields.size() || find_builtin(fields[next], true) == nullptr)) {
      break;  // the builtin `builtin` itself complains
    }
    bool path = false;
    bool asks = false;  // -v, -V or wrong: the builtin `command` itself
    while (next < fields.size() && fields[next].starts_with('-') && fields[next].size() > 1) {
      if (fields[next] == "--") {
        ++next;
        break;
      }
      asks |= fields[next] != "-p";
      path = true;
      ++next;
    }
    if (asks || next >= fields.size()) break;
    default_path |= path;
    at = next;
  }
  if (at == frame.base.fields) return;
  self.prefix = static_cast<uint32_t>(at - frame.base.fields);
  self.is_forgiving = true;
  self.uses_default_path = default_path;
  self.builtin = find_builtin(fields[at], is_bash());
  self.target = self.builtin == nullptr ? CommandTarget::kProgram
                : self.builtin->is(kPlain) && !self.builtin->is(kSpecial)
                    ? CommandTarget::kPlainBuiltin
                    : CommandTarget::kBuiltinCommand;
}

bool Machine::open_redirects(Frame& frame, Rule& rule) {
  const Node& node = *frame.node;
  auto& self = frame.as<SimpleFrame>();
  rule = Rule::kCmdRedir;
  while (true) {
    if (self.phase == SimplePhase::kTargetDone) {
      self.phase = SimplePhase::kRedirects;
      const Redirect& redirect = node.redirects[self.next - 1];
      // A message goes where the redirections so far have led the errors.
      int old_error = std::exchange(io[2], resolve(2, frame.base.moves));
      std::optional<std::string> target = take_target(redirect, frame.base, self.key_end);
      bool blocks = target && would_block(redirect, *target);
      bool opened = target && !blocks && open_redirect(redirect, *target);
      io[2] = old_error;
      if (blocks) return fork_instead();
      opened = opened && (!needs_real_descriptors(self.target) || apply_last_move());
      if (!opened) {
        rule = Rule::kCmdRedirDoneErr;
        state.status = 1;
        if (self.target == CommandTarget::kSpecialBuiltin) {
          shell_error(1);
        } else {
          finish_simple(frame);
        }
        return false;
      }
      if (fine_steps) {
        shown_values.push_back(std::move(*target));
        return false;
      }
    }
    if (self.next == node.redirects.size()) return true;
    self.phase = SimplePhase::kTargetDone;
    self.key_end = fields.size();
    const Redirect& redirect = node.redirects[self.next++];
    if (!expand_word(redirect.target, target_mode(redirect))) return false;
  }
}

bool Machine::append_in_place(const Assignment& assignment, Frame& frame) {
  const Variable& variable = state.variables.at(assignment.name);
  if (!variable.is_set || fine_steps || state.options.has(Option::kTrace) || variable.is_readonly ||
      variable.attributes != 0) {
    return false;
  }
  uint32_t index = 1;
  if (!expand_parts(assignment.value, index, false)) return true;  // unwinding
  state.variables.append(assignment.name, std::string_view(text).substr(frame.base.text));
  text.resize(frame.base.text);
  regions.resize(frame.base.regions);
  if (state.variables.has_changes()) react_to_changes();
  return true;
}

// The value is the text above base.text, after the subscript that ends at `key_end`.
bool Machine::assign_expanded(Frame& frame, const Assignment& assignment) {
  const auto& self = frame.as<SimpleFrame>();
  size_t begin = assignment.subscript == nullptr ? frame.base.text : self.key_end;
  std::string_view value = std::string_view(text).substr(begin);
  if (fine_steps || state.options.has(Option::kTrace)) shown_values.emplace_back(value);
  if (assignment.subscript == nullptr) {
    return assign(assignment.name, value, assignment.is_append);
  }
  if (assignment.subscript->kind != shell::SubscriptKind::kExpression &&
      !state.variables.at(assignment.name).is_associative()) {
    error(fmt::format("{}[{}]: bad array subscript", names().text(assignment.name),
                      assignment.subscript->word->written));
    return false;
  }
  std::string key_text = text.substr(frame.base.text, begin - frame.base.text);
  std::string copy(value);
  std::optional<Key> key = key_of(assignment.name, key_text);
  return key && assign_element(assignment.name, *key, copy, assignment.is_append);
}

bool Machine::expand_assignments(Frame& frame, Rule& rule) {
  const Node& node = *frame.node;
  auto& self = frame.as<SimpleFrame>();
  bool is_shown = fine_steps || state.options.has(Option::kTrace);
  bool is_temporary =
      self.target != CommandTarget::kNothing && self.target != CommandTarget::kSpecialBuiltin;
  rule = Rule::kCmdAssign;
  while (true) {
    if (self.phase == SimplePhase::kKeyDone) {
      self.phase = SimplePhase::kValueDone;
      self.key_end = text.size();
      if (!expand_word(node.assignments[self.next - 1].value, ExpandMode::kString)) return false;
    }
    if (self.phase == SimplePhase::kValueDone) {
      const Assignment& assignment = node.assignments[self.next - 1];
      self.phase = SimplePhase::kAssignments;
      if (is_temporary) {
        self.restores_variables = true;
        state.variables.save(assignment.name);
      }
      bool assigned = assign_expanded(frame, assignment);
      text.resize(frame.base.text);
      bool goes_on = is_temporary && is_bash() && unwinding != Unwind::kExit &&
                     !state.options.has(Option::kPosix);
      if (!assigned && goes_on) {  // said, and the command runs
        unwinding = Unwind::kNone;
        continue;
      }
      if (!assigned) {
        self.phase = SimplePhase::kFinish;
        if (unwinding == Unwind::kNone) shell_error(1);
        rule = Rule::kCmdAssignSetErr;
        return false;
      }
      if (is_temporary && assignment.subscript == nullptr) {
        state.variables.set_exported(assignment.name, true);
      }
      if (fine_steps) {
        rule = Rule::kCmdAssignSet;
        return false;
      }
    }
    if (self.next == node.assignments.size()) return true;
    const Assignment& assignment = node.assignments[self.next++];
    if (assignment.appends && !is_temporary && append_in_place(assignment, frame)) {
      if (unwinding != Unwind::kNone) return false;
      continue;
    }
    if (assignment.value.is_literal && !is_temporary && !is_shown && !assignment.is_append &&
        assignment.subscript == nullptr) {
      if (assign(assignment.name, assignment.value.literal)) continue;
      self.phase = SimplePhase::kFinish;
      if (unwinding == Unwind::kNone) shell_error(1);
      return false;
    }
    if (assignment.compound != nullptr) {
      if (is_temporary) {
        self.restores_variables = true;
        state.variables.save(assignment.name);
      }
      if (is_shown) shown_values.emplace_back(assignment.value.written);
      compounds.emplace_back();
      push(CompoundFrame{.compound = assignment.compound, .assignment = &assignment});
      return false;
    }
    if (assignment.subscript != nullptr) {
      self.phase = SimplePhase::kKeyDone;
      if (!expand_word(*assignment.subscript->word, ExpandMode::kString)) return false;
      continue;
    }
    self.phase = SimplePhase::kValueDone;
    if (!expand_word(assignment.value, ExpandMode::kString)) return false;
  }
}

// To bash: in how many substitutions and texts of `eval`, `.` and traps the command stands.
int Machine::trace_depth() const {
  int depth = state.trace_depth;
  size_t source = 0;
  for (const Frame& frame : frames) {
    if (frame.is<CommandSubstFrame>()) ++depth;
    if (!frame.is<SourceFrame>() || source >= sources.size()) continue;
    const auto& running = sources[source++]->source;  // null in a clone
    if (running != nullptr && !running->is_toplevel) ++depth;
  }
  return depth;
}

void Machine::trace_text(std::string_view command) {
  const std::string* prompt = state.variables.get("PS4");
  state.options.set(Option::kTrace, false);
  std::string line = expand_prompt(prompt == nullptr ? "+ " : *prompt);
  state.options.set(Option::kTrace, true);
  if (is_bash() && !line.empty()) {
    size_t first = state.locale.next(line);
    std::string mark = line.substr(0, first);
    for (int depth = trace_depth(); depth > 0; --depth) line.insert(0, mark);
  }
  int fd = io[2];
  const std::string* wanted = is_bash() ? state.variables.get("BASH_XTRACEFD") : nullptr;
  int64_t number = 0;
  if (wanted != nullptr && !wanted->empty() && parse_integer(*wanted, number) && number >= 0) {
    fd = real_fd(static_cast<int>(number));
  }
  line += command;
  line += '\n';
  write_all(fd, line);
}

void Machine::trace_compound(std::string_view head) {
  if (is_bash() && state.options.has(Option::kTrace)) trace_text(head);
}

void Machine::trace() {
  std::string line;
  const Frame& frame = frames.back();
  std::string_view separator = "";
  std::span<const Assignment> assignments = frame.node->assignments;
  size_t first = shown_values.size() - assignments.size();
  for (size_t i = 0; i < assignments.size(); ++i) {
    const std::string& value = shown_values[first + i];
    const Assignment& assignment = assignments[i];
    bool is_verbatim = value.empty() || (is_bash() && assignment.compound != nullptr);
    std::string subscript =
        assignment.subscript == nullptr
            ? ""
            : fmt::format("[{}]", std::string_view(assignment.subscript->word->written));
    line += fmt::format("{}{}{}{}={}", separator, names().text(assignment.name), subscript,
                        assignment.is_append && is_bash() ? "+" : "",
                        is_verbatim ? value : quoted_if_needed(value));
    separator = " ";
  }
  for (size_t i = frame.base.fields; i < fields.size(); ++i) {
    line += fmt::format("{}{}", separator, quoted_if_needed(fields[i]));
    separator = " ";
  }
  trace_text(line);
}

}  // namespace nacre::machine
