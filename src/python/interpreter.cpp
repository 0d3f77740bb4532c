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

// One state for each way to choose the arguments: all words of the declared types at once, but
// Booleans, alternatives of a union and members of an enumeration one by one.
States Interpreter::start(const Function& function, State state) {
  std::vector<Type> types = function.parameters;
  const Parameters& parameters = function.definition->parameters;
  if (parameters.rest) {
    Type& rest = types[function.named_parameters()];
    rest = type_of_parts(Type::Kind::kTupleOf, {rest});
  }
  if (parameters.keyword_rest) {
    types.back() = type_of_parts(Type::Kind::kDict, {type_of_kind(Type::Kind::kStr), types.back()});
  }
  const FunctionFacts& facts = *function.facts;
  States out;
  auto begin = [&](Made made) {
    State& here = made.state;
    if (const auto* arguments = made.value.as<Sequence>()) {
      here.slots = arguments->items;
      here.recipes = made.recipe.arguments;
    }
    here.slots.resize(function.scope->size());
    if (facts.binding == Binding::kClassMethod && facts.cls && !here.slots.empty())
      here.slots[0] = {ClassObject{*facts.cls}};
    out.push_back(std::move(here));
  };
  if (facts.cls && function.definition->name == "__init__" && !types.empty()) {
    // The instance is being made: it has no fields yet.
    std::vector<Type> others(types.begin() + 1, types.end());
    for (Made& made : instantiate_all(std::move(state), others, true, 0)) {
      const size_t fields = program_.classes()[*facts.cls].fields.size();
      auto& arguments = std::get<Sequence>(made.value.data).items;
      arguments.insert(arguments.begin(),
                       made.state.allocate({Instance{*facts.cls, std::vector<Value>(fields)}}));
      begin(std::move(made));
    }
    return out;
  }
  for (Made& made : instantiate_all(std::move(state), types, true, 0)) begin(std::move(made));
  return out;
}

Outcome Interpreter::run(const Function& function) {
  std::vector<Raised> raised;
  raised_ = &raised;
  frame_ = {&function, 0};
  frames_ = {frame_};
  Type yields = type_of_parts(Type::Kind::kUnion, {});
  States begin = start(function, {});
  if (function.facts->is_generator) frame_.yields = frames_.back().yields = &yields;
  raised.clear();
  Flow flow = execute(function.definition->body, std::move(begin));
  return finish(function, std::move(flow), std::move(raised));
}

// Rebuilds the arguments from the recipes of `given`.
Outcome Interpreter::replay(const Function& function, const State& given,
                            const std::vector<Value>& inputs, State state) {
  std::vector<Raised> raised;
  raised_ = &raised;
  frame_ = {&function, 0};
  frames_ = {frame_};
  Type yields = type_of_parts(Type::Kind::kUnion, {});
  Recipe all;
  all.cls = Recipe::kTuple;
  all.arguments = given.recipes;
  state.inputs = inputs;
  States begin;
  for (Made& made : remake(all, inputs, std::move(state))) {
    const FunctionFacts& facts = *function.facts;
    std::vector<Value> arguments = std::get<Sequence>(made.value.data).items;
    if (facts.cls && function.definition->name == "__init__") {
      const size_t fields = program_.classes()[*facts.cls].fields.size();
      arguments.insert(arguments.begin(),
                       made.state.allocate({Instance{*facts.cls, std::vector<Value>(fields)}}));
    }
    made.state.slots = std::move(arguments);
    made.state.slots.resize(function.scope->size());
    if (facts.binding == Binding::kClassMethod && facts.cls && !made.state.slots.empty())
      made.state.slots[0] = {ClassObject{*facts.cls}};
    made.state.recipes = given.recipes;
    begin.push_back(std::move(made.state));
  }
  if (function.facts->is_generator) frame_.yields = frames_.back().yields = &yields;
  Flow flow = execute(function.definition->body, std::move(begin));
  return finish(function, std::move(flow), std::move(raised));
}

Outcome Interpreter::finish(const Function& function, Flow flow, std::vector<Raised> raised) {
  auto record = [&](const State& here, const Value& value) {
    outcome_.returns_anything = true;
    if (!domain_.is_concrete())
      outcome_.returned_type = join(domain_.words(), outcome_.returned_type, type_of(here, value));
    if (const auto* text = value.as<Text>()) {
      outcome_.returned = domain_.words().unite(outcome_.returned, domain_.language(here, *text));
    } else {
      outcome_.returns_only_strings = false;
    }
  };
  for (Returned& result : flow.returns) record(result.state, result.value);
  for (State& end : flow.next) {
    record(end, {NoneValue{}});
    if (function.facts->is_generator) continue;
    check_type(std::move(end), {NoneValue{}}, function.returns, FailureKind::kReturn,
               function.definition->name_span);
  }
  size_t declared = 0;
  for (Raised& one : raised) {
    if (!one.doubt.empty() && one.is_given) {
      ++declared;
      assume(one.span, std::move(one.doubt));
    } else if (one.is_declared) {
      ++declared;
      outcome_.raises.insert(one.exception);
    } else {
      fail(std::move(one));
    }
  }
  outcome_.endings = flow.returns.size() + flow.next.size() + outcome_.failures.size() + declared;
  if (program_.words().exhausted()) outcome_.is_exhausted = true;
  return std::move(outcome_);
}

void Interpreter::fail(Raised raised, std::string constant, std::optional<Words> texts) {
  constexpr size_t kPerPlace = 16;
  auto same = [&](const Failure& known) {
    return known.span == raised.span && known.kind == raised.kind;
  };
  if (std::count_if(outcome_.failures.begin(), outcome_.failures.end(), same) >=
      static_cast<std::ptrdiff_t>(kPerPlace))
    return;
  outcome_.failures.push_back({raised.kind, raised.span, std::move(raised.exception),
                               std::move(raised.reason), std::move(raised.state),
                               std::move(constant), texts, std::move(raised.doubt)});
}

void Interpreter::raise(State state, std::string exception, std::string reason, Span span,
                        FailureKind kind) {
  raised_->push_back({std::move(exception), std::move(reason), kind, span, std::move(state)});
}

namespace {

void note(std::vector<Unsupported>& notes, Span span, std::string what) {
  auto same = [&](const Unsupported& known) { return known.span.begin == span.begin; };
  if (std::none_of(notes.begin(), notes.end(), same)) notes.push_back({span, std::move(what)});
}

}  // namespace

Value Interpreter::unknown(Span span, std::string what) {
  note(outcome_.unsupported, span, std::move(what));
  return {Unknown{}};
}

void Interpreter::assume(Span span, std::string what) {
  note(outcome_.assumptions, span, std::move(what));
}

void Interpreter::doubt(State state, const Value& value, std::string exception, Span span,
                        std::string what) {
  const auto* kept = state.deref(value).as<Typed>();
  const bool is_given = kept != nullptr && kept->is_given;
  const char* reason = exception == "KeyError"            ? "the key is not there"
                       : exception == "ZeroDivisionError" ? "division by zero"
                       : exception == "IndexError"        ? "index out of range"
                                                          : "the item is not there";
  raise(std::move(state), std::move(exception), reason, span);
  raised_->back().doubt = std::move(what);
  raised_->back().is_given = is_given;
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
  return range.is_single() ? std::optional(range.low) : std::nullopt;
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
