// (( )), let, for (( )) and the operators that POSIX arithmetic lacks.
#include <algorithm>
#include <fmt/format.h>

#include "purify/calls.h"
#include "purify/offers.h"
#include "purify/quoting.h"
#include "purify/values.h"
#include "regular/decide.h"
#include "shell/edit.h"
#include "shell/visitor.h"

namespace nacre::purify {

using shell::ArithmeticExpression;
using shell::ArithmeticKind;
using shell::ArithmeticOp;
using shell::Part;
using shell::PartKind;

namespace {

constexpr std::string_view kExpressionHeld =
    "a variable in an arithmetic expression holds an expression, not a number";

bool is_step(const ArithmeticExpression& node) {
  const bool steps = node.op == ArithmeticOp::kIncrement || node.op == ArithmeticOp::kDecrement;
  return steps && (node.kind == ArithmeticKind::kPostfix || node.kind == ArithmeticKind::kUnary);
}

bool is_plain_variable(const ArithmeticExpression* node) {
  return node != nullptr && node->kind == ArithmeticKind::kVariable && node->subscript == nullptr;
}

// Texts of expressions; those without anything beyond POSIX are copied.
class Printer {
 public:
  explicit Printer(const Script& script) : script_(script) {}

  std::optional<std::string> of(const ArithmeticExpression& node) const {
    if (is_portable(node)) return script_.text(node.span);
    switch (node.kind) {
      case ArithmeticKind::kNumber: return std::to_string(node.value);
      case ArithmeticKind::kVariable: return std::nullopt;  // a subscript
      case ArithmeticKind::kExpansion: return based(node);
      case ArithmeticKind::kGroup: return around("(", *node.left, ")");
      case ArithmeticKind::kPostfix: return step(node, true);
      case ArithmeticKind::kUnary:
        return is_step(node) ? step(node, false) : around(operator_before(node), *node.left, "");
      case ArithmeticKind::kBinary:
        return node.op == ArithmeticOp::kPower ? power(node) : binary(node);
      case ArithmeticKind::kAssign: return binary(node);
      case ArithmeticKind::kTernary: return ternary(node);
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_portable(const ArithmeticExpression& node) const {
    if (node.kind == ArithmeticKind::kVariable) return node.subscript == nullptr;
    if (is_step(node) || node.op == ArithmeticOp::kPower || node.op == ArithmeticOp::kComma)
      return false;
    const bool is_leaf =
        node.kind == ArithmeticKind::kNumber || node.kind == ArithmeticKind::kExpansion;
    if (is_leaf) {
      // 10#$n, 16#ff; `${#x}` is only a length.
      const std::string text = script_.text(node.span);
      const size_t mark = text.find('#');
      return mark == std::string::npos || mark == 0 || text[mark - 1] == '{' ||
             text[mark - 1] == '$';
    }
    for (const ArithmeticExpression* each : {node.condition, node.left, node.right}) {
      if (each != nullptr && !is_portable(*each)) return false;
    }
    return true;
  }

 private:
  std::optional<std::string> around(std::string_view before, const ArithmeticExpression& inner,
                                    std::string_view after) const {
    auto text = of(inner);
    if (!text) return std::nullopt;
    return std::string(before) + *text + std::string(after);
  }
  [[nodiscard]] std::string operator_before(const ArithmeticExpression& node) const {
    return script_.text({node.span.begin, node.left->span.begin});
  }
  std::optional<std::string> step(const ArithmeticExpression& node, bool is_after) const {
    if (!is_plain_variable(node.left)) return std::nullopt;
    const bool adds = node.op == ArithmeticOp::kIncrement;
    const std::string change = fmt::format("({} {}= 1)", node.left->name, adds ? '+' : '-');
    return is_after ? fmt::format("({} {} 1)", change, adds ? '-' : '+') : change;
  }
  std::optional<std::string> binary(const ArithmeticExpression& node) const {
    if (node.op == ArithmeticOp::kComma) return std::nullopt;
    const auto left = of(*node.left), right = of(*node.right);
    if (!left || !right) return std::nullopt;
    return *left + script_.text({node.left->span.end, node.right->span.begin}) + *right;
  }
  std::optional<std::string> ternary(const ArithmeticExpression& node) const {
    const auto condition = of(*node.condition), left = of(*node.left), right = of(*node.right);
    if (!condition || !left || !right) return std::nullopt;
    return fmt::format("{} ? {} : {}", *condition, *left, *right);
  }
  // x**3 as a product, where x has no effect.
  std::optional<std::string> power(const ArithmeticExpression& node) const {
    constexpr int64_t kMaxExponent = 6;
    const auto base = of(*node.left);
    const bool is_pure = node.left->kind == ArithmeticKind::kNumber || is_plain_variable(node.left);
    if (!base || node.right->kind != ArithmeticKind::kNumber) return std::nullopt;
    if (node.left->kind == ArithmeticKind::kNumber && node.right->value >= 0) {
      int64_t value = 1;
      for (int64_t i = 0; i < node.right->value; i++) {
        if (__builtin_mul_overflow(value, node.left->value, &value)) return std::nullopt;
      }
      return std::to_string(value);
    }
    if (!is_pure || node.right->value < 1 || node.right->value > kMaxExponent) return std::nullopt;
    std::string result = *base;
    for (int64_t i = 1; i < node.right->value; i++) result += " * " + *base;
    return "(" + result + ")";
  }
  // 10#$n, where the digits are known well enough.
  std::optional<std::string> based(const ArithmeticExpression& node) const {
    const std::string text = script_.text(node.span);
    if (!text.starts_with("10#") || node.parts.empty()) return std::nullopt;
    const Part& last = node.parts.back();
    if (last.kind != PartKind::kParameter || text != "10#" + script_.text(last.span))
      return std::nullopt;
    if (const auto value = constant_of(script_, last)) {
      if (value->empty() || value->find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
      const size_t first = std::min(value->find_first_not_of('0'), value->size() - 1);
      return value->substr(first);
    }
    if (!is_of_type(script_, last, "[0-9][0-9]") ||
        last.parameter().op != shell::ParameterOp::kNone)
      return std::nullopt;
    return fmt::format("${{{}#0}}", last.parameter().name);
  }

  const Script& script_;
};

std::optional<std::string> value_text(const Printer& printer, const ArithmeticExpression& node) {
  auto text = printer.of(node);
  // `$(((` is read as a subshell by some shells.
  if (text && text->starts_with('(')) text = " " + *text + " ";
  return text;
}

// `x=$((...))` for an assignment or a step; nothing for other expressions.
std::optional<std::string> assignment_of(const Script& script, const ArithmeticExpression& node) {
  const Printer printer(script);
  if (is_step(node) && is_plain_variable(node.left)) {
    return fmt::format("{0}=$(({0} {1} 1))", node.left->name,
                       node.op == ArithmeticOp::kIncrement ? '+' : '-');
  }
  if (node.kind != ArithmeticKind::kAssign || !is_plain_variable(node.left)) return std::nullopt;
  const auto right = value_text(printer, *node.right);
  if (!right) return std::nullopt;
  if (node.op == ArithmeticOp::kNone) return fmt::format("{}=$(({}))", node.left->name, *right);
  const std::string op = script.text({node.left->span.end, node.right->span.begin});
  const size_t equals = op.find('=');
  size_t begin = op.find_first_not_of(" \t");
  const std::string bare = op.substr(begin, equals - begin);
  const bool is_leaf = node.right->kind == ArithmeticKind::kNumber ||
                       node.right->kind == ArithmeticKind::kVariable ||
                       node.right->kind == ArithmeticKind::kExpansion;
  return fmt::format("{0}=$(({0} {1} {2}))", node.left->name, bare,
                     is_leaf ? *right : "(" + *right + ")");
}

void flatten_comma(const ArithmeticExpression& node,
                   std::vector<const ArithmeticExpression*>& list) {
  if (node.kind == ArithmeticKind::kBinary && node.op == ArithmeticOp::kComma) {
    flatten_comma(*node.left, list);
    flatten_comma(*node.right, list);
  } else {
    list.push_back(&node);
  }
}

// Statements that do what the expression does; its value is lost.
std::optional<std::string> statements_of(const Script& script, const ArithmeticExpression& node) {
  std::vector<const ArithmeticExpression*> list;
  flatten_comma(node, list);
  std::string result;
  for (const ArithmeticExpression* each : list) {
    auto text = assignment_of(script, *each);
    if (!text) {
      const auto value = value_text(Printer(script), *each);
      if (!value) return std::nullopt;
      text = fmt::format(": \"$(({}))\"", *value);
    }
    result += (result.empty() ? "" : "; ") + *text;
  }
  return result;
}

struct Comparison {
  ArithmeticOp op;
  std::string_view test;
};
constexpr Comparison kComparisons[] = {
    {ArithmeticOp::kLess, "-lt"},    {ArithmeticOp::kLessEqual, "-le"},
    {ArithmeticOp::kGreater, "-gt"}, {ArithmeticOp::kGreaterEqual, "-ge"},
    {ArithmeticOp::kEqual, "-eq"},   {ArithmeticOp::kNotEqual, "-ne"}};

// The variable holds a number on every pass: `[ "$i" -lt 3 ]` needs that.
bool is_number_before(const Script& script, const Place& place, std::string_view name) {
  const flow::Value* value = variable_before(script, place, name);
  if (value == nullptr || value->may_be_unset || value->is_opaque) return false;
  return regular::included(value->strings, flow::integers(script.facts().languages())).yes();
}

// The expression as a test: true if it is not 0.
std::optional<std::string> test_of(const Script& script, const Place& place,
                                   const ArithmeticExpression& node) {
  const auto operand = [&](const ArithmeticExpression& each) -> std::optional<std::string> {
    if (each.kind == ArithmeticKind::kNumber) return script.text(each.span);
    if (is_plain_variable(&each) && is_number_before(script, place, each.name))
      return fmt::format("\"${}\"", each.name);
    return std::nullopt;
  };
  for (const Comparison& each : kComparisons) {
    if (node.kind != ArithmeticKind::kBinary || node.op != each.op) continue;
    const auto left = operand(*node.left), right = operand(*node.right);
    if (left && right) return fmt::format("[ {} {} {} ]", *left, each.test, *right);
  }
  const auto value = value_text(Printer(script), node);
  if (!value) return std::nullopt;
  return fmt::format("[ \"$(({}))\" -ne 0 ]", *value);
}

std::optional<std::string> command_of(const Script& script, const Place& place,
                                      const ArithmeticExpression& node) {
  std::vector<const ArithmeticExpression*> list;
  flatten_comma(node, list);
  const bool is_value_used = script.fate(place) != Fate::kDead;
  if (!is_value_used) {
    const auto text = statements_of(script, node);
    const bool needs_group = list.size() > 1 && !place.is_statement();
    return text && needs_group ? fmt::format("{{ {}; }}", *text) : text;
  }
  std::string before;
  for (size_t i = 0; i + 1 < list.size(); i++) {
    const auto text = statements_of(script, *list[i]);
    if (!text) return std::nullopt;
    before += *text + "; ";
  }
  const auto test = test_of(script, place, *list.back());
  if (!test) return std::nullopt;
  return before.empty() || place.is_statement() ? before + *test
                                                : fmt::format("{{ {}{}; }}", before, *test);
}

}  // namespace

void offer_arithmetic(const Script& script, Offers& offers) {
  if (!script.settings().wants(kPosix) || script.settings().target == Target::kBash) return;
  for (const Place& place : script.places()) {
    const auto* node = std::get_if<shell::ArithmeticCommand>(&place.command->node);
    if (node == nullptr || place.is_in_backquotes || place.is_in_here_document) continue;
    Rewrite offer = rewrite("arithmetic-command", place.command->span, "$(( )) instead of (( ))",
                            RewriteClass::kRepair);
    offer.differs_when = kExpressionHeld;
    const ArithmeticExpression* expression = node->arithmetic->expression;
    const auto text = expression == nullptr || !place.command->redirections.empty()
                          ? std::nullopt
                          : command_of(script, place, *expression);
    need(offer, ObligationKind::kTarget, text.has_value(),
         text ? "every operator is POSIX" : "an operator or operand that POSIX arithmetic lacks");
    if (text) offer.edits.push_back(shell::replace(place.command->span, *text));
    offers.push_back(std::move(offer));
  }
  shell::walk(script.tree().program(), shell::Visitor{[&](const Part& part) {
                if (part.kind != PartKind::kArithmetic) return true;
                const ArithmeticExpression* expression = part.arithmetic().expression;
                const Printer printer(script);
                const WordPlace* at = script.word_of(part);
                if (expression == nullptr || at == nullptr || at->place->is_in_backquotes)
                  return true;
                if (printer.is_portable(*expression) && !part.arithmetic().is_bracket) return true;
                Rewrite offer = rewrite("arithmetic", part.span, "operators that POSIX has");
                const auto text = value_text(printer, *expression);
                need(
                    offer, ObligationKind::kTarget, text.has_value(),
                    text ? "the same value" : "an operator or operand that POSIX arithmetic lacks");
                if (text)
                  offer.edits.push_back(shell::replace(part.span, fmt::format("$(({}))", *text)));
                offers.push_back(std::move(offer));
                return true;
              }});
}

namespace {

// The step of a loop as one constant that is added to one variable.
struct ConstantStep {
  std::string_view variable;
  std::string amount;  // "+ 1"
  std::string inverse;
};

std::optional<ConstantStep> constant_step(const Script& script, const ArithmeticExpression* node) {
  if (node == nullptr || !is_plain_variable(node->left)) return std::nullopt;
  const std::string_view name = node->left->name;
  if (is_step(*node)) {
    return node->op == ArithmeticOp::kIncrement ? ConstantStep{name, "+ 1", "- 1"}
                                                : ConstantStep{name, "- 1", "+ 1"};
  }
  const bool adds = node->op == ArithmeticOp::kAdd, takes = node->op == ArithmeticOp::kSubtract;
  if (node->kind != ArithmeticKind::kAssign || (!adds && !takes)) return std::nullopt;
  if (node->right->kind != ArithmeticKind::kNumber) return std::nullopt;
  const std::string number = script.text(node->right->span);
  return ConstantStep{name, (adds ? "+ " : "- ") + number, (adds ? "- " : "+ ") + number};
}

// for ((i = A; COND; i += K)): begins at A - K, and steps in the condition, so that `continue` and
// the status of the loop stay what they are.
std::optional<std::string> loop_head(const Script& script, const Place& place,
                                     const shell::ArithmeticFor& loop) {
  const auto expression = [](const shell::Arithmetic* text) {
    return text == nullptr ? nullptr : text->expression;
  };
  const ArithmeticExpression* initial = expression(loop.initial);
  const ArithmeticExpression* condition = expression(loop.condition);
  const auto step = constant_step(script, expression(loop.step));
  if (!step || initial == nullptr || condition == nullptr) return std::nullopt;
  const bool begins = initial->kind == ArithmeticKind::kAssign &&
                      initial->op == ArithmeticOp::kNone && is_plain_variable(initial->left) &&
                      initial->left->name == step->variable;
  if (!begins) return std::nullopt;
  const auto first = Printer(script).of(*initial->right);
  const auto test = test_of(script, place, *condition);
  if (!first || !test) return std::nullopt;
  std::string start;
  if (initial->right->kind == ArithmeticKind::kNumber &&
      (step->amount == "+ 1" || step->amount == "- 1")) {
    const int64_t value = initial->right->value + (step->amount == "+ 1" ? -1 : 1);
    start = std::to_string(value);
  } else {
    start = fmt::format("$(({} {}))",
                        initial->right->kind == ArithmeticKind::kNumber ||
                                initial->right->kind == ArithmeticKind::kVariable ||
                                initial->right->kind == ArithmeticKind::kExpansion
                            ? *first
                            : "(" + *first + ")",
                        step->inverse);
  }
  return fmt::format("{0}={1}\n{2}while {0}=$(({0} {3})); {4}; do", step->variable, start,
                     script.indentation_of(place.command->span.begin), step->amount, *test);
}

// Any of the three may be missing or more than a step; nothing in the body says `continue`.
std::optional<std::string> plain_loop(const Script& script, const Place& place,
                                      const shell::ArithmeticFor& loop, std::string& after) {
  std::string result;
  const std::string indentation = script.indentation_of(place.command->span.begin);
  if (loop.initial != nullptr && loop.initial->expression != nullptr) {
    const auto text = statements_of(script, *loop.initial->expression);
    if (!text) return std::nullopt;
    result = *text + "\n" + indentation;
  }
  std::string test = ":";
  if (loop.condition != nullptr && loop.condition->expression != nullptr) {
    const auto text = test_of(script, place, *loop.condition->expression);
    if (!text) return std::nullopt;
    test = *text;
  }
  if (loop.step != nullptr && loop.step->expression != nullptr) {
    const auto text = statements_of(script, *loop.step->expression);
    if (!text) return std::nullopt;
    after = *text;
  }
  return fmt::format("{}while {}; do", result, test);
}

bool says_continue(const Script& script, const shell::Command& loop) {
  return std::any_of(script.places().begin(), script.places().end(), [&](const Place& each) {
    return loop.span.contains(each.command->span) && script.name_of(each) == "continue";
  });
}

// The span from `for` to `do`, or to `{`; nothing if it cannot be found.
std::optional<Span> head_of(const Script& script, const Place& place,
                            const shell::ArithmeticFor& loop) {
  const Span span = place.command->span;
  const uint32_t body =
      loop.body->items.empty() ? loop.body->span.begin : loop.body->items[0].command->span.begin;
  const std::string head = script.text({span.begin, body});
  const size_t end = head.rfind("do");
  if (end == std::string::npos || head.rfind("))") > end) return std::nullopt;
  return Span{span.begin, span.begin + static_cast<uint32_t>(end) + 2};
}

}  // namespace

void offer_arithmetic_loops(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for (const Place& place : script.places()) {
    const auto* loop = std::get_if<shell::ArithmeticFor>(&place.command->node);
    if (loop == nullptr || place.is_in_backquotes) continue;
    Rewrite offer = rewrite("arithmetic-for", place.command->span, "while instead of for (( ))",
                            RewriteClass::kRepair);
    offer.differs_when = kExpressionHeld;
    const auto head = head_of(script, place, *loop);
    auto text = loop_head(script, place, *loop);
    std::string after;
    if (!text) {
      text = plain_loop(script, place, *loop, after);
      const bool is_kept = after.empty() || (!says_continue(script, *place.command) &&
                                             script.fate(place) != Fate::kTested);
      need(offer, ObligationKind::kStatus, is_kept, "the step can stand at the end of the body");
    }
    const bool is_possible = text && head && place.is_statement();
    need(offer, ObligationKind::kTarget, is_possible,
         is_possible ? "the same loop" : "the loop is not that simple");
    if (is_possible) {
      offer.edits.push_back(shell::replace(*head, *text));
      if (!after.empty()) {
        const shell::Item& last = loop->body->items.back();
        const std::string line =
            script.file().line_of(last.command->span.begin) == script.file().line_of(head->end)
                ? "; "
                : "\n" + script.indentation_of(last.command->span.begin);
        offer.edits.push_back({{last.command->span.end, last.command->span.end}, line + after});
      }
    }
    offers.push_back(std::move(offer));
  }
}

// let is (( )) with words for operands.
void offer_let(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for (const Call& call : calls_of(script)) {
    if (!call.is("let") || call.words.size() < 2) continue;
    std::string text;
    bool is_known =
        call.place->command->redirections.empty() && call.place->simple()->assignments.empty();
    for (const shell::Word& word : call.words.subspan(1)) {
      const auto part = double_quoted_text(script, word);
      is_known &= part.has_value();
      text += (text.empty() ? "" : ", ") + part.value_or("");
    }
    Rewrite offer = rewrite("let", call.span(), "(( )) instead of let");
    need(offer, ObligationKind::kTarget, is_known, "the expressions are written out");
    if (is_known) offer.edits.push_back(shell::replace(call.span(), fmt::format("(({}))", text)));
    offers.push_back(std::move(offer));
  }
}

}  // namespace nacre::purify
