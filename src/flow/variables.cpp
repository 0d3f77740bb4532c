// Writing variables, and learning more about their values.
#include "flow/variables.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "flow/expansion.h"
#include "flow/place_names.h"
#include "flow/run.h"
#include "shell/characters.h"

namespace nacre::flow {

namespace {

// What is put into a reference is in one of the variables that it was ever said to stand for.
void store_referred(Run& run, Name reference, const Value& value, Environment& environment) {
  for (const Name target : run.references[reference]) {
    if (run.value(target, environment).is_reference) continue;  // a circle
    store(run, target, joined(value, run.value(target, environment)), environment);
  }
  if (run.references[reference].empty()) forget_variables(run, environment, value.origin);
}

// `x=$1; [ -n "$x" ] || exit`: neither is $1, if it is still the same.
void refine_source(Run& run, std::string_view name, ValueId from, Environment& environment) {
  const Value value = run.values[from];
  if (value.text || value.is_array) return;
  bool is_same = false;
  if (is_digit(name[0])) {
    for (ValueId& id : environment.positional.first) {
      is_same |= id == from;
      if (id == from) id = present_value(run, from);
    }
  } else if (run.lookup(run.names[name], environment) == from) {
    is_same = true;
    run.put(run.names[name], present_value(run, from), environment);
  }
  const bool is_bare = value.text_before.empty() && value.text_after.empty();
  if (is_same && is_bare && !value.copied.empty())
    refine_source(run, value.copied, value.from, environment);
}

}  // namespace

// Any variable may have been set, and any function defined. That unknown code empties
// what the script relies on is not assumed.
void forget_variables(Run& run, Environment& environment, Span by) {
  const auto [known, is_new] = run.memo.forgotten.try_emplace(by.begin);
  if (is_new) {
    Value anything = something(run.languages, Source::kScript, by);
    anything.may_be_foreign = true;
    anything.is_tainted = false;
    known->second = run.values.add(std::move(anything));
  }
  const ValueId id = known->second;
  auto& variables = environment.variables.edit();
  variables.resize(run.names.size(), run.values.inherited());
  for (size_t i = 0; i < variables.size(); i++) {
    if (run.script.kept.contains(Name{static_cast<uint32_t>(i)})) continue;
    ValueId& value = variables[i];
    value = value == run.values.inherited() ? id : run.values.join(value, id);
  }
  environment.has_unknown_code = true;
  if (!environment.lost->empty()) environment.lost = {};
  if (!environment.places->empty()) environment.places = {};
}

// What may become of a value by the attributes of its variable, if it has them here.
void apply_attributes(Run& run, Value& value) {
  Value result = value.is_integer ? Value(integers(run.languages)) : value;
  if (!value.is_integer) result.strings = any_value(run.languages);
  result.text.reset();
  result.prefix.clear();
  result.skeleton.reset();
  result.copied = {};
  result.origin = value.origin;
  result.is_integer = value.is_integer;
  result.is_converted = result.is_assigned = true;
  value = std::move(result);
}

// The variable that a word names; if it is not known which, any. An element of an array is one of
// several.
void store_by_name(Run& run, const commands::Argument& word, Value value,
                   Environment& environment) {
  if (!word.text) return forget_variables(run, environment, word.span);
  const std::string_view text = *word.text;
  const std::string_view name = text.substr(0, text.find('['));
  if (!shell::is_name(name)) return;
  note_name(run, word.span, run.names[name], NameUse::kAssigned, value);
  if (name.size() < text.size()) {
    value = joined(value, run.value(run.names[name], environment));
    value.is_array = true;
    value.text.reset();
  }
  store(run, run.names[name], std::move(value), environment);
}

void store(Run& run, Name name, Value value, Environment& environment) {
  if (run.value(name, environment).is_reference)
    return store_referred(run, name, value, environment);
  value.is_assigned = true;
  if (const auto kept = run.script.kept.find(name); kept != run.script.kept.end()) {
    value = joined(run.values[kept->second], value);
    value.is_tainted = false;  // whatever is assigned is a number, or a seed of one
  }
  if (run.trapped.contains(name)) value = joined(run.values[run.set_elsewhere], value);
  const Value& before = run.value(name, environment);
  if (before.is_converted && !is_surely_unset(value)) {
    value.is_integer = before.is_integer;
    value.is_converted = true;
    if (!value.is_array) apply_attributes(run, value);
  }
  run.put(name, run.values.add(std::move(value)), environment);
  if (!environment.places->empty()) {
    const std::string part = place_variable(run.names.text(name));
    const auto is_named = [&](const auto& place) { return place.first.find(part) != part.npos; };
    if (std::any_of(environment.places->begin(), environment.places->end(), is_named))
      forget_places_naming(environment.places.edit(), part);
  }
  if (environment.lost->contains(name)) environment.lost.edit().erase(name);
}

// What is known of a parameter is known better now.
void refine_parameter(Run& run, const shell::Parameter& node, Value value,
                      Environment& environment) {
  if (node.subscript != nullptr || node.is_indirect) return;
  const bool is_there = !may_be_empty(value) && !value.is_array;
  const bool is_bare = value.text_before.empty() && value.text_after.empty();
  const std::string_view source = is_bare ? value.copied : std::string_view{};
  const ValueId from = value.from;
  ValueId before = run.values.inherited();
  const ValueId after = run.values.add(std::move(value));
  if (node.kind == shell::ParameterKind::kVariable) {
    before = run.lookup(run.names[node.name], environment);
    run.put(run.names[node.name], after, environment);
  } else {
    if (node.kind != shell::ParameterKind::kPositional || node.position == 0) return;
    keep_positional(run, node, environment);
    auto& first = environment.positional.first;
    if (node.position > first.size()) return;
    before = std::exchange(first[node.position - 1], after);
  }
  if (!is_there) return;
  refine_copies(run, node.name, before, after, environment);
  if (!source.empty()) refine_source(run, source, from, environment);
}

// Makes $1 to $N values of their own, which can be told apart from those after a `shift`.
void keep_positional(Run& run, const shell::Parameter& node, Environment& environment) {
  Positional& positional = environment.positional;
  while (positional.may_have_more && positional.first.size() < node.position) {
    positional.first.push_back(
        positional_parameter(run, static_cast<uint32_t>(positional.first.size()) + 1, environment));
  }
}

// The same value, known not to be empty.
ValueId present_value(Run& run, ValueId id) {
  Value value = run.values[id];
  const Lang empty = run.languages.literal("");
  value.strings = value.strings - empty;
  if (value.skeleton) value.skeleton = *value.skeleton - empty;
  value.may_be_unset = value.may_be_foreign = false;
  value.needs.reset();
  return run.values.add(std::move(value));
}

// `x=$1; [ -n "$1" ] || exit`: x is not empty, either.
void refine_copies(Run& run, std::string_view name, ValueId before, ValueId after,
                   Environment& environment) {
  if (!run.values.has_copies(before)) return;
  for (size_t i = 0; i < environment.variables->size(); i++) {
    const ValueId old = (*environment.variables)[i];
    const Value& copy = run.values[old];
    if (copy.copied != name || copy.from != before || copy.text) continue;
    Value narrowed = run.values[present_value(run, old)];
    narrowed.from = after;
    if (!copy.text_before.empty() || !copy.text_after.empty()) {
      const Lang front = run.languages.literal(copy.text_before);
      const Lang back = run.languages.literal(copy.text_after);
      narrowed.strings = front + run.values[after].strings + back;
      narrowed.skeleton = front + skeleton_of(run.values[after]) + back;
    }
    const ValueId changed = run.values.add(std::move(narrowed));
    environment.variables.edit()[i] = changed;
    refine_copies(run, run.names.text(Name{static_cast<uint32_t>(i)}), old, changed, environment);
  }
}

void note_name(Run& run, Span place, Name name, NameUse use, const Value& value) {
  if (run.records())
    run.recorder->name(place, name, use, expansion_of(value), run.is_local(name), run.where);
}

}  // namespace nacre::flow
