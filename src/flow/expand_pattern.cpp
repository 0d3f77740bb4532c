// The patterns of `case`, `[[ = ]]` and ${x%...}, and arithmetic.
#include "flow/interpreter.h"
#include "flow/rules/publish.h"
#include "regular/lower.h"
#include "regular/parse_glob.h"

namespace nacre::flow {

using shell::ArithmeticExpression;
using shell::ArithmeticKind;
using shell::Part;
using shell::PartKind;

namespace {

// The text of a pattern, byte by byte quoted or not.
struct PatternText {
  std::string text;
  std::vector<bool> quoted;

  void add(std::string_view more, bool is_quoted) {
    text += more;
    quoted.resize(text.size(), is_quoted);
  }
  // No character in it means anything but itself.
  [[nodiscard]] bool is_plain() const {
    for (size_t i = 0; i < text.size(); i++) {
      if (!quoted[i] && std::string_view("*?[]\\()|!+@").find(text[i]) != std::string_view::npos)
        return false;
    }
    return true;
  }
};

bool changes_variable(const ArithmeticExpression& node) {
  return node.kind == ArithmeticKind::kAssign || node.op == shell::ArithmeticOp::kIncrement ||
         node.op == shell::ArithmeticOp::kDecrement;
}

bool has_change(const ArithmeticExpression* node) {
  if (!node) return false;
  return changes_variable(*node) || has_change(node->left) || has_change(node->right) ||
         has_change(node->condition);
}

}  // namespace

// Constant stretches of the word are read as patterns; what an expansion gives is spliced in.
PatternLang Interpreter::pattern(const shell::Word& word, Environment& environment) {
  PatternLang result{context_.literal(""), true};
  PatternText pending;
  const auto flush = [&] {
    if (pending.text.empty()) return;
    regular::GlobOptions options;
    options.has_extglob = tree_.dialect() == shell::Dialect::kBash;
    if (tree_.dialect() != shell::Dialect::kBash) options.shell = regular::GlobShell::kPosix;
    options.quoted = &pending.quoted;
    if (pending.is_plain()) {
      result.lang = result.lang + context_.literal(pending.text);
    } else {
      const auto regex = regular::parse_glob(pending.text, options);
      const auto lang = regex ? regular::lower(context_, *regex) : fail({}, "");
      result.lang = result.lang + (lang ? *lang : any_value(context_));
      result.is_exact &= lang.has_value();
    }
    pending = {};
  };
  const auto add = [&](auto& self, std::span<const Part> parts, bool is_quoted) -> void {
    for (const Part& part : parts) {
      if (part.kind == PartKind::kDoubleQuoted || part.kind == PartKind::kLocaleQuoted) {
        self(self, part.parts(), true);
      } else if (part.kind == PartKind::kGlob || part.kind == PartKind::kExtGlob) {
        pending.add(tree_.text(part.span), is_quoted);
      } else if (part.is_text()) {
        pending.add(part.text(), is_quoted || part.kind != PartKind::kLiteral);
      } else {
        const Value value = fragment(part, is_quoted, environment).value;
        if (value.text && !value.may_be_unset) {
          pending.add(*value.text, is_quoted);
        } else {
          flush();
          result.lang = result.lang + (is_quoted ? expansion_of(value) : any_value(context_));
          result.is_exact = false;
        }
      }
    }
  };
  add(add, word.parts(), false);
  flush();
  if (environment.options.nocasematch != Known::kNo) return {any_value(context_), false};
  return result;
}

PatternLang Interpreter::arm_pattern(const shell::CaseArm& arm, SeenArms& seen,
                                     Environment& environment) {
  PatternLang result{context_.empty(), true};
  for (const shell::Word& word : arm.patterns) {
    const PatternLang one = pattern(word, environment);
    if (one.is_exact) {
      if (!seen.falls) publish(PatternEvent{arm, word, one.lang, seen}, rules_);
      if (arm.end != shell::CaseEnd::kContinue) {
        seen.all = seen.all | one.lang;
        seen.arms.emplace_back(&arm, one.lang);
      }
    }
    result.lang = result.lang | one.lang;
    result.is_exact &= one.is_exact;
  }
  return result;
}

Value Interpreter::arithmetic(const shell::Arithmetic& node, Environment& environment) {
  if (node.expression) {
    evaluate(*node.expression, environment);
  } else {
    value_of(node.word, environment);  // the expansions in it
  }
  return Value(integers(context_));
}

// What an expression reads and changes; its result is any number.
void Interpreter::evaluate(const ArithmeticExpression& node, Environment& environment) {
  const bool is_and_or =
      node.op == shell::ArithmeticOp::kAnd || node.op == shell::ArithmeticOp::kOr;
  if (is_and_or && node.kind == ArithmeticKind::kBinary && node.left && node.right) {
    evaluate(*node.left, environment);
    evaluate_if_needed(*node.right, environment);
    return;
  }
  if (node.condition) evaluate(*node.condition, environment);
  // What is assigned is not read.
  const bool is_written = node.kind == ArithmeticKind::kAssign &&
                          node.op == shell::ArithmeticOp::kNone && node.left &&
                          node.left->kind == ArithmeticKind::kVariable && !node.left->subscript;
  for (const ArithmeticExpression* part : {node.right, is_written ? nullptr : node.left}) {
    if (part && node.condition) evaluate_if_needed(*part, environment);
    if (part && !node.condition) evaluate(*part, environment);
  }
  if (node.subscript) evaluate_subscript(node.name, *node.subscript, environment);
  if (node.kind == ArithmeticKind::kVariable)
    publish(ArithmeticEvent{value(names_[node.name], environment), node.span}, rules_);
  if (node.kind == ArithmeticKind::kExpansion) {
    std::vector<Fragment> fragments;
    add_fragments(node.parts, true, environment, fragments);
    for (const Fragment& each : fragments) publish(ArithmeticEvent{each.value, each.span}, rules_);
  }
  if (changes_variable(node) && node.left) change(*node.left, node.span, environment);
}

// An operand that is not always looked at.
void Interpreter::evaluate_if_needed(const ArithmeticExpression& node, Environment& environment) {
  if (!has_change(&node)) return evaluate(node, environment);
  const Environment without = environment;
  evaluate(node, environment);
  environment = join(values_, environment, without);
}

void Interpreter::change(const ArithmeticExpression& target, Span span, Environment& environment) {
  Value result{integers(context_)};
  result.origin = span;
  if (target.kind == ArithmeticKind::kGroup && target.left)
    return change(*target.left, span, environment);
  if (target.kind == ArithmeticKind::kExpansion) {  // `(( $n = 1 ))`
    const Findings::Muted muted(findings_);
    std::vector<Fragment> fragments;
    add_fragments(target.parts, true, environment, fragments);
    if (fragments.empty()) return;
    const Value name = concatenated(context_, fragments, span);
    store_by_name({span, name.strings, name.text, name.prefix, name.is_opaque}, std::move(result),
                  environment);
    return;
  }
  if (target.kind != ArithmeticKind::kVariable) return;
  const Value& before = value(names_[target.name], environment);
  if (target.subscript || before.is_array) {
    if (before.is_array || !before.may_be_foreign) result = joined(result, before);
    result.is_array = true;
    result.text.reset();
  }
  store(names_[target.name], std::move(result), environment);
}

void Interpreter::evaluate_subscript(std::string_view array, const shell::Subscript& subscript,
                                     Environment& environment) {
  if (subscript.kind != shell::SubscriptKind::kExpression) return;
  const bool is_number = survey_.assigned.contains(array) && !survey_.associative.contains(array);
  if (!is_number || subscript.word.is_literal()) {
    value_of(subscript.word, environment);
    return;
  }
  std::vector<Fragment> fragments;
  add_fragments(subscript.word.parts(), true, environment, fragments);
  for (const Fragment& each : fragments) publish(ArithmeticEvent{each.value, each.span}, rules_);
}

}  // namespace nacre::flow
