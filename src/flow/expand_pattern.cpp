// The patterns of `case`, `[[ = ]]` and ${x%...}, and arithmetic.
#include "flow/interpreter.h"
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

}  // namespace

// Constant stretches of the word are read as patterns; what an expansion gives is spliced in.
Interpreter::PatternLang Interpreter::pattern(const shell::Word& word, Environment& environment) {
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
  return result;
}

Interpreter::PatternLang Interpreter::arm_pattern(const shell::CaseArm& arm, SeenArms& seen,
                                                  Environment& environment) {
  PatternLang result{context_.empty(), true};
  for (const shell::Word& word : arm.patterns) {
    const PatternLang one = pattern(word, environment);
    if (one.is_exact) {
      judge_pattern(arm, word, one.lang, seen);
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
  for (const ArithmeticExpression* part : {node.condition, node.right, node.left}) {
    if (part) evaluate(*part, environment);
  }
  if (node.subscript) evaluate_subscript(node.name, *node.subscript, environment);
  if (node.kind == ArithmeticKind::kVariable)
    judge_arithmetic(value(names_[node.name], environment), node.span);
  if (node.kind == ArithmeticKind::kExpansion) {
    std::vector<Fragment> fragments;
    add_fragments(node.parts, true, environment, fragments);
    for (const Fragment& each : fragments) judge_arithmetic(each.value, each.span);
  }
  const bool changes = node.kind == ArithmeticKind::kAssign ||
                       node.op == shell::ArithmeticOp::kIncrement ||
                       node.op == shell::ArithmeticOp::kDecrement;
  if (!changes || !node.left || node.left->kind != ArithmeticKind::kVariable) return;
  Value result{integers(context_)};
  result.origin = node.span;
  const Name name = names_[node.left->name];
  result.is_array = node.left->subscript != nullptr;
  store(name, std::move(result), environment);
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
  for (const Fragment& each : fragments) judge_arithmetic(each.value, each.span);
}

}  // namespace nacre::flow
