// declare, local, export, readonly.
#include <algorithm>
#include <utility>

#include "flow/builtins.h"
#include "flow/expansion.h"
#include "flow/rules/publish.h"
#include "flow/run.h"
#include "flow/simple_command.h"
#include "flow/variables.h"
#include "regular/decide.h"
#include "shell/characters.h"

namespace nacre::flow {

namespace {

// Makes it a variable of the function's own; false if it is one already.
bool hide_variable(Run& run, Name name, Environment& environment) {
  auto& locals = run.frames.back().locals;
  const auto is_this = [&](const auto& local) { return local.first == name; };
  if (std::any_of(locals.begin(), locals.end(), is_this)) return false;
  locals.emplace_back(name, run.lookup(name, environment));
  run.put(name, run.values.nothing(), environment);
  return true;
}

// A new variable of a function may have the value that it hides: but for bash and ksh always, and
// there if that was assigned before a call: `x=1 f`.
bool begins_as_hidden(Run& run, Name name) {
  const bool is_bash =
      run.tree.dialect() == shell::Dialect::kBash || run.tree.dialect() == shell::Dialect::kKsh;
  const auto is_this = [&](const auto& hidden) { return hidden.first == name; };
  return !is_bash || std::any_of(run.frames.begin(), run.frames.end(), [&](const Frame& frame) {
    return std::any_of(frame.hidden.begin(), frame.hidden.end(), is_this);
  });
}

// `local -n r=x`: from now on something may be put into x by another name, and what is in r is
// whatever is in x.
void refer_to(Run& run, Name reference, const Value& target, Environment& environment) {
  Value referred = unknown(run.languages, Source::kScript, target.origin);
  referred.may_be_unset = referred.is_reference = referred.is_assigned = true;
  run.put(reference, run.values.add(std::move(referred)), environment);
  std::set<Name>& targets = run.references[reference];
  if (!target.text || !shell::is_name(*target.text)) {
    targets.clear();
    return forget_variables(run, environment, target.origin);
  }
  targets.insert(run.names[*target.text]);
  store(run, run.names[*target.text], something(run.languages, Source::kScript, target.origin),
        environment);
}

void set_attributes(const Attributes& given, Value& value) {
  value.is_integer = given.is_integer || (value.is_integer && !given.removes);
  value.is_converted =
      given.is_converted || given.is_integer || (value.is_converted && !given.removes);
}

void declare_one(Run& run, const NamedValue& named, const Value* assigned, const shell::Word& word,
                 Attributes given, Environment& environment) {
  const Name name = run.names[named.name];
  Value before = run.value(name, environment);
  const bool is_copy = begins_as_hidden(run, name);
  if (given.is_local && !hide_variable(run, name, environment)) {
    given.is_local = false;  // it stays what it is
    if (!named.has_value) before = joined(before, unset(run.languages, word.span));
  }
  if (given.removes) {
    before.is_integer = before.is_converted = false;
    run.put(name, run.values.add(before), environment);
  }
  if (!named.has_value) {
    const bool changes = given.is_array || given.is_integer || given.is_converted || given.removes;
    if (given.keeps && !changes) return;
    Value value = given.is_local || given.is_array ? unset(run.languages, word.span) : before;
    if (is_copy && given.is_local) value = joined(before, value);
    if (given.is_array && !given.is_local) value = joined(before, value);
    value.is_array |= given.is_array;
    set_attributes(given, value);
    store(run, name, std::move(value), environment);
    return;
  }
  Value value = *assigned;
  if (given.is_reference) return refer_to(run, name, value, environment);
  if (named.is_append && (is_copy || !given.is_local))
    value = value.is_array ? joined(value, before) : appended(run, before, value, word.span);
  if (named.is_element || (before.is_array && !given.is_local && !assigned->is_array)) {
    value = joined(value, before);
    value.text.reset();
    value.is_array = true;
  }
  set_attributes(given, value);
  if (value.is_converted && !value.is_array) apply_attributes(run, value);
  value.is_array |= given.is_array;
  value.origin = word.span;
  const Span place{word.span.begin, word.span.begin + static_cast<uint32_t>(named.name.size())};
  note_name(run, place, name, NameUse::kAssigned, value);
  store(run, name, std::move(value), environment);
}

// `declare "$n=$x"`, `export $settings`: which variable it is, the type of the word may tell.
void declare_by_name(Run& run, const shell::Word& word, const Attributes& given,
                     Environment& environment) {
  const Value whole = value_again(run, word, environment);
  const size_t equals = whole.prefix.find('=');
  if (equals == std::string::npos) {
    const Lang assigning = run.languages.all() + run.languages.literal("=") + run.languages.all();
    const bool may_assign = !regular::disjoint(whole.strings, assigning, run.options.budget).yes();
    if (may_assign) forget_variables(run, environment, word.span);
    return;
  }
  const std::string front = whole.prefix.substr(0, equals + 1);
  Value value(derivative(whole.strings, front));
  if (whole.text) value = constant(run.languages, whole.text->substr(front.size()), word.span);
  value.is_opaque = whole.is_opaque;
  value.source = whole.source;
  value.is_tainted = whole.is_tainted;
  value.origin = word.span;
  const size_t end = front.find_last_not_of("+=") + 1;
  const std::string name = front.substr(0, end);
  if (front.size() > end + 1) value = unknown(run.languages, Source::kScript, word.span);  // +=
  if (given.is_local && shell::is_name(name)) hide_variable(run, run.names[name], environment);
  store_by_name(run, {word.span, run.languages.literal(name), name, name, false}, std::move(value),
                environment);
}

// The value of a word `name=value`, which is not split.
Value assigned_value(Run& run, const shell::Word& word, Environment& environment) {
  const Findings::Muted muted(run.findings);  // it was expanded before, as a word of the command
  const Scoped again(run.where.is_again, true);
  std::vector<Fragment> fragments;
  add_fragments(run, word.parts(), true, environment, fragments);
  join_lists(fragments);
  const std::string first = *fragments[0].value.text;
  const std::string_view rest = std::string_view(first).substr(first.find('=') + 1);
  fragments[0].value = constant(run.languages, rest, fragments[0].span);
  if (fragments.size() == 2 && rest.empty()) fragments.erase(fragments.begin());
  if (fragments[0].kind == FragmentKind::kList) return fragments[0].value;  // name=(...)
  return concatenated(run.languages, fragments, word.span);
}

NamedValue named_value(const shell::Word& word) {
  NamedValue result;
  if (word.parts().empty() || !word.parts()[0].is_text()) return result;
  const std::string_view text = word.parts()[0].text();
  const size_t end = std::min(text.find_first_of("=+["), text.size());
  if (!shell::is_name(text.substr(0, end))) return result;
  result.name = text.substr(0, end);
  const size_t equals = text.find('=', end);
  result.has_value = equals != std::string_view::npos;
  result.is_append = result.has_value && equals > 0 && text[equals - 1] == '+';
  result.is_element = end < text.size() && text[end] == '[';
  return result;
}

// declare, local, export, readonly: `name` or `name=value`, after options.
Ran declare_all(Run& run, Call& call, bool is_local, bool keeps) {
  Environment& environment = call.environment;
  if (call.fields.size() == 1) return run.opaque();  // it prints all variables
  Attributes attributes;
  attributes.is_local = is_local;
  attributes.keeps = keeps;
  Substituted substituted = call.substituted;
  std::vector<Value> values;  // `local x=$y y=$x`: all are expanded before anything is assigned
  {
    const Scoped noted(run.where.substituted, &substituted);
    for (const shell::Word& word : call.simple.words.subspan(1))
      if (named_value(word).has_value) values.push_back(assigned_value(run, word, environment));
  }
  auto next = values.begin();
  for (const shell::Word& word : call.simple.words.subspan(1)) {
    const NamedValue named = named_value(word);
    const std::string_view option = word.is_literal() ? word.literal() : "";
    if (!named.name.empty()) {
      declare_one(run, named, named.has_value ? &*next++ : nullptr, word, attributes, environment);
    } else if (option.starts_with('-') || option.starts_with('+')) {
      attributes.add(option);
      if (option.find_first_of("fFp") != std::string_view::npos) return run.opaque();
    } else {
      declare_by_name(run, word, attributes, environment);
    }
  }
  if (substituted.status) publish(DeclarationEvent{call, *substituted.status}, run.rules);
  environment.status = succeeded(call.node.span);
  return run.none();
}

}  // namespace

Ran run_declare(Run& run, Call& call) {
  return declare_all(run, call, run.frames.back().function != nullptr, false);
}

Ran run_local(Run& run, Call& call) { return declare_all(run, call, true, false); }

Ran run_export(Run& run, Call& call) { return declare_all(run, call, false, true); }

void Attributes::add(std::string_view option) {
  const auto has = [&](std::string_view letters) {
    return option.find_first_of(letters) != std::string_view::npos;
  };
  if (option[0] == '+') {
    removes = true;
    return;
  }
  is_integer |= has("i");
  is_converted |= has("ulc");
  is_reference |= has("n") && !keeps;
  is_array |= has("aA");
  if (has("g")) is_local = false;
}

}  // namespace nacre::flow
