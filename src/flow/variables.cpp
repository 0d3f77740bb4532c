// Reading and writing variables.
#include "base/ascii.h"
#include "flow/interpreter.h"

namespace nacre::flow {

ValueId Interpreter::lookup(Name name, const Environment& environment) const {
  const auto at = static_cast<size_t>(name);
  return at < environment.variables->size() ? (*environment.variables)[at] : values_.inherited();
}

const Value& Interpreter::value(Name name, const Environment& environment) const {
  return values_[lookup(name, environment)];
}

void Interpreter::put(Name name, ValueId id, Environment& environment) {
  const auto at = static_cast<size_t>(name);
  auto& variables = environment.variables.edit();
  if (variables.size() <= at) variables.resize(at + 1, values_.inherited());
  variables[at] = id;
}

void Interpreter::store(Name name, Value value, Environment& environment) {
  if (this->value(name, environment).is_reference) return store_referred(name, value, environment);
  value.is_assigned = true;
  if (const auto kept = script_.kept.find(name); kept != script_.kept.end()) {
    value = joined(values_[kept->second], value);
    value.is_tainted = false;  // whatever is assigned is a number, or a seed of one
  }
  if (trapped_.contains(name)) value = joined(values_[set_elsewhere_], value);
  const Value& before = this->value(name, environment);
  if (before.is_spelled && !is_surely_unset(value)) {
    value.is_integer = before.is_integer;
    value.is_spelled = true;
    if (!value.is_array) spell(value);
  }
  put(name, values_.add(std::move(value)), environment);
  if (environment.lost->contains(name)) environment.lost.edit().erase(name);
}

// What is put into a reference is in one of the variables that it was ever said to stand for.
void Interpreter::store_referred(Name reference, const Value& value, Environment& environment) {
  for (const Name target : references_[reference]) {
    if (this->value(target, environment).is_reference) continue;  // a circle
    store(target, joined(value, this->value(target, environment)), environment);
  }
  if (references_[reference].empty()) forget_variables(environment, value.origin);
}

// What is known of a parameter is known better now.
void Interpreter::refine_parameter(const shell::Parameter& node, Value value,
                                   Environment& environment) {
  if (node.subscript != nullptr || node.is_indirect) return;
  const bool is_there = !may_be_empty(value) && !value.is_array;
  const bool is_bare = value.text_before.empty() && value.text_after.empty();
  const std::string_view source = is_bare ? value.copied : std::string_view{};
  const ValueId from = value.from;
  ValueId before = values_.inherited();
  const ValueId after = values_.add(std::move(value));
  if (node.kind == shell::ParameterKind::kVariable) {
    before = lookup(names_[node.name], environment);
    put(names_[node.name], after, environment);
  } else {
    if (node.kind != shell::ParameterKind::kPositional || node.position == 0) return;
    keep_positional(node, environment);
    auto& first = environment.positional.first;
    if (node.position > first.size()) return;
    before = std::exchange(first[node.position - 1], after);
  }
  if (!is_there) return;
  refine_copies(node.name, before, after, environment);
  if (!source.empty()) refine_source(source, from, environment);
}

// Makes $1 to $N values of their own, which can be told apart from those after a `shift`.
void Interpreter::keep_positional(const shell::Parameter& node, Environment& environment) {
  Positional& positional = environment.positional;
  while (positional.may_have_more && positional.first.size() < node.position) {
    positional.first.push_back(
        this->positional(static_cast<uint32_t>(positional.first.size()) + 1, environment));
  }
}

// The same value, known not to be empty.
ValueId Interpreter::present(ValueId id) {
  Value value = values_[id];
  const Lang empty = context_.literal("");
  value.strings = value.strings - empty;
  if (value.skeleton) value.skeleton = *value.skeleton - empty;
  value.may_be_unset = value.may_be_foreign = false;
  value.needs.reset();
  return values_.add(std::move(value));
}

// `x=$1; [ -n "$1" ] || exit`: x is not empty, either.
void Interpreter::refine_copies(std::string_view name, ValueId before, ValueId after,
                                Environment& environment) {
  if (!values_.has_copies(before)) return;
  for (size_t i = 0; i < environment.variables->size(); i++) {
    const ValueId old = (*environment.variables)[i];
    const Value& copy = values_[old];
    if (copy.copied != name || copy.from != before || copy.text) continue;
    Value narrowed = values_[present(old)];
    narrowed.from = after;
    if (!copy.text_before.empty() || !copy.text_after.empty()) {
      const Lang front = context_.literal(copy.text_before);
      const Lang back = context_.literal(copy.text_after);
      narrowed.strings = front + values_[after].strings + back;
      narrowed.skeleton = front + skeleton_of(values_[after]) + back;
    }
    const ValueId changed = values_.add(std::move(narrowed));
    environment.variables.edit()[i] = changed;
    refine_copies(names_.text(Name{static_cast<uint32_t>(i)}), old, changed, environment);
  }
}

// `x=$1; [ -n "$x" ] || exit`: neither is $1, if it is still the same.
void Interpreter::refine_source(std::string_view name, ValueId from, Environment& environment) {
  const Value value = values_[from];
  if (value.text || value.is_array) return;
  bool is_same = false;
  if (is_digit(name[0])) {
    for (ValueId& id : environment.positional.first) {
      is_same |= id == from;
      if (id == from) id = present(from);
    }
  } else if (lookup(names_[name], environment) == from) {
    is_same = true;
    put(names_[name], present(from), environment);
  }
  const bool is_bare = value.text_before.empty() && value.text_after.empty();
  if (is_same && is_bare && !value.copied.empty())
    refine_source(value.copied, value.from, environment);
}

// What the environment of any process holds.
void Interpreter::inherit(Environment& environment) {
  for (const std::string_view name : {"HOME", "PWD", "OLDPWD"}) {
    Value path(context_.literal("/") + any_value(context_));
    path.source = Source::kEnvironment;
    path.prefix = "/";
    put(names_[name], values_.add(path), environment);
  }
  const Lang directory = star(
      context_.set(regular::CharSet::all(context_.alphabet()) - regular::CharSet::of({"\0:", 2})));
  Value path(directory + star(context_.literal(":") + directory));
  path.source = Source::kEnvironment;
  put(names_["PATH"], values_.add(path), environment);
  for (const std::string_view name :
       {"USER", "LOGNAME", "SHELL", "HOSTNAME", "BASH", "BASH_VERSION"}) {
    Value text = unknown(context_, Source::kEnvironment);
    text.strings = any_value(context_) - context_.literal("");
    text.may_be_unset = name.starts_with("BASH") && tree_.dialect() != shell::Dialect::kBash;
    text.is_tainted = false;
    put(names_[name], values_.add(text), environment);
  }
  // Every shell begins with this, whatever its environment holds.
  put(ifs_, values_.add(constant(context_, " \t\n")), environment);
  inherit_numbers(environment);
}

// What the shell itself counts; it goes on counting whatever is assigned. A plain sh has few of
// them, and the terminal's size is not known to every shell.
void Interpreter::inherit_numbers(Environment& environment) {
  const bool is_plain =
      tree_.dialect() != shell::Dialect::kBash && tree_.dialect() != shell::Dialect::kKsh;
  const auto number = [&](std::string_view name, bool is_there) {
    Value result(plus(context_.set(regular::CharSet::range('0', '9'))));
    result.source = Source::kEnvironment;
    result.may_be_unset = !is_there;
    const ValueId id = values_.add(std::move(result));
    put(names_[name], id, environment);
    return id;
  };
  for (const std::string_view name : {"LINENO", "OPTIND", "PPID"})
    script_.kept.emplace(names_[name], number(name, true));
  for (const std::string_view name :
       {"UID", "EUID", "RANDOM", "SRANDOM", "BASHPID", "BASH_SUBSHELL", "EPOCHSECONDS"})
    script_.kept.emplace(names_[name], number(name, !is_plain));
  if (!is_plain)
    script_.kept.emplace(names_["SECONDS"], number("SECONDS", true));  // ksh has fractions
  for (const std::string_view name : {"PIPESTATUS", "BASH_LINENO"}) {
    const ValueId id = number(name, false);
    script_.kept.emplace(names_[name], id);
  }
  for (const std::string_view name : {"COLUMNS", "LINES"}) number(name, false);
}

// The environment as it is now.
void Interpreter::inherit_present(Environment& environment) {
  if (options_.files == nullptr || !options_.concretizes) return;
  for (const auto& [name, text] : options_.files->environment()) {
    Value value = constant(context_, text);
    value.source = Source::kEnvironment;
    put(names_[name], values_.add(std::move(value)), environment);
  }
}

}  // namespace nacre::flow
