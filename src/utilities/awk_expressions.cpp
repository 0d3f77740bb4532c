// Variables and expressions of a running awk program.
#include <cmath>
#include <fmt/format.h>

#include "utilities/awk_interpreter.h"
#include "utilities/awk_level.h"

namespace nacre::utilities {
namespace {

constexpr size_t kMaxTextBytes = size_t{64} << 20;
constexpr double kMaxField = 10'000'000;

}  // namespace

AwkCell& AwkInterpreter::cell(const std::string& name) {
  if (!frames_.empty()) {
    Frame& frame = frames_.back();
    for (size_t i = 0; i < frame.cells.size(); ++i) {
      if (frame.function->parameters[i] == name) return frame.cells[i];
    }
  }
  return globals_[name];
}

AwkArray& AwkInterpreter::array_in(AwkCell& cell) {
  if (cell.array == nullptr) {
    if (!cell.value.is_unset()) fatal("a scalar is used as an array");
    if (cell.passed_from != nullptr) {
      array_in(*cell.passed_from);
      cell.array = cell.passed_from->array;
    } else {
      cell.array = std::make_shared<AwkArray>(held_);
    }
  }
  return *cell.array;
}

void AwkInterpreter::set_element(AwkArray& array, const std::string& key, AwkValue value) {
  constexpr size_t kMuch = size_t{1} << 20;
  array.set(key, std::move(value));
  if (held_ < reported_ + kMuch) return;
  reported_ = held_;
  context_.holds(held_);
}

AwkArray& AwkInterpreter::array(const std::string& name) { return array_in(cell(name)); }

AwkArray& AwkInterpreter::array_of(awk::ExprId id) {
  const auto* variable = std::get_if<awk::Variable>(&program_[id].node);
  if (variable == nullptr) fatal("an array is needed here");
  return array(variable->name);
}

AwkValue AwkInterpreter::load(AwkCell& cell) {
  if (&cell == nf_) return AwkValue::number(static_cast<double>(record_.field_count()));
  if (cell.array != nullptr) fatal("an array is used as a scalar");
  return cell.value;
}

void AwkInterpreter::store(AwkCell& cell, AwkValue value) {
  if (cell.array != nullptr) fatal("an array is used as a scalar");
  if (&cell == nf_) {
    record_.set_field_count(field_index(value.to_number()));
    return;
  }
  // A record that was changed is joined by the OFS of its time.
  if (&cell == ofs_ && record_.needs_join()) field(0);
  cell.value = std::move(value);
  if (&cell == convfmt_) number_format_ = cell.value.to_text("%.6g");
}

size_t AwkInterpreter::field_index(double number) {
  if (number < 0) fatal(fmt::format("attempt to access field {}", number));
  if (number > kMaxField) fatal(fmt::format("field {} is beyond the limit", number));
  return static_cast<size_t>(number);
}

AwkValue AwkInterpreter::field(size_t number) {
  if (number == 0 && record_.needs_join()) record_.join(set_text(ofs_), number_format_);
  return record_.field(number);
}

void AwkInterpreter::set_field(size_t number, AwkValue value) {
  if (number == 0) {
    set_record(text(value));
  } else {
    record_.set_field(number, std::move(value));
  }
}

std::string AwkInterpreter::key_of(const awk::Exprs& subscripts) {
  std::string key;
  for (size_t i = 0; i < subscripts.size(); ++i) {
    if (i > 0) key += set_text(subsep_);
    key += text(subscripts[i]);
  }
  return key;
}

AwkInterpreter::Place AwkInterpreter::place_of(awk::ExprId target) {
  Place place;
  const auto& node = program_[target].node;
  if (const auto* variable = std::get_if<awk::Variable>(&node)) {
    place.cell = &cell(variable->name);
  } else if (const auto* element = std::get_if<awk::Element>(&node)) {
    place.array = &array(element->array);
    place.key = key_of(element->subscripts);
  } else if (const auto* field = std::get_if<awk::Field>(&node)) {
    place.field = field_index(evaluate(field->index).to_number());
  } else if (const auto* group = std::get_if<awk::Grouping>(&node);
             group && !group->items.empty()) {
    return place_of(group->items[0]);
  } else {
    fatal("this cannot be assigned to");
  }
  return place;
}

AwkValue AwkInterpreter::load(const Place& place) {
  if (place.cell != nullptr) return load(*place.cell);
  return place.array != nullptr ? place.array->get(place.key) : field(place.field);
}

void AwkInterpreter::store(const Place& place, AwkValue value) {
  if (place.cell != nullptr) {
    store(*place.cell, std::move(value));
  } else if (place.array != nullptr) {
    set_element(*place.array, place.key, std::move(value));
  } else {
    set_field(place.field, std::move(value));
  }
}

AwkValue AwkInterpreter::evaluate(awk::ExprId id) {
  Level level(*this);
  return std::visit([&](const auto& node) { return expression(node); }, program_[id].node);
}

const Regex& AwkInterpreter::pattern(awk::ExprId id) {
  if (const auto* regex = std::get_if<awk::Regex>(&program_[id].node)) {
    return compiled(regex->source);
  }
  return compiled(text(id));
}

AwkValue AwkInterpreter::expression(const awk::Regex& node) {
  return AwkValue::truth(compiled(node.source).matches(text(field(0))));
}

AwkValue AwkInterpreter::expression(const awk::Variable& node) { return load(cell(node.name)); }

AwkValue AwkInterpreter::expression(const awk::Field& node) {
  return field(field_index(evaluate(node.index).to_number()));
}

AwkValue AwkInterpreter::expression(const awk::Element& node) {
  std::string key = key_of(node.subscripts);
  return array(node.array).get(key);
}

AwkValue AwkInterpreter::expression(const awk::Unary& node) {
  AwkValue value = evaluate(node.operand);
  switch (node.op) {
    case awk::UnaryOp::kNot: return AwkValue::truth(!value.is_true());
    case awk::UnaryOp::kMinus: return AwkValue::number(-value.to_number());
    case awk::UnaryOp::kPlus: return AwkValue::number(value.to_number());
  }
  return value;
}

AwkValue AwkInterpreter::concatenated(const awk::Binary& node) {
  std::string result = text(node.left);
  result += text(node.right);
  if (result.size() > kMaxTextBytes) fatal("a string is longer than 64 MB");
  constexpr size_t kBytesPerStep = 256;
  spend(result.size() / kBytesPerStep);
  return AwkValue::string(std::move(result));
}

AwkValue AwkInterpreter::expression(const awk::Binary& node) {
  using Op = awk::BinaryOp;
  switch (node.op) {
    case Op::kAnd:
      return AwkValue::truth(evaluate(node.left).is_true() && evaluate(node.right).is_true());
    case Op::kOr:
      return AwkValue::truth(evaluate(node.left).is_true() || evaluate(node.right).is_true());
    case Op::kMatch:
    case Op::kNotMatch: {
      std::string subject = text(node.left);
      return AwkValue::truth(pattern(node.right).matches(subject) == (node.op == Op::kMatch));
    }
    case Op::kConcat: return concatenated(node);
    default: break;
  }
  AwkValue left = evaluate(node.left);
  return binary(node.op, left, evaluate(node.right));
}

AwkValue AwkInterpreter::binary(awk::BinaryOp op, const AwkValue& left, const AwkValue& right) {
  using Op = awk::BinaryOp;
  auto compared = [&] { return compare(left, right, number_format_); };
  auto divisor = [&] {
    double value = right.to_number();
    if (value == 0) fatal("division by zero attempted");
    return value;
  };
  switch (op) {
    case Op::kAdd: return AwkValue::number(left.to_number() + right.to_number());
    case Op::kSubtract: return AwkValue::number(left.to_number() - right.to_number());
    case Op::kMultiply: return AwkValue::number(left.to_number() * right.to_number());
    case Op::kDivide: return AwkValue::number(left.to_number() / divisor());
    case Op::kModulo: return AwkValue::number(std::fmod(left.to_number(), divisor()));
    case Op::kPower: return AwkValue::number(std::pow(left.to_number(), right.to_number()));
    case Op::kLess: return AwkValue::truth(compared() < 0);
    case Op::kLessEqual: return AwkValue::truth(compared() <= 0);
    case Op::kEqual: return AwkValue::truth(compared() == 0);
    case Op::kNotEqual: return AwkValue::truth(compared() != 0);
    case Op::kGreater: return AwkValue::truth(compared() > 0);
    case Op::kGreaterEqual: return AwkValue::truth(compared() >= 0);
    default: fatal("an operator that is no assignment's");
  }
}

AwkValue AwkInterpreter::expression(const awk::Conditional& node) {
  return evaluate(evaluate(node.condition).is_true() ? node.then : node.otherwise);
}

AwkValue AwkInterpreter::expression(const awk::Assign& node) {
  AwkValue value = evaluate(node.value);  // before the subscripts of the target, as in gawk
  Place place = place_of(node.target);
  if (node.op) value = binary(*node.op, load(place), value);
  store(place, value);
  return value;
}

AwkValue AwkInterpreter::expression(const awk::Increment& node) {
  Place place = place_of(node.target);
  double before = load(place).to_number();
  store(place, AwkValue::number(before + node.delta));
  return AwkValue::number(node.is_prefix ? before + node.delta : before);
}

AwkValue AwkInterpreter::expression(const awk::Membership& node) {
  std::string key = key_of(node.subscripts);
  return AwkValue::truth(array(node.array).has(key));
}

AwkValue AwkInterpreter::expression(const awk::Grouping& node) {
  if (node.items.size() == 1) return evaluate(node.items[0]);
  return AwkValue::string(key_of(node.items));
}

AwkValue AwkInterpreter::expression(const awk::Call& node) {
  return node.is_builtin ? call_builtin(node) : call_function(node);
}

const awk::Function* AwkInterpreter::find_function(const std::string& name) const {
  auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second;
}

AwkValue AwkInterpreter::call_function(const awk::Call& node) {
  const awk::Function* function = find_function(node.function);
  if (function == nullptr) fatal(fmt::format("function '{}' is not defined", node.function));
  if (node.arguments.size() > function->parameters.size()) {
    fatal(fmt::format("function '{}' is called with too many arguments", node.function));
  }
  Frame frame{function, std::vector<AwkCell>(function->parameters.size())};
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    const auto* variable = std::get_if<awk::Variable>(&program_[node.arguments[i]].node);
    AwkCell* passed = variable == nullptr ? nullptr : &cell(variable->name);
    if (passed != nullptr && passed->array != nullptr) {
      frame.cells[i].array = passed->array;
    } else {
      frame.cells[i].value = evaluate(node.arguments[i]);
      if (passed != nullptr && passed->value.is_unset()) frame.cells[i].passed_from = passed;
    }
  }
  frames_.push_back(std::move(frame));
  struct Leaving {
    std::deque<Frame>& frames;
    ~Leaving() { frames.pop_back(); }
  } leaving{frames_};
  returned_ = AwkValue();
  Flow flow = execute(function->body);
  if (flow != Flow::kNormal && flow != Flow::kReturn) throw Leave{flow};
  return std::exchange(returned_, AwkValue());
}

}  // namespace nacre::utilities
