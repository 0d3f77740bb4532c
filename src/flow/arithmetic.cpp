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

uint8_t evaluate(Run& run, const ArithmeticExpression& node, Environment& environment);

// An operand that is not always looked at.
uint8_t evaluate_if_needed(Run& run, const ArithmeticExpression& node, Environment& environment) {
  if (!has_change(&node)) return evaluate(run, node, environment);
  const Environment without = environment;
  const uint8_t varies = evaluate(run, node, environment);
  environment = join(run.values, environment, without);
  return varies;
}

void change_operand(Run& run, const ArithmeticExpression& target, Span span, uint8_t varies,
                    Environment& environment) {
  Value result{integers(run.languages)};
  result.origin = span;
  result.varies = varies;
  if (target.kind == ArithmeticKind::kGroup && target.left)
    return change_operand(run, *target.left, span, varies, environment);
  if (target.kind == ArithmeticKind::kExpansion) {  // `(( $n = 1 ))`
    const Findings::Muted muted(run.findings);
    const Scoped again(run.where.is_again, true);
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
  note_name(run, target.span, run.names[target.name], NameUse::kAssigned, result);
  store(run, run.names[target.name], std::move(result), environment);
}

// An operand that is read: a name, or expansions.
uint8_t evaluate_operand(Run& run, const ArithmeticExpression& node, Environment& environment) {
  if (node.kind == ArithmeticKind::kVariable) {
    const Value& value = run.value(run.names[node.name], environment);
    note_name(run, node.span, run.names[node.name], NameUse::kRead, value);
    publish(ArithmeticEvent{value, node.span}, run.rules);
    return value.varies;
  }
  if (node.kind != ArithmeticKind::kExpansion) return 0;
  uint8_t varies = 0;
  std::vector<Fragment> fragments;
  add_fragments(run, node.parts, true, environment, fragments);
  for (const Fragment& each : fragments) {
    publish(ArithmeticEvent{each.value, each.span}, run.rules);
    varies |= each.value.varies;
  }
  return varies;
}

// What an expression reads and changes. It may be any number; the result is what that depends on
// (Value::varies).
uint8_t evaluate(Run& run, const ArithmeticExpression& node, Environment& environment) {
  uint8_t varies = 0;
  const bool is_and_or =
      node.op == shell::ArithmeticOp::kAnd || node.op == shell::ArithmeticOp::kOr;
  if (is_and_or && node.kind == ArithmeticKind::kBinary && node.left && node.right) {
    varies = evaluate(run, *node.left, environment);
    varies |= evaluate_if_needed(run, *node.right, environment);
    return varies;
  }
  if (node.condition) varies |= evaluate(run, *node.condition, environment);
  // What is assigned is not read.
  const bool is_written = node.kind == ArithmeticKind::kAssign &&
                          node.op == shell::ArithmeticOp::kNone && node.left &&
                          node.left->kind == ArithmeticKind::kVariable && !node.left->subscript;
  for (const ArithmeticExpression* part : {node.right, is_written ? nullptr : node.left}) {
    if (!part) continue;
    varies |= node.condition ? evaluate_if_needed(run, *part, environment)
                             : evaluate(run, *part, environment);
  }
  if (node.subscript) evaluate_subscript(run, node.name, *node.subscript, environment);
  varies |= evaluate_operand(run, node, environment);
  if (changes_variable(node) && node.left)
    change_operand(run, *node.left, node.span, varies, environment);
  return varies;
}

}  // namespace

Value arithmetic_value(Run& run, const shell::Arithmetic& node, Environment& environment) {
  const Scoped expanding(run.where.expanding, ExpansionContext::kArithmetic);
  Value result(integers(run.languages));
  result.varies = node.expression ? evaluate(run, *node.expression, environment)
                                  : value_of(run, node.word, environment).varies;
  return result;
}

void evaluate_subscript(Run& run, std::string_view array, const shell::Subscript& subscript,
                        Environment& environment) {
  if (subscript.kind != shell::SubscriptKind::kExpression) return;
  const Scoped expanding(run.where.expanding, ExpansionContext::kArithmetic);
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
