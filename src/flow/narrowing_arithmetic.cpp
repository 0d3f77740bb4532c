// What `(( ))` tells about $#, ${#x} and $?.
#include <utility>

#include "flow/narrowing.h"
#include "flow/rules/publish.h"
#include "flow/run.h"

namespace nacre::flow {

using shell::ArithmeticExpression;
using shell::ArithmeticKind;
using shell::ArithmeticOp;
using shell::ConditionalOp;

namespace {

const shell::Parameter* only_parameter(const ArithmeticExpression& node) {
  const bool is_one = node.kind == ArithmeticKind::kExpansion && node.parts.size() == 1 &&
                      node.parts[0].kind == shell::PartKind::kParameter;
  return is_one ? &node.parts[0].parameter() : nullptr;
}

bool is_status(const ArithmeticExpression& node) {
  const shell::Parameter* parameter = only_parameter(node);
  return parameter && parameter->op == shell::ParameterOp::kNone && parameter->name == "?";
}

Branches decide_count(Run& run, const ArithmeticExpression& node, ConditionalOp op, int64_t bound,
                      const Environment& before) {
  if (is_status(node)) publish(StatusEvent{node.span, before}, run.rules);
  const Lang wanted = numbers_that(run, op, bound);
  Branches result{before, before};
  if (!restrict_parts(run, node.parts, wanted, result.success)) result.success = unreachable();
  if (!restrict_parts(run, node.parts, !wanted, result.failure)) result.failure = unreachable();
  result.success.status = succeeded(before.status.origin);
  result.failure.status = failed(before.status.origin);
  return result;
}

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

// $#, ${#x} or $?
bool is_count(const ArithmeticExpression& node) {
  const shell::Parameter* parameter = only_parameter(node);
  return parameter && (parameter->op == shell::ParameterOp::kLength || is_status(node) ||
                       (parameter->op == shell::ParameterOp::kNone && parameter->name == "#"));
}

}  // namespace

Branches decide_arithmetic(Run& run, const ArithmeticExpression& node, const Environment& before) {
  if (!before.is_reachable) return {unreachable(), unreachable()};
  if (node.kind == ArithmeticKind::kGroup && node.left)
    return decide_arithmetic(run, *node.left, before);
  if (node.kind == ArithmeticKind::kUnary && node.op == ArithmeticOp::kNot && node.left) {
    return negated(decide_arithmetic(run, *node.left, before));
  }
  if (is_count(node)) return decide_count(run, node, ConditionalOp::kNumberNotEqual, 0, before);
  if (node.kind != ArithmeticKind::kBinary || !node.left || !node.right) return either_way(before);
  if (node.op == ArithmeticOp::kAnd || node.op == ArithmeticOp::kOr) {
    const bool is_and = node.op == ArithmeticOp::kAnd;
    Branches left = decide_arithmetic(run, *node.left, before);
    Branches right = decide_arithmetic(run, *node.right, is_and ? left.success : left.failure);
    if (is_and) return {std::move(right.success), join(run.values, left.failure, right.failure)};
    return {join(run.values, left.success, right.success), std::move(right.failure)};
  }
  const ConditionalOp op = comparison(node.op);
  const bool compares = op != ConditionalOp::kNone && is_count(*node.left) &&
                        node.right->kind == ArithmeticKind::kNumber;
  return compares ? decide_count(run, *node.left, op, node.right->value, before)
                  : either_way(before);
}

}  // namespace nacre::flow
