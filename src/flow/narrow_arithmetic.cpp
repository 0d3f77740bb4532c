// What `(( $# > 1 ))` and `(( ${#x} ))` tell: how many arguments there are, and whether a value is
// empty. Of other numbers nothing is learnt.
#include "flow/interpreter.h"

namespace nacre::flow {

using shell::ArithmeticExpression;
using shell::ArithmeticKind;
using shell::ArithmeticOp;
using shell::ConditionalOp;

namespace {

ConditionalOp comparison(ArithmeticOp op) {
  switch (op) {
    case ArithmeticOp::kLess: return ConditionalOp::kNumberLess;
    case ArithmeticOp::kLessEqual: return ConditionalOp::kNumberLessEqual;
    case ArithmeticOp::kGreater: return ConditionalOp::kNumberGreater;
    case ArithmeticOp::kGreaterEqual: return ConditionalOp::kNumberGreaterEqual;
    case ArithmeticOp::kEqual: return ConditionalOp::kNumberEqual;
    case ArithmeticOp::kNotEqual: return ConditionalOp::kNumberNotEqual;
    default: return ConditionalOp::kNone;
  }
}

// $# or ${#x}
bool is_count(const ArithmeticExpression& node) {
  if (node.kind != ArithmeticKind::kExpansion || node.parts.size() != 1) return false;
  if (node.parts[0].kind != shell::PartKind::kParameter) return false;
  const shell::Parameter& parameter = node.parts[0].parameter();
  return parameter.op == shell::ParameterOp::kLength ||
         (parameter.op == shell::ParameterOp::kNone && parameter.name == "#");
}

}  // namespace

Branches Interpreter::decide_arithmetic(const ArithmeticExpression& node,
                                        const Environment& before) {
  if (!before.is_reachable) return {unreachable(), unreachable()};
  if (node.kind == ArithmeticKind::kGroup && node.left)
    return decide_arithmetic(*node.left, before);
  if (node.kind == ArithmeticKind::kUnary && node.op == ArithmeticOp::kNot && node.left) {
    return negated(decide_arithmetic(*node.left, before));
  }
  if (is_count(node)) return decide_count(node, ConditionalOp::kNumberNotEqual, 0, before);
  if (node.kind != ArithmeticKind::kBinary || !node.left || !node.right) return either_way(before);
  if (node.op == ArithmeticOp::kAnd || node.op == ArithmeticOp::kOr) {
    const bool is_and = node.op == ArithmeticOp::kAnd;
    Branches left = decide_arithmetic(*node.left, before);
    Branches right = decide_arithmetic(*node.right, is_and ? left.success : left.failure);
    if (is_and) return {std::move(right.success), join(values_, left.failure, right.failure)};
    return {join(values_, left.success, right.success), std::move(right.failure)};
  }
  const ConditionalOp op = comparison(node.op);
  const bool compares = op != ConditionalOp::kNone && is_count(*node.left) &&
                        node.right->kind == ArithmeticKind::kNumber;
  return compares ? decide_count(*node.left, op, node.right->value, before) : either_way(before);
}

Branches Interpreter::decide_count(const ArithmeticExpression& node, ConditionalOp op,
                                   int64_t bound, const Environment& before) {
  const Lang wanted = numbers_that(op, bound);
  Branches result = either_way(before);
  if (!restrict_parts(node.parts, wanted, result.success)) result.success = unreachable();
  if (!restrict_parts(node.parts, !wanted, result.failure)) result.failure = unreachable();
  return result;
}

}  // namespace nacre::flow
