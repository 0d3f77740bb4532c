// Calls: of functions of the file, of classes, methods and values; isinstance().
#include <algorithm>
#include <utility>

#include "python/canonical.h"
#include "python/interpreter.h"

namespace nacre::python {

// ---- who is called

Evaluations Interpreter::evaluate_call(ExprId id, const Call& call, Span span, State state) {
  Evaluations out;
  if (const auto* attribute = tree_.get<Attribute>(call.function))
    return call_attribute(call, *attribute, span, std::move(state));
  const auto* name = tree_.get<Name>(call.function);
  if (name != nullptr && !slot_of(name->id)) {
    if (is_builtin_name(name->id)) {
      bool is_known = true;
      const size_t raised = raised_->size() + outcome_.failures.size();
      out = call_builtin(name->id, call, span, state, is_known);
      note_lazy(name->id == "map" || name->id == "filter", id, raised);
      if (is_known) return out;
      out.clear();
    }
    if (std::optional<std::string> library = program_.definitions().imported(name->id)) {
      if (library->starts_with("re.") && !call.args.empty()) {
        if (std::optional<ExprId> place = program_.pattern_place(call.args[0])) {
          evaluate_actuals(call, std::move(state), [&](State here, Actuals actuals) {
            if (!actuals.positional.empty()) actuals.positional.erase(actuals.positional.begin());
            for (Evaluated& one :
                 call_regex(library->substr(3), *place, actuals, span, std::move(here)))
              out.push_back(std::move(one));
          });
          return out;
        }
      }
    }
  }
  for (Evaluated& callee : evaluate(call.function, std::move(state))) {
    callee.state.stack.push_back(std::move(callee.value));
    evaluate_actuals(call, std::move(callee.state), [&](State here, Actuals actuals) {
      Value value = std::move(here.stack.back());
      here.stack.pop_back();
      call_value(value, std::move(actuals), span, std::move(here), out);
    });
  }
  return out;
}

// `module.function`, if its first part is an imported module.
std::optional<std::string> Interpreter::dotted_name(ExprId expr) const {
  if (const auto* attribute = tree_.get<Attribute>(expr)) {
    std::optional<std::string> before = dotted_name(attribute->value);
    return before ? std::optional(*before + "." + attribute->name) : std::nullopt;
  }
  const auto* name = tree_.get<Name>(expr);
  if (name == nullptr || slot_of(name->id)) return std::nullopt;
  if (std::optional<std::string> imported = program_.definitions().imported(name->id))
    return imported;
  if (program_.definitions().bindings(name->id) > 0) return std::nullopt;
  constexpr std::string_view kTypes[] = {"str", "int", "dict", "bytes", "list", "set"};
  if (std::find(std::begin(kTypes), std::end(kTypes), name->id) != std::end(kTypes))
    return name->id;
  if (name->id == "re") return name->id;
  return std::nullopt;
}

Evaluations Interpreter::call_attribute(const Call& call, const Attribute& attribute, Span span,
                                        State state) {
  Evaluations out;
  if (std::optional<std::string> module = dotted_name(attribute.value)) {
    const std::string name = *module + "." + attribute.name;
    std::optional<ExprId> place =
        *module == "re" && !call.args.empty() ? program_.pattern_place(call.args[0]) : std::nullopt;
    evaluate_actuals(call, std::move(state), [&](State here, Actuals actuals) {
      if (place) {
        actuals.positional.erase(actuals.positional.begin());
        for (Evaluated& one : call_regex(attribute.name, *place, actuals, span, std::move(here)))
          out.push_back(std::move(one));
        return;
      }
      call_value({Callable{0, {}, name}}, std::move(actuals), span, std::move(here), out);
    });
    return out;
  }
  // T.parse(text): the text itself, or ValueError.
  const auto* alias = tree_.get<Name>(attribute.value);
  std::optional<Type> wanted =
      alias != nullptr && attribute.name == "parse" && call.args.size() == 1
          ? program_.alias(alias->id)
          : std::nullopt;
  if (wanted && has_language(*wanted)) {
    for (Evaluated& value : evaluate(call.args[0], std::move(state))) {
      const Value kept = value.value;
      Split split = fits(std::move(value.state), kept, *wanted, span);
      for (State& good : split.yes) out.push_back({std::move(good), kept});
      for (State& bad : split.no) {
        raise(std::move(bad), "ValueError", "the string is not of the type", span);
        raised_->back().is_declared = frame_.function->facts->binding != Binding::kModule;
      }
    }
    return out;
  }
  // super().method(...)
  const auto* inner = tree_.get<Call>(attribute.value);
  const auto* super = inner != nullptr ? tree_.get<Name>(inner->function) : nullptr;
  const Function* around = frame_.function;
  if (super != nullptr && super->id == "super" && around->facts->cls && is_builtin_name("super") &&
      !around->parameters.empty()) {
    const Function* method = program_.method(*around->facts->cls, attribute.name, 1);
    evaluate_actuals(call, std::move(state), [&](State here, Actuals actuals) {
      if (method == nullptr) {
        const bool is_plain = attribute.name == "__init__" &&
                              !program_.classes()[*around->facts->cls].has_unknown_base;
        Value result = is_plain ? Value{NoneValue{}} : unknown(span, "this call of super()");
        return out.push_back({std::move(here), std::move(result)});
      }
      if (method->facts->binding != Binding::kStaticMethod) {
        actuals.positional.insert(actuals.positional.begin(), here.slots[frame_.base]);
        if (!actuals.places.empty())
          actuals.places.insert(actuals.places.begin(), actuals.places[0]);
      }
      call_function(*method, std::move(actuals), span, std::move(here), out);
    });
    return out;
  }
  for (Evaluated& subject : evaluate(attribute.value, std::move(state))) {
    subject.state.stack.push_back(std::move(subject.value));
    evaluate_actuals(call, std::move(subject.state), [&](State here, Actuals actuals) {
      const Value object = std::move(here.stack.back());
      here.stack.pop_back();
      const Value content = here.deref(object);
      if (content.as<Instance>() != nullptr || content.as<ClassObject>() != nullptr ||
          content.as<EnumMember>() != nullptr) {
        const size_t base = here.stack.size();
        for (Value& value : actuals.positional) here.stack.push_back(std::move(value));
        for (auto& [name, value] : actuals.named) here.stack.push_back(std::move(value));
        Evaluations callees;
        attribute_of(std::move(here), object, attribute.name, span, callees);
        for (Evaluated& callee : callees) {
          Actuals again = actuals;
          size_t at = base;
          for (Value& value : again.positional) value = callee.state.stack[at++];
          for (auto& [name, value] : again.named) value = callee.state.stack[at++];
          callee.state.stack.resize(base);
          const auto* made = callee.value.as<Callable>();
          if (made == nullptr && content.as<Instance>() != nullptr &&
              callee.value.as<Unknown>() == nullptr && attribute.name == "_replace") {
            out.push_back({std::move(callee.state), unknown(span, "_replace()")});
            continue;
          }
          call_value(callee.value, std::move(again), span, std::move(callee.state), out);
        }
        return;
      }
      if (const auto* match = content.as<MatchObject>())
        return match_method(attribute.name, span, std::move(here), *match, actuals, out);
      if (const auto* pattern = content.as<Callable>();
          pattern != nullptr && pattern->library == "re.Pattern") {
        for (Evaluated& one :
             call_regex(attribute.name, ExprId{pattern->function}, actuals, span, std::move(here)))
          out.push_back(std::move(one));
        return;
      }
      if (content.as<Text>() != nullptr || content.as<NoneValue>() != nullptr ||
          content.as<Linear>() != nullptr || content.as<Unknown>() != nullptr ||
          content.as<bool>() != nullptr) {
        // Keywords that string methods know.
        for (auto& [name, value] : actuals.named) {
          const bool is_limit =
              name == "maxsplit" && (attribute.name == "split" || attribute.name == "rsplit");
          const bool is_separator = name == "sep" && actuals.positional.empty();
          if (is_limit && actuals.positional.empty()) actuals.positional.push_back({NoneValue{}});
          if (is_limit || is_separator || name == "keepends") {
            actuals.positional.push_back(value);
          } else if (attribute.name != "format") {
            if (content.as<Unknown>() == nullptr) unknown(span, "keyword arguments");
            return out.push_back({std::move(here), {Unknown{}}});
          }
        }
        if (content.as<Text>() != nullptr && attribute.name == "format")
          return format_call(span, std::move(here), *content.as<Text>(), actuals, out);
        return method(attribute.name, span, std::move(here), content, actuals.positional, out);
      }
      container_method(attribute.name, span, std::move(here), object, actuals, out);
    });
  }
  return out;
}

void Interpreter::evaluate_actuals(const Call& call, State state, const WithActuals& then) {
  Exprs exprs;
  for (ExprId argument : call.args) {
    const auto* star = tree_.get<Starred>(argument);
    exprs.push_back(star != nullptr ? star->value : argument);
  }
  for (const Keyword& keyword : call.keywords) exprs.push_back(keyword.value);
  evaluate_all(exprs, std::move(state), [&](State here, Arguments values) {
    Actuals actuals;
    for (size_t i = 0; i < call.args.size(); ++i) {
      if (tree_.get<Starred>(call.args[i]) == nullptr) {
        actuals.positional.push_back(values[i]);
        actuals.places.push_back(exprs[i]);
        continue;
      }
      const Value& content = here.deref(values[i]);
      const auto* sequence = content.as<Sequence>();
      if (sequence == nullptr) {
        actuals.is_open = true;
        continue;
      }
      for (const Value& item : sequence->items) {
        actuals.positional.push_back(item);
        actuals.places.push_back(exprs[i]);
      }
    }
    for (size_t i = 0; i < call.keywords.size(); ++i) {
      const Keyword& keyword = call.keywords[i];
      if (keyword.name.empty()) {
        actuals.is_open = true;
        continue;
      }
      actuals.named.emplace_back(keyword.name, values[call.args.size() + i]);
      actuals.places.push_back(keyword.value);
    }
    if (passes_sink(call, actuals, here)) then(std::move(here), std::move(actuals));
  });
}

void Interpreter::call_value(const Value& callee, Actuals actuals, Span span, State state,
                             Evaluations& out) {
  if (const auto* cls = callee.as<ClassObject>())
    return construct(cls->cls, std::move(actuals), span, std::move(state), out);
  if (const auto* callable = callee.as<Callable>()) {
    if (callable->library.empty()) {
      actuals.positional.insert(actuals.positional.begin(), callable->self.begin(),
                                callable->self.end());
      if (!callable->self.empty())
        actuals.places.insert(actuals.places.begin(),
                              actuals.places.empty() ? ExprId{} : actuals.places[0]);
      return call_function(program_.functions()[callable->function], std::move(actuals), span,
                           std::move(state), out);
    }
    State kept = state;
    if (call_library(callable->library, actuals, span, std::move(state), out)) return;
    return out.push_back(
        {std::move(kept), unknown(span, "the call of '" + callable->library + "'")});
  }
  const Value& content = state.deref(callee);
  if (const auto* instance = content.as<Instance>()) {
    if (const Function* method = program_.method(instance->cls, "__call__")) {
      actuals.positional.insert(actuals.positional.begin(), callee);
      actuals.places.insert(actuals.places.begin(),
                            actuals.places.empty() ? ExprId{} : actuals.places[0]);
      return call_function(*method, std::move(actuals), span, std::move(state), out);
    }
  }
  if (const auto* kept = content.as<Typed>();
      kept != nullptr && kept->type->kind == Type::Kind::kCallable) {
    if (domain_.is_concrete()) unknown(span, "the call of a function that was passed");
    assume(span, "the function that is passed keeps to its type");
    const Type given = kept->type->parts[0];
    return instantiate_item(std::move(state), given, out);
  }
  if (content.as<Unknown>() == nullptr && content.as<Instance>() == nullptr)
    return raise(std::move(state), "TypeError", "a " + type_name(content) + " cannot be called",
                 span);
  out.push_back({std::move(state), unknown(span, "the call of an unknown value")});
}

// ---- functions of the file

Value Interpreter::default_value(ExprId expr, State& state) {
  // field(default=..., default_factory=...) of a dataclass.
  if (const auto* call = tree_.get<Call>(expr)) {
    const auto* callee = tree_.get<Name>(call->function);
    if (callee != nullptr && callee->id == "field") {
      for (const Keyword& keyword : call->keywords) {
        if (keyword.name == "default") return default_value(keyword.value, state);
        const auto* factory = tree_.get<Name>(keyword.value);
        if (keyword.name != "default_factory" || factory == nullptr) continue;
        if (factory->id == "list") return state.allocate({Sequence{{}, true}});
        if (factory->id == "set") return state.allocate({Sequence{{}, true, true}});
        if (factory->id == "dict") return state.allocate({Dict{}});
      }
      return unknown(tree_[expr].span, "the default of this field");
    }
  }
  Evaluations values = evaluate_statically(expr, state);
  if (values.size() != 1) return {Unknown{}};
  state = std::move(values[0].state);
  return std::move(values[0].value);
}

// The arguments in the order of the parameters. False if the call was dealt with otherwise.
bool Interpreter::bind(const Function& function, Actuals& actuals, Span span, State& state,
                       Bound& out) {
  const Parameters& parameters = function.definition->parameters;
  std::vector<const Parameter*> names;
  for (const auto* list :
       {&parameters.positional_only, &parameters.positional, &parameters.keyword_only}) {
    for (const Parameter& parameter : *list) names.push_back(&parameter);
  }
  const size_t positional = parameters.positional_only.size() + parameters.positional.size();
  out.values.assign(names.size(), {});
  out.places.assign(names.size(), std::nullopt);
  auto wrong = [&](const std::string& why) {
    raise(std::move(state), "TypeError", why + " for " + function.definition->name + "()", span);
    return false;
  };
  Sequence rest{{}, false};
  for (size_t i = 0; i < actuals.positional.size(); ++i) {
    Optional place;
    if (i < actuals.places.size()) place = actuals.places[i];
    if (i < positional) {
      out.values[i] = actuals.positional[i];
      out.places[i] = place;
    } else if (parameters.rest) {
      rest.items.push_back(actuals.positional[i]);
    } else {
      return wrong("too many arguments");
    }
  }
  Dict named;
  for (size_t k = 0; k < actuals.named.size(); ++k) {
    const std::string& name = actuals.named[k].first;
    auto found =
        std::find_if(names.begin() + static_cast<std::ptrdiff_t>(parameters.positional_only.size()),
                     names.end(), [&](const Parameter* one) { return one->name == name; });
    if (found != names.end()) {
      const auto at = static_cast<size_t>(found - names.begin());
      if (out.values[at].as<Unbound>() == nullptr) return wrong("two values of one argument");
      out.values[at] = actuals.named[k].second;
      if (actuals.positional.size() + k < actuals.places.size())
        out.places[at] = actuals.places[actuals.positional.size() + k];
    } else if (parameters.keyword_rest) {
      named.keys.push_back({domain_.constant_text(state, program_.letters().word(name))});
      named.values.push_back(actuals.named[k].second);
    } else {
      return wrong("no argument '" + name + "'");
    }
  }
  for (size_t i = 0; i < names.size(); ++i) {
    if (out.values[i].as<Unbound>() == nullptr) continue;
    Optional fallback;
    if (i >= positional)
      fallback = parameters.keyword_defaults[i - positional];
    else if (positional - i <= parameters.defaults.size())
      fallback = parameters.defaults[parameters.defaults.size() - (positional - i)];
    if (!fallback) return wrong("wrong number of arguments");
    out.values[i] = default_value(*fallback, state);
  }
  if (parameters.rest) out.values.push_back({std::move(rest)});
  if (parameters.keyword_rest) out.values.push_back(state.allocate({std::move(named)}));
  out.places.resize(out.values.size());
  return true;
}

void Interpreter::call_function(const Function& function, Actuals actuals, Span span, State state,
                                Evaluations& out) {
  if (actuals.is_open || function.facts->has_unknown_decorator || function.definition->is_async)
    return out.push_back(
        {std::move(state), unknown(span, "this way to call '" + function.definition->name + "'")});
  Bound bound;
  if (!bind(function, actuals, span, state, bound)) return;
  const bool is_recursive = std::any_of(frames_.begin(), frames_.end(), [&](const Frame& frame) {
    return frame.function == &function;
  });
  bool is_costly = false;
  if (costs_ != nullptr) {
    auto cost = costs_->find(&function);
    is_costly =
        cost != costs_->end() && cost->second > limits_.inlined_steps && !function.returns.is_any();
  }
  // A concrete run follows recursion; otherwise the declared types stand for it.
  constexpr size_t kMaxFrames = 60;
  const bool is_inlined = domain_.is_concrete()
                              ? frames_.size() < kMaxFrames
                              : !is_recursive && !is_costly && frames_.size() < limits_.call_depth;
  if (domain_.is_concrete() && !is_inlined) {
    outcome_.is_exhausted = true;
    return;
  }
  if (is_recursive && !domain_.is_concrete()) assume(span, "the recursion ends");
  States checked;
  checked.push_back(std::move(state));
  const size_t named = function.named_parameters();
  for (size_t i = 0; i < bound.values.size(); ++i) {
    States next;
    Type type = function.parameters[i];
    if (i >= named && !type.is_any()) {
      const bool is_rest = function.definition->parameters.rest && i == named;
      type = is_rest ? type_of_parts(Type::Kind::kTupleOf, {type})
                     : type_of_parts(Type::Kind::kDict, {type_of_kind(Type::Kind::kStr), type});
    }
    // The instance of a method was made by the class itself.
    const bool is_self = i == 0 && function.facts->cls && type.kind == Type::Kind::kInstance;
    for (State& one : checked) {
      if (is_self) {
        next.push_back(std::move(one));
        continue;
      }
      append(next,
             check_type(std::move(one), bound.values[i], type, FailureKind::kArgument,
                        bound.places[i] ? tree_[*bound.places[i]].span : span, bound.places[i]));
    }
    checked.swap(next);
  }
  for (State& one : checked) {
    if (is_inlined)
      call_inlined(function, std::move(one), bound.values, span, out);
    else
      call_declared(function, span, std::move(one), out);
  }
}

// Anything of the declared type. What the call raises is found where the function itself is
// checked, if it is.
void Interpreter::call_declared(const Function& function, Span span, State state,
                                Evaluations& out) {
  if (!function.is_typed) unknown(span, "a recursive function without language types");
  if (function.returns.is_any()) unknown(span, "a recursive function without a declared result");
  instantiate_item(std::move(state), function.returns, out);
}

void Interpreter::call_inlined(const Function& function, State state, Arguments arguments,
                               Span span, Evaluations& out) {
  const Frame caller = frame_;
  const size_t pins = state.pins.size();
  const size_t stack = state.stack.size();
  const bool is_generator = function.facts->is_generator;
  Type yields = type_of_parts(Type::Kind::kUnion, {});
  frame_ = {&function, state.slots.size()};
  if (is_generator) {
    frame_.yields = &yields;
    if (domain_.is_concrete()) {
      frame_.list = stack;
      state.stack.push_back({Sequence{{}, true}});
    }
  }
  frames_.push_back(frame_);
  for (Value& argument : arguments) state.slots.push_back(std::move(argument));
  state.slots.resize(frame_.base + function.scope->size());
  States start;
  start.push_back(std::move(state));
  const size_t raised_before = raised_->size();
  Flow flow = execute(function.definition->body, std::move(start));
  if (is_generator) {
    append(flow.next, {});
    for (Returned& result : flow.returns) flow.next.push_back(std::move(result.state));
    flow.returns.clear();
    if (domain_.is_concrete() && raised_->size() > raised_before)
      unknown(span, "an exception inside a generator");
  }
  for (State& end : flow.next) {
    if (is_generator) {
      Value all;
      if (domain_.is_concrete())
        all = end.stack[stack];
      else
        all = typed(type_of_parts(Type::Kind::kIterable, {yields}));
      flow.returns.push_back({std::move(end), std::move(all)});
      continue;
    }
    for (State& good : check_type(std::move(end), {NoneValue{}}, function.returns,
                                  FailureKind::kReturn, function.definition->name_span)) {
      flow.returns.push_back({std::move(good), {NoneValue{}}});
    }
  }
  frames_.pop_back();
  States results;
  for (Returned& result : flow.returns) {
    result.state.slots.resize(frame_.base);
    result.state.pins.resize(pins);
    result.state.stack.resize(stack);
    result.state.stack.push_back(std::move(result.value));
    results.push_back(std::move(result.state));
  }
  frame_ = caller;
  if (!domain_.is_concrete()) reduce(domain_, results, limits_.states);
  for (State& result : results) {
    Value value = std::move(result.stack.back());
    result.stack.pop_back();
    out.push_back({std::move(result), std::move(value)});
  }
}

// A generator gives a value, and goes on when the next one is wanted.
Evaluations Interpreter::evaluate_yield(Optional expr, Span span, State state) {
  Evaluations out;
  for (Evaluated& value : evaluate_optional(expr, std::move(state))) {
    const Value kept = value.value;
    Type item;
    const Type& declared = frame_.function->returns;
    if (declared.kind == Type::Kind::kIterable) item = declared.parts[0];
    for (State& good : check_type(std::move(value.state), kept, item, FailureKind::kReturn,
                                  expr ? tree_[*expr].span : span, expr)) {
      if (frame_.yields != nullptr)
        *frame_.yields = join(domain_.words(), *frame_.yields, type_of(good, kept));
      if (frame_.list != ~size_t{0})
        std::get<Sequence>(good.stack[frame_.list].data).items.push_back(good.resolve(kept));
      out.push_back({std::move(good), {Unknown{}}});
    }
  }
  return out;
}

// ---- isinstance()

Evaluations Interpreter::call_isinstance(const Call& call, Span span, State state) {
  Evaluations out;
  for (Evaluated& value : evaluate(call.args[0], std::move(state))) {
    Split split = is_instance(std::move(value.state), value.value, call.args[1], span);
    for (State& yes : split.yes) out.push_back({std::move(yes), {true}});
    for (State& no : split.no) out.push_back({std::move(no), {false}});
  }
  return out;
}

Split Interpreter::is_instance(State state, const Value& stale, ExprId wanted, Span span) {
  Split out;
  if (const auto* several = tree_.get<TupleExpr>(wanted)) {
    out.no.push_back(std::move(state));
    for (ExprId one : several->items) {
      States open;
      open.swap(out.no);
      for (State& here : open) {
        Split split = is_instance(std::move(here), stale, one, span);
        append(out.yes, std::move(split.yes));
        append(out.no, std::move(split.no));
      }
    }
    return out;
  }
  const Value value = state.deref(stale);
  const Type type = program_.type(wanted);
  const auto* text = value.as<Text>();
  auto give = [&](bool answer) { (answer ? out.yes : out.no).push_back(std::move(state)); };
  if (value.as<Unknown>() != nullptr || type.is_any()) {
    unknown(span, "this isinstance()");
    out.yes.push_back(state);
    give(false);
  } else if (text != nullptr) {
    return fits_text(std::move(state), *text, type);
  } else if (type.kind == Type::Kind::kInt) {
    give(as_number(value).has_value());
  } else if (type.kind == Type::Kind::kBool) {
    give(value.as<bool>() != nullptr);
  } else if (value.as<Typed>() != nullptr || value.as<Sequence>() != nullptr ||
             value.as<SplitList>() != nullptr || value.as<Dict>() != nullptr) {
    give(type_of(state, value).kind == type.kind ||
         (type.kind == Type::Kind::kTupleOf && type_of(state, value).kind == Type::Kind::kTuple));
  } else {
    give(is_within(domain_.words(), type_of(state, value), type,
                   [&](uint32_t derived, uint32_t base) {
                     return program_.definitions().is_subclass(derived, base);
                   }));
  }
  return out;
}

}  // namespace nacre::python
