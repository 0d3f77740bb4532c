// Calls: functions of the file, methods, regexes, isinstance().
#include <algorithm>

#include "python/canonical.h"
#include "python/interpreter.h"

namespace nacre::python {

Evaluations Interpreter::evaluate_call(const Call& call, Span span, State state) {
  Evaluations out;
  if (const auto* name = tree_.get<Name>(call.function)) {
    if (!frame_.function->scope->slot(name->id)) {
      if (const Function* function = program_.function(name->id))
        return call_function(*function, call, span, std::move(state));
      bool is_known = true;
      out = call_builtin(name->id, call, span, state, is_known);
      if (is_known) return out;
    }
    out.clear();
    out.push_back({std::move(state), unknown(span, "the call of '" + name->id + "'")});
    return out;
  }
  const auto* attribute = tree_.get<Attribute>(call.function);
  if (attribute == nullptr) {
    out.push_back({std::move(state), unknown(span, "a call of this kind of value")});
    return out;
  }
  // re.match(pattern, subject), or PATTERN.match(subject) for a compiled one.
  if (attribute->name == "match" || attribute->name == "fullmatch" || attribute->name == "search") {
    Search search = attribute->name == "match"    ? Search::kMatch
                    : attribute->name == "search" ? Search::kSearch
                                                  : Search::kFullMatch;
    const auto* module = tree_.get<Name>(attribute->value);
    bool is_module = module != nullptr && module->id == "re";
    ExprId pattern = is_module && !call.args.empty() ? call.args[0] : attribute->value;
    size_t subject = is_module ? 1 : 0;
    if (call.args.size() > subject && program_.pattern(pattern, search)) {
      return call_pattern(search, pattern, call.args[subject], std::move(state));
    }
  }
  Exprs operands = {attribute->value};
  operands.insert(operands.end(), call.args.begin(), call.args.end());
  bool is_plain = call.keywords.empty();
  for (const Keyword& keyword : call.keywords) {
    // The one keyword that string methods of the fragment know.
    bool is_limit =
        keyword.name == "maxsplit" && (attribute->name == "split" || attribute->name == "rsplit");
    if (is_limit && call.args.size() == 1) operands.push_back(keyword.value), is_plain = true;
  }
  evaluate_all(operands, std::move(state), [&](State after, Arguments values) {
    if (!is_plain) return out.push_back({std::move(after), unknown(span, "keyword arguments")});
    Value subject = values[0];
    values.erase(values.begin());
    method(attribute->name, span, std::move(after), subject, values, out);
  });
  return out;
}

namespace {

// The arguments in the order of the parameters; nothing for calls that need more than that. Too few
// or too many arguments are given back as they are.
std::optional<Exprs> bind_arguments(const Tree& tree, const FunctionDef& function,
                                    const Call& call) {
  const Parameters& parameters = function.parameters;
  if (parameters.rest || parameters.keyword_rest || !parameters.keyword_only.empty() ||
      function.is_async || !function.decorators.empty())
    return std::nullopt;
  std::vector<const Parameter*> names;
  for (const auto* list : {&parameters.positional_only, &parameters.positional}) {
    for (const Parameter& parameter : *list) names.push_back(&parameter);
  }
  Exprs arguments = call.args;
  for (ExprId argument : arguments) {
    if (tree.get<Starred>(argument) != nullptr) return std::nullopt;
  }
  for (size_t i = arguments.size(); i < names.size(); ++i) {
    auto named = std::find_if(call.keywords.begin(), call.keywords.end(),
                              [&](const Keyword& k) { return k.name == names[i]->name; });
    size_t missing = names.size() - i;
    if (named != call.keywords.end())
      arguments.push_back(named->value);
    else if (missing <= parameters.defaults.size())
      arguments.push_back(parameters.defaults[parameters.defaults.size() - missing]);
    else
      break;
  }
  return arguments;
}

}  // namespace

Evaluations Interpreter::call_function(const Function& function, const Call& call, Span span,
                                       State state) {
  Evaluations out;
  std::optional<Exprs> arguments = bind_arguments(tree_, *function.definition, call);
  if (!arguments) {
    out.push_back(
        {std::move(state), unknown(span, "this way to call '" + function.definition->name + "'")});
    return out;
  }
  if (arguments->size() != function.parameters.size()) {
    raise(std::move(state), "TypeError",
          "wrong number of arguments for " + function.definition->name + "()", span);
    return out;
  }
  const bool is_recursive =
      std::find(callers_.begin(), callers_.end(), &function) != callers_.end();
  // A concrete run follows recursion; otherwise the declared types stand for it.
  const bool is_inlined = domain_.is_concrete()
                              ? callers_.size() < 100
                              : !is_recursive && callers_.size() < limits_.call_depth;
  evaluate_all(*arguments, std::move(state), [&](State after, const Arguments& values) {
    States checked;
    checked.push_back(std::move(after));
    for (size_t i = 0; i < values.size(); ++i) {
      States next;
      for (State& one : checked) {
        append(next, check_type(std::move(one), values[i], function.parameters[i],
                                FailureKind::kArgument, tree_[(*arguments)[i]].span));
      }
      checked.swap(next);
    }
    for (State& one : checked) {
      if (is_inlined)
        call_inlined(function, std::move(one), values, out);
      else
        call_declared(function, span, std::move(one), out);
    }
  });
  return out;
}

// Anything of the declared type. What the call raises is found where the function itself is
// checked, if it is.
void Interpreter::call_declared(const Function& function, Span span, State state,
                                Evaluations& out) {
  if (!function.is_checked) unknown(span, "a recursive function without language types");
  Value result{Unknown{}};
  switch (function.returns.kind) {
    case Type::Kind::kLanguage: result = {Text{state.add_word(function.returns.words)}}; break;
    case Type::Kind::kStr: result = {any_text(state)}; break;
    case Type::Kind::kInt: result = {Linear::of(state.add_number({}))}; break;
    case Type::Kind::kNone: result = {NoneValue{}}; break;
    case Type::Kind::kBool:
      out.push_back({state, {true}});
      result = {false};
      break;
    default: unknown(span, "a recursive function without a declared result");
  }
  out.push_back({std::move(state), std::move(result)});
}

void Interpreter::call_inlined(const Function& function, State state, Arguments arguments,
                               Evaluations& out) {
  const Frame caller = frame_;
  const size_t pins = state.pins.size();
  const size_t stack = state.stack.size();
  frame_ = {&function, state.slots.size()};
  callers_.push_back(&function);
  for (Value& argument : arguments) state.slots.push_back(std::move(argument));
  state.slots.resize(frame_.base + function.scope->size());
  States start;
  start.push_back(std::move(state));
  Flow flow = execute(function.definition->body, std::move(start));
  for (State& end : flow.next) {
    for (State& good : check_type(std::move(end), {NoneValue{}}, function.returns,
                                  FailureKind::kReturn, function.definition->name_span)) {
      flow.returns.push_back({std::move(good), {NoneValue{}}});
    }
  }
  callers_.pop_back();
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

Evaluations Interpreter::call_isinstance(const Call& call, Span span, State state) {
  Evaluations out;
  Type type = program_.type(call.args[1]);
  for (Evaluated& value : evaluate(call.args[0], std::move(state))) {
    const auto* text = value.value.as<Text>();
    auto give = [&](bool answer) { out.push_back({std::move(value.state), {answer}}); };
    if (value.value.as<Unknown>() != nullptr || type.kind == Type::Kind::kOther ||
        type.kind == Type::Kind::kMissing) {
      unknown(span, "this isinstance()");
      out.push_back({value.state, {true}});
      give(false);
    } else if (type.kind == Type::Kind::kLanguage && text != nullptr) {
      Split split = domain_.member(std::move(value.state), *text, type.words);
      for (State& yes : split.yes) out.push_back({std::move(yes), {true}});
      for (State& no : split.no) out.push_back({std::move(no), {false}});
    } else if (type.kind == Type::Kind::kStr) {
      give(text != nullptr);
    } else if (type.kind == Type::Kind::kInt) {
      give(as_number(value.value).has_value());
    } else if (type.kind == Type::Kind::kBool) {
      give(value.value.as<bool>() != nullptr);
    } else {
      give(false);
    }
  }
  return out;
}

// A match is a tuple of the matched text, as far as it is known; no match is None.
Evaluations Interpreter::call_pattern(Search search, ExprId pattern, ExprId subject, State state) {
  Evaluations out;
  Words language = *program_.pattern(pattern, search);
  for (Evaluated& value : evaluate(subject, std::move(state))) {
    const auto* text = value.value.as<Text>();
    if (text == nullptr) {
      const Span span = tree_[subject].span;
      if (value.value.as<Unknown>() == nullptr)
        raise(std::move(value.state), "TypeError", "expected a string", span);
      else
        out.push_back({std::move(value.state), unknown(span, "a match of an unknown value")});
      continue;
    }
    Split split = domain_.member(std::move(value.state), *text, language);
    for (State& no : split.no) out.push_back({std::move(no), {NoneValue{}}});
    for (State& yes : split.yes) {
      Value whole = search == Search::kFullMatch ? Value{*text} : Value{Unknown{}};
      out.push_back({std::move(yes), {Sequence{{std::move(whole)}, false}}});
    }
  }
  return out;
}

}  // namespace nacre::python
