// What `[ ]`, `test` and `[[ ]]` ask, as one tree. It refers to the words of the script's own tree.
// Internal to this module.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "shell/ast.h"

namespace nacre::flow {

struct Condition {
  enum class Kind : uint8_t {
    kWord,    // not empty: `[ w ]`
    kUnary,   // -letter left
    kBinary,  // left op right
    kNot,
    kAnd,
    kOr,
    kUnknown,  // too few or too many words: decided only when it runs
  } kind = Kind::kUnknown;
  char letter = 0;                                        // kUnary
  shell::ConditionalOp op = shell::ConditionalOp::kNone;  // kBinary
  const shell::Word* left = nullptr;
  const shell::Word* right = nullptr;
  bool is_bracket = false;       // of `[[ ]]`: words are not split, = takes a pattern
  std::vector<Condition> parts;  // kNot: one; kAnd, kOr: two
};

Condition condition_of(const shell::ConditionalExpression& expression);

// Of a command `[ ... ]` or `test ...`; nothing if it is not one.
std::optional<Condition> test_condition(const shell::SimpleCommand& simple);

bool compares_numbers(const Condition& condition);
// The operand of `[ x -eq root ]` that is not a number, whatever the script was given; null if
// there is none.
const shell::Word* refused_operand(const Condition& condition);

}  // namespace nacre::flow
