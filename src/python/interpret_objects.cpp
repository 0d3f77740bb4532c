// Classes: making instances, and reading and setting their attributes.
#include <algorithm>
#include <fmt/core.h>
#include <utility>

#include "python/interpreter.h"

namespace nacre::python {

// ---- making instances

void Interpreter::construct(uint32_t cls, Actuals actuals, Span span, State state,
                            Evaluations& out) {
  const ClassFacts& facts = program_.classes()[cls];
  const Function* constructor = program_.method(cls, "__init__");
  using ClassKind = ClassFacts::Kind;
  if (facts.kind == ClassKind::kEnum)
    return construct_enum(cls, actuals, span, std::move(state), out);
  if (facts.kind == ClassKind::kException) return out.push_back({std::move(state), {Unknown{}}});
  if (facts.kind == ClassKind::kTypedDict) {
    Dict dict;
    for (auto& [name, value] : actuals.named) {
      dict.keys.push_back({domain_.constant_text(state, program_.letters().word(name))});
      dict.values.push_back(value);
    }
    Value made = actuals.positional.empty() ? state.allocate({std::move(dict)})
                                            : unknown(span, "this way to make a dictionary");
    return out.push_back({std::move(state), std::move(made)});
  }
  if (constructor == nullptr &&
      (facts.kind == ClassKind::kData || facts.kind == ClassKind::kNamedTuple))
    return construct_fields(cls, std::move(actuals), span, std::move(state), out);
  if (constructor == nullptr && facts.has_unknown_base)
    return out.push_back(
        {std::move(state), unknown(span, "the constructor of '" + facts.name + "'")});
  Value self = state.allocate({Instance{cls, std::vector<Value>(facts.fields.size())}});
  if (constructor == nullptr) {
    if (!actuals.positional.empty() || !actuals.named.empty())
      return raise(std::move(state), "TypeError", facts.name + "() takes no arguments", span);
    return out.push_back({std::move(state), std::move(self)});
  }
  actuals.positional.insert(actuals.positional.begin(), self);
  if (!actuals.places.empty()) actuals.places.insert(actuals.places.begin(), actuals.places[0]);
  Evaluations results;
  state.stack.push_back(self);
  call_function(*constructor, std::move(actuals), span, std::move(state), results);
  for (Evaluated& result : results) {
    Value made = std::move(result.state.stack.back());
    result.state.stack.pop_back();
    out.push_back({std::move(result.state), std::move(made)});
  }
}

// Dataclasses and named tuples: an argument for each annotated variable of the class.
void Interpreter::construct_fields(uint32_t cls, Actuals actuals, Span span, State state,
                                   Evaluations& out) {
  const ClassFacts& facts = program_.classes()[cls];
  const std::vector<const ClassVariable*> fields = program_.definitions().constructor_fields(cls);
  if (actuals.is_open)
    return out.push_back(
        {std::move(state), unknown(span, "this way to call '" + facts.name + "'")});
  if (actuals.positional.size() > fields.size())
    return raise(std::move(state), "TypeError", "too many arguments for " + facts.name + "()",
                 span);
  Instance instance{cls, std::vector<Value>(facts.fields.size())};
  std::vector<Value> values(fields.size());
  std::vector<Span> places(fields.size(), span);
  std::vector<Optional> exprs(fields.size());
  for (size_t i = 0; i < fields.size(); ++i) {
    std::optional<size_t> place;
    if (i < actuals.positional.size()) {
      values[i] = actuals.positional[i];
      place = i;
    }
    for (size_t k = 0; k < actuals.named.size(); ++k) {
      if (actuals.named[k].first != fields[i]->name) continue;
      values[i] = actuals.named[k].second;
      place = actuals.positional.size() + k;
    }
    if (place && *place < actuals.places.size()) {
      exprs[i] = actuals.places[*place];
      places[i] = tree_[*exprs[i]].span;
    }
    if (values[i].as<Unbound>() == nullptr) continue;
    if (!fields[i]->value)
      return raise(std::move(state), "TypeError",
                   fmt::format("{}() needs the argument '{}'", facts.name, fields[i]->name), span);
    values[i] = default_value(*fields[i]->value, state);
  }
  States checked;
  checked.push_back(std::move(state));
  for (size_t i = 0; i < fields.size(); ++i) {
    States next;
    const Type type = program_.type(*fields[i]->annotation);
    for (State& one : checked)
      append(next, check_type(std::move(one), values[i], type, FailureKind::kArgument, places[i],
                              exprs[i]));
    checked.swap(next);
  }
  for (State& one : checked) {
    for (size_t i = 0; i < fields.size(); ++i) {
      if (std::optional<size_t> at = facts.field(fields[i]->name))
        instance.fields[*at] = one.resolve(values[i]);
    }
    Value self = one.allocate({instance});
    const Function* then = program_.method(cls, "__post_init__");
    if (then == nullptr || facts.kind != ClassFacts::Kind::kData) {
      out.push_back({std::move(one), std::move(self)});
      continue;
    }
    Actuals only_self;
    only_self.positional = {self};
    one.stack.push_back(self);
    Evaluations results;
    call_function(*then, std::move(only_self), span, std::move(one), results);
    for (Evaluated& result : results) {
      Value made = std::move(result.state.stack.back());
      result.state.stack.pop_back();
      out.push_back({std::move(result.state), std::move(made)});
    }
  }
}

std::vector<const ClassVariable*> Interpreter::members(uint32_t cls) const {
  std::vector<const ClassVariable*> out;
  for (const ClassVariable& variable : program_.classes()[cls].variables) {
    if (variable.value && !variable.name.starts_with("_")) out.push_back(&variable);
  }
  return out;
}

// The member with this value.
void Interpreter::construct_enum(uint32_t cls, const Actuals& actuals, Span span, State state,
                                 Evaluations& out) {
  if (actuals.positional.size() != 1 || !actuals.named.empty())
    return out.push_back({std::move(state), unknown(span, "this way to make an enumeration")});
  const std::vector<const ClassVariable*> all = members(cls);
  state.stack.push_back(actuals.positional[0]);
  States open;
  open.push_back(std::move(state));
  for (uint32_t i = 0; i < all.size(); ++i) {
    States next;
    for (State& one : open) {
      for (Evaluated& value : evaluate_statically(*all[i]->value, std::move(one))) {
        const Value wanted = value.state.stack.back();
        Split split = equal(std::move(value.state), wanted, value.value);
        for (State& yes : split.yes) {
          yes.stack.pop_back();
          out.push_back({std::move(yes), {EnumMember{cls, i}}});
        }
        append(next, std::move(split.no));
      }
    }
    open.swap(next);
  }
  for (State& none : open) {
    none.stack.pop_back();
    raise(std::move(none), "ValueError",
          "no member of " + program_.classes()[cls].name + " has this value", span);
  }
}

// ---- attributes

Evaluations Interpreter::evaluate_attribute(const Attribute& attribute, Span span, State state) {
  Evaluations out;
  if (std::optional<std::string> module = dotted_name(attribute.value)) {
    const std::string name = *module + "." + attribute.name;
    if (std::optional<Value> value = library_value(name, state))
      out.push_back({std::move(state), std::move(*value)});
    else
      out.push_back({std::move(state), {Callable{0, {}, name}}});
    return out;
  }
  for (Evaluated& subject : evaluate(attribute.value, std::move(state)))
    attribute_of(std::move(subject.state), subject.value, attribute.name, span, out);
  return out;
}

void Interpreter::attribute_of(State state, const Value& subject, const std::string& name,
                               Span span, Evaluations& out) {
  auto give = [&](Value value) { out.push_back({std::move(state), std::move(value)}); };
  const Value& content = state.deref(subject);
  if (const auto* instance = content.as<Instance>()) {
    const ClassFacts& facts = program_.classes()[instance->cls];
    if (std::optional<size_t> field = facts.field(name)) {
      const Value value = instance->fields[*field];
      if (value.as<Unbound>() == nullptr) return give(value);
    }
    if (const Function* method = program_.method(instance->cls, name)) {
      const Binding binding = method->facts->binding;
      if (method->facts->has_unknown_decorator)
        return give(unknown(span, "the decorated method '" + name + "'"));
      if (binding == Binding::kProperty) {
        Actuals actuals;
        actuals.positional = {subject};
        return call_function(*method, std::move(actuals), span, std::move(state), out);
      }
      std::vector<Value> self;
      if (binding == Binding::kMethod) self = {subject};
      if (binding == Binding::kClassMethod) self = {Value{ClassObject{instance->cls}}};
      return give({Callable{method->index, std::move(self), ""}});
    }
    if (program_.definitions().variable(instance->cls, name) != nullptr || facts.has_unknown_base)
      return class_attribute(std::move(state), instance->cls, name, span, out);
    if (name.starts_with("__")) return give(unknown(span, "the attribute '" + name + "'"));
    return raise(std::move(state), "AttributeError",
                 fmt::format("'{}' has no attribute '{}'", facts.name, name), span);
  }
  if (const auto* cls = content.as<ClassObject>())
    return class_attribute(std::move(state), cls->cls, name, span, out);
  if (const auto* member = content.as<EnumMember>()) {
    const ClassVariable& variable = *members(member->cls)[member->index];
    if (name == "value") {
      for (Evaluated& value : evaluate_statically(*variable.value, std::move(state)))
        out.push_back(std::move(value));
      return;
    }
    if (name == "name")
      return give({domain_.constant_text(state, program_.letters().word(variable.name))});
    if (const Function* method = program_.method(member->cls, name)) {
      if (method->facts->binding == Binding::kProperty) {
        Actuals actuals;
        actuals.positional = {subject};
        return call_function(*method, std::move(actuals), span, std::move(state), out);
      }
      return give({Callable{method->index, {subject}, ""}});
    }
  }
  if (content.as<NoneValue>() != nullptr)
    return raise(std::move(state), "AttributeError", "None has no attribute '" + name + "'", span);
  if (const auto* kept = content.as<Typed>();
      kept != nullptr && kept->type->kind == Type::Kind::kLibrary) {
    const Type type = *kept->type;
    if (is_library(type, LibraryClass::kPath) ? path_attribute(name, state, type.words, out)
                                              : date_attribute(name, state, type, out))
      return;
  }
  give(unknown(span, "the attribute '" + name + "'"));
}

void Interpreter::class_attribute(State state, uint32_t cls, const std::string& name, Span span,
                                  Evaluations& out) {
  const ClassFacts& facts = program_.classes()[cls];
  if (facts.kind == ClassFacts::Kind::kEnum) {
    const std::vector<const ClassVariable*> all = members(cls);
    for (uint32_t i = 0; i < all.size(); ++i) {
      if (all[i]->name == name) return out.push_back({std::move(state), {EnumMember{cls, i}}});
    }
  }
  if (const Function* method = program_.method(cls, name)) {
    std::vector<Value> self;
    if (method->facts->binding == Binding::kClassMethod) self = {Value{ClassObject{cls}}};
    Value callable = method->facts->has_unknown_decorator
                         ? unknown(span, "the decorated method '" + name + "'")
                         : Value{Callable{method->index, std::move(self), ""}};
    return out.push_back({std::move(state), std::move(callable)});
  }
  const ClassVariable* variable = program_.definitions().variable(cls, name);
  if (variable == nullptr || !variable->value) {
    if (name == "__name__") {
      Text text = domain_.constant_text(state, program_.letters().word(facts.name));
      return out.push_back({std::move(state), {std::move(text)}});
    }
    return out.push_back({std::move(state), unknown(span, "the attribute '" + name + "'")});
  }
  const Type declared = variable->annotation ? program_.type(*variable->annotation) : Type{};
  const bool may_change = program_.definitions().is_changed_field(name) ||
                          (declared.is_container() && program_.definitions().changes_containers());
  if (may_change) {
    if (declared.is_any())
      return out.push_back({std::move(state), unknown(span, "the attribute '" + name + "'")});
    return instantiate_item(std::move(state), declared, out);
  }
  for (Evaluated& value : evaluate_statically(*variable->value, std::move(state)))
    out.push_back(std::move(value));
}

void Interpreter::set_attribute(State state, const Value& object, const std::string& name,
                                const Value& value, Span span, States& out) {
  const auto* ref = object.as<Ref>();
  const auto* instance = ref != nullptr ? state.heap[ref->cell].value.as<Instance>() : nullptr;
  if (instance == nullptr) {
    if (object.as<NoneValue>() != nullptr)
      return raise(std::move(state), "AttributeError", "None has no attribute '" + name + "'",
                   span);
    if (object.as<Unknown>() == nullptr || frame_.function->is_typed)
      unknown(span, "an assignment to an attribute of this value");
    return out.push_back(std::move(state));
  }
  const uint32_t cls = instance->cls;
  const ClassFacts& facts = program_.classes()[cls];
  std::optional<size_t> field = facts.field(name);
  std::optional<Type> type = program_.field_type(cls, name);
  if (!field || program_.method(cls, name) != nullptr) {
    unknown(span, "an assignment to the attribute '" + name + "'");
    return out.push_back(std::move(state));
  }
  const uint32_t cell = ref->cell;
  for (State& good :
       check_type(std::move(state), value, type.value_or(Type{}), FailureKind::kVariable, span)) {
    std::get<Instance>(good.heap[cell].value.data).fields[*field] = good.resolve(value);
    out.push_back(std::move(good));
  }
}

// The value of an expression that stands in the module or in a class: names mean what they mean
// there.
Evaluations Interpreter::evaluate_statically(ExprId expr, State state) {
  Evaluations out;
  constexpr size_t kMaxStatics = 20;
  if (statics_ > kMaxStatics) {
    out.push_back(
        {std::move(state), unknown(tree_[expr].span, "a value defined by too many others")});
    return out;
  }
  ++statics_;
  const Frame caller = frame_;
  const size_t base = state.slots.size();
  const Function& module = program_.module();
  state.slots.resize(base + module.scope->size());
  frame_ = {&module, base, true};
  frames_.push_back(frame_);
  out = evaluate(expr, std::move(state));
  frames_.pop_back();
  frame_ = caller;
  --statics_;
  for (Evaluated& result : out) result.state.slots.resize(base);
  return out;
}

}  // namespace nacre::python
