// Arithmetic: what an expression reads and changes. Its result is any number.
#include <utility>

#include "flow/expansion.h"
#include "flow/rules/publish.h"
#include "flow/run.h"
#include "flow/variables.h"

namespace nacre::flow {

using shell::ArithmeticExpression;
using shell::ArithmeticKind;

namespace {

bool changes_variable(const ArithmeticExpression& node) {
  return node.kind == ArithmeticKind::kAssign || node.op == shell::ArithmeticOp::kIncrement ||
         node.op == shell::ArithmeticOp::kDecrement;
}

bool has_change(const ArithmeticExpression* node) {
  if (!node) return false;
  return changes_variable(*node) || has_change(node->left) || has_change(node->right) ||
         has_change(node->condition);
}

void evaluate(Run& run, const ArithmeticExpression& node, Environment& environment);

// An operand that is not always looked at.
void evaluate_if_needed(Run& run, const ArithmeticExpression& node, Environment& environment) {
  if (!has_change(&node)) return evaluate(run, node, environment);
  const Environment without = environment;
  evaluate(run, node, environment);
  environment = join(run.values, environment, without);
}

void change_operand(Run& run, const ArithmeticExpression& target, Span span,
                    Environment& environment) {
  Value result{integers(run.languages)};
  result.origin = span;
  if (target.kind == ArithmeticKind::kGroup && target.left)
    return change_operand(run, *target.left, span, environment);
  if (target.kind == ArithmeticKind::kExpansion) {  // `(( $n = 1 ))`
    const Findings::Muted muted(run.findings);
    std::vector<Fragment> fragments;
    add_fragments(run, target.parts, true, environment, fragments);
    if (fragments.empty()) return;
    const Value name = concatenated(run.languages, fragments, span);
    store_by_name(run, {span, name.strings, name.text, name.prefix, name.is_opaque},
                  std::move(result), environment);
    return;
  }
  if (target.kind != ArithmeticKind::kVariable) return;
  const Value& before = run.value(run.names[target.name], environment);
  if (target.subscript || before.is_array) {
    if (before.is_array || !before.may_be_foreign) result = joined(result, before);
    result.is_array = true;
    result.text.reset();
  }
  store(run, run.names[target.name], std::move(result), environment);
}

// What an expression reads and changes; its result is any number.
void evaluate(Run& run, const ArithmeticExpression& node, Environment& environment) {
  const bool is_and_or =
      node.op == shell::ArithmeticOp::kAnd || node.op == shell::ArithmeticOp::kOr;
  if (is_and_or && node.kind == ArithmeticKind::kBinary && node.left && node.right) {
    evaluate(run, *node.left, environment);
    evaluate_if_needed(run, *node.right, environment);
    return;
  }
  if (node.condition) evaluate(run, *node.condition, environment);
  // What is assigned is not read.
  const bool is_written = node.kind == ArithmeticKind::kAssign &&
                          node.op == shell::ArithmeticOp::kNone && node.left &&
                          node.left->kind == ArithmeticKind::kVariable && !node.left->subscript;
  for (const ArithmeticExpression* part : {node.right, is_written ? nullptr : node.left}) {
    if (part && node.condition) evaluate_if_needed(run, *part, environment);
    if (part && !node.condition) evaluate(run, *part, environment);
  }
  if (node.subscript) evaluate_subscript(run, node.name, *node.subscript, environment);
  if (node.kind == ArithmeticKind::kVariable)
    publish(ArithmeticEvent{run.value(run.names[node.name], environment), node.span}, run.rules);
  if (node.kind == ArithmeticKind::kExpansion) {
    std::vector<Fragment> fragments;
    add_fragments(run, node.parts, true, environment, fragments);
    for (const Fragment& each : fragments)
      publish(ArithmeticEvent{each.value, each.span}, run.rules);
  }
  if (changes_variable(node) && node.left) change_operand(run, *node.left, node.span, environment);
}

}  // namespace

Value arithmetic_value(Run& run, const shell::Arithmetic& node, Environment& environment) {
  if (node.expression) {
    evaluate(run, *node.expression, environment);
  } else {
    value_of(run, node.word, environment);  // the expansions in it
  }
  return Value(integers(run.languages));
}

void evaluate_subscript(Run& run, std::string_view array, const shell::Subscript& subscript,
                        Environment& environment) {
  if (subscript.kind != shell::SubscriptKind::kExpression) return;
  const bool is_number =
      run.survey.assigned.contains(array) && !run.survey.associative.contains(array);
  if (!is_number || subscript.word.is_literal()) {
    value_of(run, subscript.word, environment);
    return;
  }
  std::vector<Fragment> fragments;
  add_fragments(run, subscript.word.parts(), true, environment, fragments);
  for (const Fragment& each : fragments) publish(ArithmeticEvent{each.value, each.span}, run.rules);
}

}  // namespace nacre::flow
