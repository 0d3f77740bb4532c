// Expressions and built-in functions of awk.
#include <cmath>
#include <fmt/core.h>

#include "commands/awk_run.h"
#include "commands/line_formats.h"
#include "regular/decide.h"
#include "regular/match_pattern.h"
#include "regular/parse_awk.h"
#include "regular/translate_chars.h"
#include "regular/translate_match.h"

namespace nacre::awk {

using regular::CharSet;

constexpr int kMaxCallDepth = 3;  // of user functions

Value Run::evaluate(ExprId id) {
  return std::visit([this](const auto& node) { return expression(node); }, program_[id].node);
}

Value Run::expression(const Number& node) {
  const bool is_integer = node.value == std::floor(node.value) && std::fabs(node.value) < 1e15;
  if (!is_integer && (std::fabs(node.value) >= 1e15 || variables_.contains("OFMT") ||
                      variables_.contains("CONVFMT")))
    return number();
  return {context_.literal(is_integer ? fmt::format("{:.0f}", node.value)
                                      : fmt::format("{:.6g}", node.value)),
          true, false};
}

Value Run::expression(const String& node) { return constant(node.value); }

Value Run::expression(const Regex&) { return truth(); }

Value Run::expression(const Variable& node) { return variable(node.name); }

Value Run::expression(const Element& node) {
  for (ExprId id : node.subscripts) evaluate(id);
  if (node.array == "ENVIRON" || node.array == "ARGV") return anything();
  return variable(elements_of(node.array));
}

Value Run::truth() { return {context_.literal("0") | context_.literal("1"), true, false}; }

Value Run::expression(const Field& node) {
  const auto index = constant_index(node.index);
  const auto* name = std::get_if<Variable>(&program_[ungrouped(node.index)].node);
  if (index == 0) return record_;
  const FieldSplitter* split = fields_are_changed_ ? nullptr : splitter();
  if (split && index) return {split->field(record_.text, *index), false, record_.is_opaque};
  if (split && name && name->name == "NF")
    return {split->last_field(record_.text), false, record_.is_opaque};
  evaluate(node.index);
  // Some field: a piece of the record without its separator. Any piece will do as a superset.
  return {star(context_.set(regular::symbols_of(record_.text))), false, record_.is_opaque};
}

Value Run::expression(const Unary& node) {
  evaluate(node.operand);
  return node.op == UnaryOp::kNot ? truth() : number();
}

// `a b c`: all of a chain at once, for it may be long.
Value Run::concatenation(const Binary& node) {
  std::vector<ExprId> operands{node.right};
  ExprId first = node.left;
  for (const Binary* next = std::get_if<Binary>(&program_[first].node);
       next && next->op == BinaryOp::kConcat; next = std::get_if<Binary>(&program_[first].node)) {
    operands.push_back(next->right);
    first = next->left;
  }
  operands.push_back(first);
  std::vector<Lang> parts;
  bool is_opaque = false;
  for (size_t i = operands.size(); i-- > 0;) {
    const Value part = evaluate(operands[i]);
    parts.push_back(part.text);
    is_opaque |= part.is_opaque;
  }
  return {concat(context_, parts), false, is_opaque};
}

Value Run::expression(const Binary& node) {
  if (node.op == BinaryOp::kConcat) return concatenation(node);
  const Value left = evaluate(node.left);
  const Value right = evaluate(node.right);
  switch (node.op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSubtract:
    case BinaryOp::kMultiply:
    case BinaryOp::kDivide:
    case BinaryOp::kModulo:
    case BinaryOp::kPower: return arithmetic(node.op, left, right);
    default: return truth();
  }
}

// Sums and products of whole numbers are whole, and without a minus sign none is negative.
Value Run::arithmetic(BinaryOp op, const Value& left, const Value& right) {
  const CharSet symbols = regular::symbols_of(left.text) | regular::symbols_of(right.text);
  const bool is_whole = !symbols.intersects(CharSet::of(".,eExXpPnNiI"));
  const bool is_natural =
      op != BinaryOp::kSubtract && !may_be_negative(left) && !may_be_negative(right);
  if (is_whole && op != BinaryOp::kDivide && op != BinaryOp::kPower) return whole(is_natural);
  return {number_text(!is_natural), true, false};
}

bool Run::may_be_negative(const Value& value) {
  if (!regular::symbols_of(value.text).contains('-')) return false;
  const Lang negative = commands::blanks(context_) + context_.literal("-") + any_string();
  return !regular::disjoint(value.text, negative).yes();
}

Value Run::whole(bool is_natural) {
  const Lang digits = commands::digits(context_);
  return {is_natural ? digits : optional(context_.literal("-")) + digits, true, false};
}

Value Run::expression(const Conditional& node) {
  evaluate(node.condition);
  const Value then = evaluate(node.then);
  return then | evaluate(node.otherwise);
}

Value Run::expression(const Assign& node) {
  Value value = evaluate(node.value);
  if (node.op) value = arithmetic(*node.op, evaluate(node.target), value);
  store(node.target, value);
  return value;
}

Value Run::expression(const Increment& node) {
  const BinaryOp op = node.delta < 0 ? BinaryOp::kSubtract : BinaryOp::kAdd;
  const Value changed = arithmetic(op, evaluate(node.target), constant("1"));
  store(node.target, changed);
  return changed;  // as it was before is a number of the same kind
}

Value Run::expression(const Membership& node) {
  for (ExprId id : node.subscripts) evaluate(id);
  return truth();
}

Value Run::expression(const Grouping& node) {
  Value last = constant("");
  for (ExprId id : node.items) last = evaluate(id);
  return last;
}

Value Run::expression(const Getline& node) {
  if (node.from)
    evaluate(*node.from);
  else
    has_main_rule_ = true;  // it reads the input
  only_filters_ = false;
  if (node.target)
    store(*node.target, anything());
  else
    record_ = {any_string(), false, true};
  return number();
}

void Run::store(ExprId target, const Value& value) {
  only_filters_ = false;
  const Expr& expr = program_[ungrouped(target)];
  if (const auto* variable_node = std::get_if<Variable>(&expr.node)) {
    if (variable_node->name == "NF") {
      change_fields();
    } else {
      assign(variable_node->name, value);
    }
  } else if (const auto* element = std::get_if<Element>(&expr.node)) {
    Value key = constant("");
    for (size_t i = 0; i < element->subscripts.size(); i++) {
      const Value part = evaluate(element->subscripts[i]);
      key = i == 0 ? part
                   : Value{key.text + context_.literal("\x1c") + part.text, false,
                           key.is_opaque || part.is_opaque};
    }
    assign(keys_of(element->array), key);
    assign(elements_of(element->array), value);
  } else if (const auto* field = std::get_if<Field>(&expr.node)) {
    if (constant_index(field->index) == 0) {
      record_ = value;
      fields_are_changed_ = false;
      return;
    }
    change_fields();
  }
}

// An assignment to a field joins the fields anew with OFS: the record becomes any text.
void Run::change_fields() {
  record_ = {any_string(), false, true};
  fields_are_changed_ = true;
}

// --- functions

Value Run::expression(const Call& node) {
  if (!node.is_builtin) return call(node);
  std::vector<Value> arguments;
  for (ExprId id : node.arguments) arguments.push_back(evaluate(id));
  const std::string& name = node.function;
  if (name == "system") print_anything();
  if (name == "sprintf") return format(node.arguments);
  if ((name == "tolower" || name == "toupper") && arguments.size() == 1) {
    const auto map =
        name == "tolower" ? regular::SymbolMap::ascii_lower() : regular::SymbolMap::ascii_upper();
    const auto transducer = regular::convert_case(context_.alphabet(), map, regular::Extent::kAll);
    return {regular::image(transducer, arguments[0].text), false, arguments[0].is_opaque};
  }
  if (name == "substr" && !arguments.empty()) {
    return {star(context_.set(regular::symbols_of(arguments[0].text))), false,
            arguments[0].is_opaque};
  }
  if (name == "sub" || name == "gsub") return replace(node);
  if (name == "gensub" || name == "strftime") return anything();
  if (name == "split" || name == "patsplit") {
    if (node.arguments.size() > 1) {
      if (const auto* array = std::get_if<Variable>(&program_[node.arguments[1]].node)) {
        assign(elements_of(array->name),
               {star(context_.set(regular::symbols_of(arguments[0].text))), false,
                arguments[0].is_opaque});
        assign(keys_of(array->name), {commands::digits(context_), true, false});
      }
    }
    return natural();
  }
  if (name == "length" || name == "index" || name == "match") return natural();
  if (name == "int" && arguments.size() == 1) return whole(!may_be_negative(arguments[0]));
  return number();  // int sqrt … system close srand
}

// sub(re, text[, target]) changes its target in place.
Value Run::replace(const Call& node) {
  only_filters_ = false;
  const auto pattern = node.arguments.empty() ? std::nullopt : pattern_text(node.arguments[0]);
  const auto* text = node.arguments.size() > 1
                         ? std::get_if<String>(&program_[ungrouped(node.arguments[1])].node)
                         : nullptr;
  const Value before = node.arguments.size() > 2 ? evaluate(node.arguments[2]) : record_;
  Value after = anything();
  if (pattern && text && text->value.find_first_of("&\\") == std::string::npos) {
    if (auto regex = regular::parse_awk(*pattern)) {
      if (auto prepared = regular::match_pattern(context_, *regex)) {
        const bool is_global = node.function == "gsub";
        const auto transducer = regular::translate_match(
            *prepared, regular::replacement_text(text->value), {1, is_global});
        after = {regular::image(transducer, before.text), false, before.is_opaque};
      }
    }
  }
  if (node.arguments.size() <= 2)
    record_ = after;
  else
    store(ungrouped(node.arguments[2]), after);
  return number();
}

Value Run::call(const Call& node) {
  for (const Function& function : program_.functions) {
    if (function.name != node.function || call_depth_ >= kMaxCallDepth) continue;
    for (size_t i = 0; i < node.arguments.size() && i < function.parameters.size(); i++) {
      assign(function.parameters[i], evaluate(node.arguments[i]));
    }
    call_depth_++;
    const auto outer = std::exchange(returned_, std::nullopt);
    execute(function.body);
    Value result = returned_.value_or(constant(""));
    returned_ = outer;
    call_depth_--;
    return result | constant("");
  }
  return anything();
}

}  // namespace nacre::awk
