// $((...)): the expression is evaluated as it was parsed where its parts are plain numbers;
// otherwise its text is expanded, parsed and evaluated.
#include <fmt/format.h>

#include "machine/arithmetic.h"
#include "machine/machine.h"

namespace nacre::machine {

namespace {

class MachineBindings final : public Bindings {
 public:
  explicit MachineBindings(Machine& machine) : machine_(machine) {}

  Result<const std::string*> lookup(NameId name) override {
    const std::string* value = machine_.state.variables.get(name);
    if (value == nullptr) value = machine_.dynamic_value(name, computed_);
    return checked(name, value);
  }
  Result<int> assign(NameId name, std::string_view value) override {
    if (!machine_.assign(name, value)) return fail({}, "");
    return 0;
  }

  [[nodiscard]] bool has_arrays() const override { return machine_.is_bash(); }
  [[nodiscard]] bool is_associative(NameId name) override {
    NameId meant = machine_.state.variables.referent(name);
    return meant != kNoName && machine_.state.variables.at(meant).is_associative();
  }
  Result<const std::string*> lookup(NameId name, const Key& key) override {
    Place place;
    place.kind = Place::Kind::kElement;
    place.name = name;
    place.key = key;
    return checked(name, machine_.value_at(place, computed_));
  }
  Result<int> assign(NameId name, const Key& key, std::string_view value) override {
    if (!machine_.assign_element(name, key, value)) return fail({}, "");
    return 0;
  }

 private:
  Result<const std::string*> checked(NameId name, const std::string* value) {
    if (value == nullptr && machine_.state.options.has(Option::kNoUnset)) {
      return fail({}, fmt::format("{}: {}", machine_.names().text(name),
                                  machine_.is_bash() ? "unbound variable" : "parameter not set"));
    }
    return value;
  }

  Machine& machine_;
  std::string computed_;  // LINENO, RANDOM
};

// A number that means the same as text and as a value: digits without a leading zero.
bool plain_number(const std::string& text, int64_t& value) {
  size_t sign = !text.empty() && text[0] == '-' ? 1 : 0;
  size_t digits = text.size() - sign;
  if (digits == 0 || digits > 18 || (text[sign] == '0' && digits > 1)) return false;
  int64_t total = 0;
  for (size_t i = sign; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    total = total * 10 + (text[i] - '0');
  }
  value = sign != 0 ? -total : total;
  return true;
}

// The parameters of a tree that was parsed in advance: false if one is not a plain number.
bool fill_slots(Machine& machine, std::span<const Parameter* const> parameters, int64_t* slots) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = *parameters[i];
    std::string scratch;
    const std::string* value = nullptr;
    if (parameter.kind == ParameterKind::kVariable) {
      value = machine.state.variables.get(parameter.name);
    } else if (auto place = machine.place_of(parameter, "")) {
      value = machine.value_at(*place, scratch);
    }
    if (value == nullptr || !plain_number(*value, slots[i])) return false;
  }
  return true;
}

// What the evaluation complains about has no text of its own: bash shows the divisor.
std::string arithmetic_error(const Machine& machine, std::string_view expression,
                             const std::string& message) {
  if (!machine.is_bash() || message.find("division by zero") == std::string::npos) return message;
  while (!expression.empty() && expression.front() == ' ') expression.remove_prefix(1);
  size_t at = expression.find_last_of("/%");
  std::string_view divisor = at == std::string_view::npos ? expression : expression.substr(at + 1);
  while (!divisor.empty() && (divisor.front() == ' ' || divisor.front() == '='))
    divisor.remove_prefix(1);
  return fmt::format("{}: division by 0 (error token is \"{}\")", expression, divisor);
}

}  // namespace

std::optional<int64_t> Machine::evaluate_text(std::string_view expression) {
  shell::Arena arena;
  MachineBindings bindings(*this);
  auto parsed = parse_arithmetic(expression, names(), arena, is_bash());
  Result<int64_t> value = parsed ? evaluate(**parsed, bindings, names())
                                 : Result<int64_t>(tl::unexpected<Error>(parsed.error()));
  if (value) return *value;
  std::string_view command;
  if (is_bash() && !frames.empty()) {
    const auto* simple = frames.back().get<SimpleFrame>();
    bool is_let = simple != nullptr && simple->builtin != nullptr && simple->builtin->name == "let";
    command = frames.back().is<ConditionalFrame>()  ? "[[: "
              : frames.back().is<ArithmeticFrame>() ? "((: "
              : is_let                              ? "let: "
                                                    : "";
  }
  expansion_error(
      fmt::format("{}{}", command, arithmetic_error(*this, expression, value.error().message)));
  return std::nullopt;
}

bool Machine::finish_arithmetic(const Part& part, std::string_view expression) {
  std::optional<int64_t> value = evaluate_text(expression);
  if (!value) return false;
  fmt::format_int digits(*value);
  append({digits.data(), digits.size()}, part.region);
  return true;
}

bool Machine::expand_arithmetic(const Part& part) {
  constexpr size_t kMaxSlots = 16;
  int64_t slots[kMaxSlots];
  bool is_known = part.expression != nullptr && part.slots.size() <= kMaxSlots && !fine_steps;
  for (NameId name : part.arrays) is_known = is_known && !state.variables.at(name).is_associative();
  if (is_known && fill_slots(*this, part.slots, slots)) {
    MachineBindings bindings(*this);
    auto value = evaluate(*part.expression, bindings, names(), {slots, part.slots.size()});
    if (!value) {
      std::string_view inside = part.expression_word->written;
      expansion_error(arithmetic_error(*this, inside, value.error().message));
      return false;
    }
    fmt::format_int digits(*value);
    append({digits.data(), digits.size()}, part.region);
    return true;
  }
  size_t text_base = text.size();
  if (part.expression_word->is_inline && !fine_steps) {
    return expand_word(*part.expression_word, ExpandMode::kString) &&
           finish_arithmetic(part, take_text(text_base));
  }
  push(ParameterFrame{.key_end = text_base, .part = &part});
  expand_word(*part.expression_word, ExpandMode::kString);
  return false;
}

}  // namespace nacre::machine
