#include "flow/rules/question.h"

namespace nacre::flow {

namespace {

bool compares_texts(const Condition& asking) {
  return asking.op == shell::ConditionalOp::kEqual || asking.op == shell::ConditionalOp::kNotEqual;
}

}  // namespace

bool asks_for_emptiness(const Condition* asking) {
  if (!asking) return false;
  return compares_texts(*asking) || asking->kind == Condition::Kind::kWord ||
         (asking->kind == Condition::Kind::kUnary &&
          (asking->letter == 'n' || asking->letter == 'z'));
}

bool asks_for_number(const Condition* asking) {
  return asking && asking->kind == Condition::Kind::kBinary && !asking->is_bracket &&
         asking->op >= shell::ConditionalOp::kNumberEqual &&
         asking->op <= shell::ConditionalOp::kNumberGreaterEqual;
}

bool compares_expansions(const Condition* asking) {
  return asking && asking->kind == Condition::Kind::kBinary && asking->left && asking->right &&
         asking->left->has(shell::kWordHasExpansion) &&
         asking->right->has(shell::kWordHasExpansion);
}

bool asks_only_for_emptiness(const Condition* asking, const shell::Tree& tree) {
  if (!asks_for_emptiness(asking) || !asking->left) return false;  // `case $x` has more to ask
  return !compares_texts(*asking) || (asking->right && tree.text(asking->right->span).size() == 2);
}

}  // namespace nacre::flow
