// F108: a loop whose condition nothing in it can change.
//
//   F108: i=0\nwhile [ "$i" -lt 5 ]; do echo "$i"; done
//   quiet: i=0\nwhile [ "$i" -lt 5 ]; do i=$((i + 1)); done
//   F108: until [ "$done" = yes ]; do sleep 1; done
//   quiet: until [ "$done" = yes ]; do read -r done; done
//   F108: while [ $# -gt 0 ]; do echo "$1"; done
//   quiet: while [ $# -gt 0 ]; do echo "$1"; shift; done
//   quiet: while true; do sleep 1; done
//   quiet: while [ ! -e lock ]; do sleep 1; done
//   quiet: step() { i=9; }\nwhile [ "$i" -lt 5 ]; do step; done
//   quiet: while [ "$i" -lt 5 ]; do work || break; done
//   quiet: set -e\nwhile [ "$i" -lt 5 ]; do work; done
//   quiet: trap 'stop=1' INT\nwhile [ -z "$stop" ]; do sleep 1; done
//   quiet: while [ "$(cat n)" -lt 5 ]; do work; done
//   quiet bash: a=(x y)\ni=0\nwhile [ "${a[i]}" ]; do i=$((i + 1)); done
#include <algorithm>
#include <set>

#include "flow/assigned.h"
#include "flow/call_words.h"
#include "flow/rules/publish.h"
#include "shell/visitor.h"

namespace nacre::flow::rules {

namespace {

// The variables that the condition reads; nothing if it asks for something else, too.
struct Asked {
  std::set<std::string_view> variables;
  bool asks_arguments = false;  // $#, $1
  bool is_fixed = true;         // nothing but these decides it
};

bool asks_files(const Condition& condition) {
  if (std::any_of(condition.parts.begin(), condition.parts.end(), asks_files)) return true;
  switch (condition.kind) {
    case Condition::Kind::kUnary:
      return std::string_view("nzov").find(condition.letter) == std::string_view::npos;
    case Condition::Kind::kBinary:
      return condition.op == shell::ConditionalOp::kNewer ||
             condition.op == shell::ConditionalOp::kOlder;
    case Condition::Kind::kUnknown: return true;
    default: return false;
  }
}

Asked asked_by(const shell::Sequence& condition, const RuleContext& in) {
  Asked result;
  const auto look = [&](const shell::Part& part) {
    if (part.kind == shell::PartKind::kCommand || part.kind == shell::PartKind::kProcess ||
        part.kind == shell::PartKind::kGlob)
      result.is_fixed = false;
    if (part.kind != shell::PartKind::kParameter) return;
    const shell::Parameter& node = part.parameter();
    if (node.kind == shell::ParameterKind::kVariable && !node.is_indirect &&
        node.subscript == nullptr) {
      const auto name = in.names.find(node.name);
      result.is_fixed &= !(name && in.script.kept.contains(*name));
      result.variables.insert(node.name);
    } else if (node.kind == shell::ParameterKind::kPositional || node.name == "#") {
      result.asks_arguments = true;
    } else {
      result.is_fixed = false;
    }
  };
  shell::walk(condition, shell::Visitor{look});
  result.is_fixed &= !result.variables.empty() || result.asks_arguments;
  return result;
}

// Whether anything that is run in `body` may leave the loop or change what is asked.
class Changes {
 public:
  Changes(const Asked& asked, RuleContext& in) : asked_(asked), in_(in) {}
  bool may_change(const shell::Sequence& body) {
    look_at(assigned_in(body));
    walk_commands(body, true);
    return found_;
  }

 private:
  void look_at(const std::vector<Assigned>& assigned) {
    for (const Assigned& each : assigned) found_ |= asked_.variables.contains(each.name);
  }
  template <typename Node>
  void walk_commands(const Node& node, bool is_body) {
    const auto look = [&](const shell::Command& command) {
      if (std::holds_alternative<shell::Function>(command.node)) return false;
      const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
      if (simple && !simple->words.empty()) {
        if (simple->words[0].is_literal())
          look_at_call(simple->words[0].literal(), is_body);
        else
          found_ = true;
      }
      return true;
    };
    const auto look_parameter = [&](const shell::Parameter& parameter) {  // ${x:?}
      found_ |= parameter.op == shell::ParameterOp::kError;
    };
    shell::walk(node, shell::Visitor{look, look_parameter});
  }
  void look_at_call(std::string_view name, bool is_body) {
    for (const std::string_view ending : {"exit", "exec", "eval", ".", "source", "kill", "trap",
                                          "builtin", "command", "unset", "let", "mapfile"}) {
      found_ |= name == ending;
    }
    if (is_body) found_ |= name == "break" || name == "return" || name == "continue";
    if (asked_.asks_arguments) found_ |= name == "shift" || name == "set";
    const auto function = in_.survey.functions.find(name);
    if (function == in_.survey.functions.end()) return;
    if (!seen_.insert(name).second) return;
    if (function->second->body == nullptr) {
      found_ = true;
      return;
    }
    look_at(assigned_in(*function->second->body));
    walk_commands(*function->second->body, false);
  }

  const Asked& asked_;
  RuleContext& in_;
  std::set<std::string_view> seen_;
  bool found_ = false;
};

}  // namespace

void endless_loop(const WhileEvent& event, RuleContext& in) {
  const auto& items = event.node.condition->items;
  if (items.size() != 1 || !items[0].command) return;
  if (event.environment.options.errexit != Known::kNo || event.environment.has_unknown_code) return;
  std::optional<Condition> condition;
  if (const auto* simple = std::get_if<shell::SimpleCommand>(&items[0].command->node))
    condition = test_condition(*simple);
  if (const auto* conditional = std::get_if<shell::Conditional>(&items[0].command->node))
    condition = condition_of(*conditional->expression);
  if (!condition || asks_files(*condition)) return;
  const Asked asked = asked_by(*event.node.condition, in);
  if (!asked.is_fixed || in.file().bytes().find("trap ") != std::string_view::npos) return;
  Changes changes(asked, in);
  if (changes.may_change(*event.node.body) || changes.may_change(*event.node.condition)) return;
  in.report(in.finding("F108", items[0].command->span,
                       "once entered, the loop never ends: nothing in it changes this "
                       "condition"));
}

}  // namespace nacre::flow::rules
