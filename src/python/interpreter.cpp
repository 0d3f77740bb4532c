// Running one function; failures, budget and values that are not known.
#include "python/interpreter.h"

#include <algorithm>

namespace nacre::python {

Interpreter::Interpreter(const Program& program, bool is_concrete, Limits limits)
    : program_(program),
      tree_(program.tree()),
      limits_(limits),
      domain_(program.words(), program.single_letters(), is_concrete) {
  outcome_.returned = program.words().none();
}

bool Interpreter::spend() {
  if (++steps_ > limits_.steps || limits_.stop.is_requested() || program_.words().exhausted())
    outcome_.is_exhausted = true;
  return !outcome_.is_exhausted;
}

// One state for all words of the declared types, or more where a Boolean is both.
States Interpreter::start(const Function& function, const std::vector<Value>* arguments,
                          State state) {
  state.slots.assign(function.scope->size(), {});
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const Type& type = function.parameters[i];
    Value value{Unknown{}};
    if (arguments != nullptr) {
      value = (*arguments)[i];
    } else if (type.kind == Type::Kind::kStr) {
      value = {Text{state.add_word(domain_.words().all())}};
    } else if (type.kind == Type::Kind::kLanguage) {
      if (domain_.words().is_empty(type.words)) return {};
      value = {Text{state.add_word(type.words)}};
    } else if (type.kind == Type::Kind::kInt) {
      value = {Linear::of(state.add_number({}))};
    } else if (type.kind == Type::Kind::kNone) {
      value = {NoneValue{}};
    }
    state.inputs.push_back(value);
    state.slots[i] = std::move(value);
  }
  States all;
  all.push_back(std::move(state));
  for (size_t i = 0; arguments == nullptr && i < function.parameters.size(); ++i) {
    if (function.parameters[i].kind != Type::Kind::kBool) continue;
    States both;
    for (State& one : all) {
      for (bool truth : {true, false}) {
        both.push_back(one);
        both.back().inputs[i] = both.back().slots[i] = {truth};
      }
    }
    all.swap(both);
  }
  return all;
}

Outcome Interpreter::run(const Function& function, const std::vector<Value>* arguments,
                         State state) {
  std::vector<Raised> raised;
  raised_ = &raised;
  frame_ = {&function, 0};
  callers_ = {&function};
  Flow flow = execute(function.definition->body, start(function, arguments, std::move(state)));
  auto record = [&](const State& here, const Value& value) {
    outcome_.returns_anything = true;
    if (const auto* text = value.as<Text>()) {
      outcome_.returned = domain_.words().unite(outcome_.returned, domain_.language(here, *text));
    } else {
      outcome_.returns_only_strings = false;
    }
  };
  for (Returned& result : flow.returns) record(result.state, result.value);
  for (State& end : flow.next) {
    record(end, {NoneValue{}});
    check_type(std::move(end), {NoneValue{}}, function.returns, FailureKind::kReturn,
               function.definition->name_span);
  }
  for (Raised& one : raised) fail(std::move(one));
  outcome_.endings = flow.returns.size() + flow.next.size() + outcome_.failures.size();
  if (program_.words().exhausted()) outcome_.is_exhausted = true;
  return std::move(outcome_);
}

void Interpreter::fail(Raised raised) {
  constexpr size_t kPerPlace = 16;
  auto same = [&](const Failure& known) {
    return known.span == raised.span && known.kind == raised.kind;
  };
  if (std::count_if(outcome_.failures.begin(), outcome_.failures.end(), same) >=
      static_cast<std::ptrdiff_t>(kPerPlace))
    return;
  outcome_.failures.push_back({raised.kind, raised.span, std::move(raised.exception),
                               std::move(raised.reason), std::move(raised.state)});
}

void Interpreter::raise(State state, std::string exception, std::string reason, Span span,
                        FailureKind kind) {
  raised_->push_back({std::move(exception), std::move(reason), kind, span, std::move(state)});
}

Value Interpreter::unknown(Span span, std::string what) {
  auto same = [&](const Unsupported& known) { return known.span == span; };
  if (std::none_of(outcome_.unsupported.begin(), outcome_.unsupported.end(), same)) {
    outcome_.unsupported.push_back({span, std::move(what)});
  }
  return {Unknown{}};
}

std::optional<Linear> Interpreter::as_number(const Value& value) const {
  if (const auto* number = value.as<Linear>()) return *number;
  if (const auto* truth = value.as<bool>()) return Linear(*truth ? 1 : 0);
  return std::nullopt;
}

std::optional<int64_t> Interpreter::as_constant(const State& state, const Value& value) const {
  std::optional<Linear> number = as_number(value);
  if (!number) return std::nullopt;
  Range range = domain_.range(state, *number);
  if (!range.is_single()) return std::nullopt;
  return range.low;
}

bool Interpreter::by_constant(const State& state, const Text& text,
                              const std::function<void(State, const Word&)>& then) {
  WordStore& words = domain_.words();
  constexpr size_t kFew = 12;
  std::optional<std::vector<Word>> all = words.enumerate(domain_.language(state, text), kFew);
  if (!all) return false;
  if (!std::all_of(all->begin(), all->end(),
                   [&](const Word& word) { return domain_.is_exact(word); }))
    return false;
  for (const Word& word : *all) {
    for (State& fixed : domain_.member(state, text, words.word(word)).yes)
      then(std::move(fixed), word);
  }
  return true;
}

}  // namespace nacre::python
