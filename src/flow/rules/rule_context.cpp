#include "flow/rules/rule_context.h"

#include "base/codes.h"

namespace nacre::flow {

ValueId RuleContext::id_of(std::string_view variable, const Environment& environment) const {
  const auto name = names.find(variable);
  const auto at = name ? static_cast<size_t>(*name) : environment.variables->size();
  return at < environment.variables->size() ? (*environment.variables)[at] : values.inherited();
}

const Value& RuleContext::value(std::string_view variable, const Environment& environment) const {
  return values[id_of(variable, environment)];
}

const shell::Function* RuleContext::function_named(std::string_view name,
                                                   const Environment& environment) const {
  const auto known = names.find(name);
  const auto at = known ? static_cast<size_t>(*known) : environment.functions->size();
  return at < environment.functions->size() ? (*environment.functions)[at].function : nullptr;
}

Diagnostic RuleContext::finding(std::string_view code, Span span, std::string message) const {
  return nacre::finding(code, file(), span, std::move(message));
}

}  // namespace nacre::flow
