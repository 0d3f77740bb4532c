#include "python/confirm.h"

#include <algorithm>
#include <fmt/core.h>

#include "python/show.h"

namespace nacre::python {
namespace {

using Kind = Type::Kind;

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
  return out;
}

}  // namespace

// Some value of the type; other variants are longer, or made of other words. Nothing if it has too
// few of them.
std::optional<Value> Confirmer::sample(const Type& type, size_t variant, State& state) const {
  WordStore& words = program_.words();
  auto word = [&](Words set) -> std::optional<Value> {
    std::vector<Word> first = words.first_words(set, 12);
    std::vector<Word> all = variant < 12 ? first : words.varied_words(set, variant - 11);
    const size_t at = variant < 12 ? variant : variant - 12;
    if (all.empty()) return std::nullopt;
    return Value{domain_.constant_text(state, all[std::min(at, all.size() - 1)])};
  };
  // A container: nothing in it, then one item of each variant.
  auto items = [&](const Type& item) -> std::optional<std::vector<Value>> {
    std::vector<Value> all;
    if (variant == 0) return all;
    std::optional<Value> one = sample(item, variant - 1, state);
    if (!one) return std::nullopt;
    all.push_back(std::move(*one));
    return all;
  };
  switch (type.kind) {
    case Kind::kStr: return word(words.all());
    case Kind::kLanguage: return word(type.words);
    case Kind::kInt: {
      const auto step = static_cast<int64_t>(variant);
      int64_t value = variant % 2 == 0 ? step / 2 : -step / 2 - 1;
      return Value{Linear(std::clamp(value, type.range.low, type.range.high))};
    }
    case Kind::kBool: return Value{variant % 2 == 0};
    case Kind::kNone: return Value{NoneValue{}};
    case Kind::kTuple: {
      Sequence tuple{{}, false};
      for (const Type& part : type.parts) {
        std::optional<Value> item = sample(part, variant, state);
        if (!item) return std::nullopt;
        tuple.items.push_back(std::move(*item));
      }
      return Value{std::move(tuple)};
    }
    case Kind::kList:
    case Kind::kSet:
    case Kind::kIterable:
    case Kind::kTupleOf: {
      std::optional<std::vector<Value>> all = items(type.parts[0]);
      if (!all) return std::nullopt;
      return Value{Sequence{std::move(*all), type.kind != Kind::kTupleOf, type.kind == Kind::kSet}};
    }
    case Kind::kDict: {
      if (type.parts[0].is_any()) return variant == 0 ? std::optional(Value{Dict{}}) : std::nullopt;
      std::optional<std::vector<Value>> keys = items(type.parts[0]);
      std::optional<std::vector<Value>> values = items(type.parts[1]);
      if (!keys || !values) return std::nullopt;
      return Value{Dict{std::move(*keys), std::move(*values)}};
    }
    case Kind::kLibrary: {
      if (!is_library(type, LibraryClass::kPath)) return std::nullopt;
      const std::optional<Value> text = word(type.words);
      if (!text) return std::nullopt;
      return typed(
          type_of_library(LibraryClass::kPath, domain_.language(state, *text->as<Text>())));
    }
    case Kind::kUnion:
      if (type.parts.empty()) return std::nullopt;
      return sample(type.parts[variant % type.parts.size()], variant / type.parts.size(), state);
    default: return std::nullopt;
  }
}

std::optional<Value> Confirmer::input(const Value& given, size_t index, const Choice& choice,
                                      State& state) const {
  if (given.as<Text>() != nullptr) return Value{domain_.constant_text(state, choice.words[index])};
  if (given.as<Linear>() != nullptr) return Value{Linear(choice.numbers[index])};
  if (const auto* kept = given.as<Typed>()) return sample(*kept->type, choice.variant, state);
  return given;
}

std::optional<Witness> Confirmer::attempt(const Failure& failure, const Choice& choice) {
  ++tried_;
  Interpreter interpreter(program_, true, limits_);
  if (is_sink(failure.kind)) interpreter.expect(&failure);
  State state;
  std::vector<Value> inputs;
  for (size_t i = 0; i < failure.state.inputs.size(); ++i) {
    std::optional<Value> value = input(failure.state.inputs[i], i, choice, state);
    if (!value) return std::nullopt;
    inputs.push_back(std::move(*value));
  }
  const State start = state;
  Outcome outcome = interpreter.replay(function_, failure.state, inputs, std::move(state));
  // The only way in which the run can end is this failure.
  if (outcome.is_exhausted || !outcome.unsupported.empty() || outcome.endings != 1 ||
      outcome.failures.size() != 1 || outcome.failures[0].span != failure.span ||
      outcome.failures[0].kind != failure.kind)
    return std::nullopt;
  return witness(failure, start, inputs);
}

std::optional<Witness> Confirmer::confirm(const Failure& failure) {
  const std::vector<Value>& inputs = failure.state.inputs;
  WordStore& words = program_.words();
  const bool has_containers = std::any_of(inputs.begin(), inputs.end(), [](const Value& value) {
    return value.as<Typed>() != nullptr;
  });
  const size_t variants = has_containers ? 40 : 1;
  Choice choice;
  choice.words.resize(inputs.size());
  choice.numbers.resize(inputs.size());
  std::vector<int64_t> numbers;
  if (std::optional<std::vector<Word>> found = domain_.example(failure.state, &numbers)) {
    size_t next = 0;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].as<Text>() != nullptr) choice.words[i] = (*found)[i];
      if (inputs[i].as<Linear>() != nullptr && next < numbers.size())
        choice.numbers[i] = numbers[next++];
    }
    for (choice.variant = 0; choice.variant < variants; ++choice.variant) {
      if (std::optional<Witness> shown = attempt(failure, choice)) return shown;
    }
  }
  if (tried_ > kMaxTries) return std::nullopt;
  choice.variant = 0;
  // The state joins several paths and its own example was none of them: look further.
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto* number = inputs[i].as<Linear>();
    if (number != nullptr) {
      Choice other = choice;
      const Range range = domain_.range(failure.state, *number);
      for (int64_t value :
           {0, 1, -1, 2, -2, 3, 5, 9, 10, 11, 12, 13, 24, 60, 99, 100, 101, 999, 1000}) {
        if (value < range.low || value > range.high) continue;
        other.numbers[i] = value;
        for (other.variant = 0; other.variant < std::min<size_t>(variants, 2); ++other.variant) {
          if (std::optional<Witness> shown = attempt(failure, other)) return shown;
        }
      }
      continue;
    }
    const auto* text = inputs[i].as<Text>();
    if (text == nullptr) continue;
    Choice others = choice;
    for (size_t k = 0; k < inputs.size(); ++k) {
      const auto* other = inputs[k].as<Text>();
      if (other == nullptr) continue;
      std::vector<Word> first = words.first_words(domain_.language(failure.state, *other), 1);
      others.words[k] = first.empty() ? Word{} : first[0];
    }
    const Words language = domain_.language(failure.state, *text);
    for (bool is_varied : {false, true}) {
      for (Word& word :
           is_varied ? words.varied_words(language, 60) : words.first_words(language, 60)) {
        others.words[i] = std::move(word);
        for (others.variant = 0; others.variant < std::min<size_t>(variants, 3); ++others.variant) {
          if (tried_ > kMaxTries) return std::nullopt;
          if (std::optional<Witness> shown = attempt(failure, others)) return shown;
        }
      }
    }
  }
  return std::nullopt;
}

std::string Confirmer::literal(const State& state, const Value& value) const {
  if (const auto* text = value.as<Text>()) {
    Word word;
    for (SymbolId id : state.text(*text)) {
      const Word part = program_.words().single(state[id].words).value_or(Word{});
      word.insert(word.end(), part.begin(), part.end());
    }
    return python_literal(program_.letters().text(word));
  }
  if (const auto* number = value.as<Linear>()) return std::to_string(number->constant);
  if (const auto* truth = value.as<bool>()) return *truth ? "True" : "False";
  if (const auto* sequence = value.as<Sequence>()) {
    std::vector<std::string> items;
    for (const Value& item : sequence->items) items.push_back(literal(state, item));
    if (sequence->is_set) return items.empty() ? "set()" : "{" + joined(items) + "}";
    if (sequence->is_list) return "[" + joined(items) + "]";
    return "(" + joined(items) + (items.size() == 1 ? ",)" : ")");
  }
  if (const auto* dict = value.as<Dict>()) {
    std::vector<std::string> items;
    for (size_t i = 0; i < dict->keys.size(); ++i)
      items.push_back(literal(state, dict->keys[i]) + ": " + literal(state, dict->values[i]));
    return "{" + joined(items) + "}";
  }
  if (const auto* kept = value.as<Typed>();
      kept != nullptr && is_library(*kept->type, LibraryClass::kPath)) {
    const Word word = program_.words().single(kept->type->words).value_or(Word{});
    return "Path(" + python_literal(program_.letters().text(word)) + ")";
  }
  return "None";
}

std::string Confirmer::made(const Recipe& recipe, const State& state,
                            const std::vector<Value>& inputs) const {
  if (recipe.cls == Recipe::kInput) return literal(state, inputs[recipe.input]);
  if (recipe.cls == Recipe::kMember) {
    const ClassFacts& facts = program_.classes()[recipe.input];
    size_t at = 0;
    for (const ClassVariable& variable : facts.variables) {
      if (!variable.value || variable.name.starts_with("_")) continue;
      if (at++ == recipe.member) return facts.name + "." + variable.name;
    }
    return "None";
  }
  std::vector<std::string> parts;
  for (const Recipe& argument : recipe.arguments) parts.push_back(made(argument, state, inputs));
  if (recipe.cls == Recipe::kTuple) return "(" + joined(parts) + (parts.size() == 1 ? ",)" : ")");
  return program_.classes()[recipe.cls].name + "(" + joined(parts) + ")";
}

Witness Confirmer::witness(const Failure& failure, const State& state,
                           const std::vector<Value>& inputs) const {
  Witness out;
  for (const Recipe& recipe : failure.state.recipes)
    out.arguments.push_back(made(recipe, state, inputs));
  const FunctionFacts& facts = *function_.facts;
  if (facts.binding == Binding::kModule) {
    out.call = "running the module";
    return out;
  }
  std::vector<std::string> shown = out.arguments;
  std::string callee = facts.name;
  const bool is_made = facts.cls && function_.definition->name == "__init__";
  if (is_made) {
    callee = program_.classes()[*facts.cls].name;
  } else if (facts.cls && facts.binding != Binding::kStaticMethod && !shown.empty()) {
    if (facts.binding != Binding::kClassMethod)
      callee = shown[0] + "." + function_.definition->name;
    shown.erase(shown.begin());
  }
  const Parameters& parameters = function_.definition->parameters;
  const size_t first_named = parameters.positional_only.size() + parameters.positional.size();
  const size_t named = function_.named_parameters();
  const size_t skipped = function_.parameters.size() - shown.size();
  for (size_t i = 0; i < shown.size(); ++i) {
    const size_t at = i + skipped;
    if (at >= named)
      shown[i] = (parameters.rest && at == named ? "*" : "**") + shown[i];
    else if (at >= first_named)
      shown[i] = parameters.keyword_only[at - first_named].name + "=" + shown[i];
  }
  out.call = facts.binding == Binding::kProperty ? callee : callee + "(" + joined(shown) + ")";
  return out;
}

}  // namespace nacre::python
