// The commands of a program whose status decides something: in conditions, after `!`, in lists with
// `||`. Of `a && b` each failure is the failure of the whole, so neither is checked by it. Where a
// failure ends the program (a recipe line, a RUN instruction, `set -e`), a command that is not
// checked can only make it fail.
#pragma once

#include <unordered_set>

#include "shell/ast.h"
#include "shell/visitor.h"

namespace nacre::shell {

using CheckedCommands = std::unordered_set<const Command*>;

namespace checked {

inline void check(const Sequence& condition, CheckedCommands& checked) {
  for (const Item& item : condition.items) checked.insert(item.command);
}

// A failure is looked at where an `||` comes after it.
inline void see_list(const AndOr& list, bool is_checked, CheckedCommands& checked) {
  for (size_t i = list.items.size(); i-- > 0;) {
    if (is_checked) checked.insert(list.items[i].command);
    is_checked |= list.items[i].op == AndOrOp::kOr;
  }
}

// Outer commands are seen before those within them, so what is checked passes on.
inline void see(const Command& command, CheckedCommands& checked) {
  const bool is_checked = checked.contains(&command);
  if (const auto* list = std::get_if<AndOr>(&command.node)) {
    see_list(*list, is_checked, checked);
  } else if (const auto* pipe = std::get_if<Pipeline>(&command.node)) {
    if (!pipe->is_negated && !is_checked) return;
    for (const PipelineItem& item : pipe->items) checked.insert(item.command);
  } else if (const auto* loop = std::get_if<While>(&command.node)) {
    check(*loop->condition, checked);
  } else if (const auto* group = std::get_if<BraceGroup>(&command.node)) {
    if (is_checked) check(group->body, checked);
  } else if (const auto* subshell = std::get_if<Subshell>(&command.node)) {
    if (is_checked) check(subshell->body, checked);
  }
}

}  // namespace checked

[[nodiscard]] inline CheckedCommands checked_commands(const Sequence& program) {
  CheckedCommands found;
  walk(program, Visitor{[&](const Command& command) { checked::see(command, found); },
                        [&](const IfArm& arm) { checked::check(arm.condition, found); }});
  return found;
}

}  // namespace nacre::shell
