// [[ ]]. The expression was flattened to tests that say where to go on (lower.cpp): each one
// expands its operands, without splitting and globbing, and decides.
#include <fmt/format.h>
#include <regex.h>

#include "machine/machine.h"
#include "machine/pattern.h"
#include "machine/test.h"

namespace nacre::machine {

using shell::ConditionalKind;
using shell::ConditionalOp;

namespace {

ExpandMode mode_of_right(ConditionalOp op) {
  if (op == ConditionalOp::kEqual || op == ConditionalOp::kNotEqual) return ExpandMode::kPattern;
  return op == ConditionalOp::kMatch ? ExpandMode::kRegex : ExpandMode::kString;
}

bool compare(ConditionalOp op, int64_t left, int64_t right) {
  switch (op) {
    case ConditionalOp::kNumberEqual: return left == right;
    case ConditionalOp::kNumberNotEqual: return left != right;
    case ConditionalOp::kNumberLess: return left < right;
    case ConditionalOp::kNumberLessEqual: return left <= right;
    case ConditionalOp::kNumberGreater: return left > right;
    default: return left >= right;
  }
}

// The system's own regular expressions, as bash has them: 1, 0, or -1 for a bad one. `groups` gets
// the match and its parts.
int match_regex(const std::string& text, const std::string& regex, bool ignores_case,
                std::vector<std::string>& groups) {
  regex_t compiled;
  int flags = REG_EXTENDED | (ignores_case ? REG_ICASE : 0);
  if (regcomp(&compiled, regex.c_str(), flags) != 0) return -1;
  std::vector<regmatch_t> found(compiled.re_nsub + 1);
  int result = regexec(&compiled, text.c_str(), found.size(), found.data(), 0);
  regfree(&compiled);
  if (result != 0) return 0;
  for (const regmatch_t& group : found) {
    bool is_empty = group.rm_so < 0;
    auto begin = static_cast<size_t>(is_empty ? 0 : group.rm_so);
    auto size = static_cast<size_t>(is_empty ? 0 : group.rm_eo - group.rm_so);
    groups.push_back(text.substr(begin, size));
  }
  return 1;
}

}  // namespace

int Machine::test_condition(const Condition& condition, const std::string& left,
                            const std::string& right) {
  if (condition.kind == ConditionalKind::kWord) return left.empty() ? 0 : 1;
  if (condition.kind == ConditionalKind::kUnary) return test_unary(*this, condition.letter, left);
  const bool ignores_case = state.options.has(Option::kNoCaseMatch);
  const PatternRules rules(state.locale, true, ignores_case);
  switch (condition.op) {
    case ConditionalOp::kEqual: return matches(right, left, rules);
    case ConditionalOp::kNotEqual: return !matches(right, left, rules);
    case ConditionalOp::kMatch: {
      std::vector<std::string> groups;
      int result = match_regex(left, right, ignores_case, groups);
      set_array("BASH_REMATCH", groups);
      return result;
    }
    case ConditionalOp::kLess: return state.locale.compare(left, right) < 0;
    case ConditionalOp::kGreater: return state.locale.compare(left, right) > 0;
    case ConditionalOp::kNewer: return test_files(*this, "-nt", left, right);
    case ConditionalOp::kOlder: return test_files(*this, "-ot", left, right);
    case ConditionalOp::kSameFile: return test_files(*this, "-ef", left, right);
    default: break;
  }
  std::optional<int64_t> a = evaluate_text(left);
  std::optional<int64_t> b = a ? evaluate_text(right) : std::nullopt;
  return b ? static_cast<int>(compare(condition.op, *a, *b)) : -1;
}

namespace {

std::string_view operator_text(ConditionalOp op) {
  switch (op) {
    case ConditionalOp::kEqual: return "==";
    case ConditionalOp::kNotEqual: return "!=";
    case ConditionalOp::kMatch: return "=~";
    case ConditionalOp::kLess: return "<";
    case ConditionalOp::kGreater: return ">";
    case ConditionalOp::kNewer: return "-nt";
    case ConditionalOp::kOlder: return "-ot";
    case ConditionalOp::kSameFile: return "-ef";
    case ConditionalOp::kNumberEqual: return "-eq";
    case ConditionalOp::kNumberNotEqual: return "-ne";
    case ConditionalOp::kNumberLess: return "-lt";
    case ConditionalOp::kNumberLessEqual: return "-le";
    case ConditionalOp::kNumberGreater: return "-gt";
    default: return "-ge";
  }
}

// As set -x shows it.
std::string condition_text(const Condition& condition, std::string_view left,
                           std::string_view right) {
  auto shown = [](std::string_view text) { return text.empty() ? "''" : text; };
  if (condition.kind == ConditionalKind::kBinary) {
    return fmt::format("[[ {} {} {} ]]", shown(left), operator_text(condition.op), shown(right));
  }
  char letter = condition.kind == ConditionalKind::kUnary ? condition.letter : 'n';
  return fmt::format("[[ -{} {} ]]", letter, shown(left));
}

}  // namespace

Rule Machine::step_conditional(Frame& frame) {
  using Phase = ConditionalFrame::Phase;
  const Node& node = *frame.node;
  auto& self = frame.as<ConditionalFrame>();
  const Condition& test = node.conditions[self.next];
  if (self.phase == Phase::kStart) {
    if (self.next == 0 && debug_before(frame)) return Rule::kTrapped;
    state.line = node.line;
    self.phase = Phase::kLeftDone;
    if (!expand_word(node.words[test.left], ExpandMode::kString)) return Rule::kCmdArgExp;
  }
  if (self.phase == Phase::kLeftDone) {
    self.left_end = text.size();
    self.phase = Phase::kRightDone;
    bool has_right = test.kind == ConditionalKind::kBinary;
    if (has_right && !expand_word(node.words[test.left + 1], mode_of_right(test.op))) {
      return Rule::kCmdArgExp;
    }
  }
  std::string right = take_text(self.left_end);
  std::string left = take_text(frame.base.text);
  if (state.options.has(Option::kTrace)) trace_compound(condition_text(test, left, right));
  int result = test_condition(test, left, right);
  bool is_error = unwinding == Unwind::kError ||
                  (unwinding == Unwind::kExit && !state.options.has(Option::kNoUnset));
  if (is_error && is_bash() && result < 0) {  // a bad number is only false
    unwinding = Unwind::kNone;
    result = 0;
  }
  if (unwinding != Unwind::kNone) return Rule::kRunFail;
  int32_t next = result == 1 ? test.if_true : test.if_false;
  if (result >= 0 && next >= 0) {
    self.next = static_cast<uint32_t>(next);
    self.phase = Phase::kStart;
    return Rule::kIf;
  }
  state.status = result < 0 ? 2 : next == Condition::kIsTrue ? 0 : 1;
  bool tested = frame.tested;
  pop();
  return finish_command(tested);
}

}  // namespace nacre::machine
