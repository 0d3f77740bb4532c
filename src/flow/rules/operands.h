// What the operands of a condition are made of, and whether one that always goes the same way is a
// mistake. Internal to this module.
#pragma once

#include <string>
#include <vector>

#include "flow/condition.h"
#include "flow/rules/rule_context.h"

namespace nacre::flow {

struct Operands {
  bool has_status = false;       // $?
  bool has_dollar_text = false;  // '$1': a name that was meant to be expanded
  bool has_expansion = false;
  bool has_length = false;   // ${#x}
  bool has_command = false;  // $(...)
  bool has_case = false;     // ${x,,}
  std::vector<const shell::Parameter*> variables;
};

Operands operands_of(const Condition& condition);
Operands operands_of(std::span<const shell::Part> parts);

// What is left of `x$y` if y is empty.
std::string text_beside_expansions(const shell::Word& word);

// A value that the script writes itself may well be constant (a setting, a flag for debugging); a
// constant status, a type that excludes the question or a name in single quotes is a mistake.
bool is_constant_by_mistake(const Condition& condition, const Environment& before,
                            const RuleContext& in);

// What a command printed, and it is never one line.
bool is_several_lines(const Value& value, const RuleContext& in);

}  // namespace nacre::flow
