// Reading and writing variables.
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
  value.is_assigned = true;
  put(name, values_.add(std::move(value)), environment);
  if (environment.lost->contains(name)) environment.lost.edit().erase(name);
}

void Interpreter::refine_parameter(const shell::Parameter& node, Value value,
                                   Environment& environment) {
  if (node.subscript != nullptr || node.is_indirect) return;
  if (node.kind == shell::ParameterKind::kVariable) {
    put(names_[node.name], values_.add(std::move(value)), environment);
    return;
  }
  if (node.kind != shell::ParameterKind::kPositional || node.position == 0) return;
  Positional& positional = environment.positional;
  while (positional.may_have_more && positional.first.size() < node.position) {
    positional.first.push_back(
        this->positional(static_cast<uint32_t>(positional.first.size()) + 1, environment));
  }
  if (node.position <= positional.first.size())
    positional.first[node.position - 1] = values_.add(std::move(value));
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
    text.is_tainted = false;
    put(names_[name], values_.add(text), environment);
  }
  for (const std::string_view name : {"UID", "EUID", "PPID", "RANDOM", "SECONDS", "LINENO",
                                      "BASHPID", "OPTIND", "COLUMNS", "LINES"}) {
    Value number(plus(context_.set(regular::CharSet::range('0', '9'))));
    number.source = Source::kEnvironment;
    put(names_[name], values_.add(number), environment);
  }
}

// The environment as it is now.
void Interpreter::inherit_present(Environment& environment) {
  if (options_.outside == nullptr) return;
  for (const auto& [name, text] : options_.outside->environment) {
    Value value = constant(context_, text);
    value.source = Source::kEnvironment;
    put(names_[name], values_.add(std::move(value)), environment);
  }
}

}  // namespace nacre::flow
