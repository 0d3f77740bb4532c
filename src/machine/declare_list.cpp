// Variables and functions as `set`, `declare` and `type` of bash print them.
#include <algorithm>
#include <fmt/format.h>

#include "machine/declaration.h"
#include "machine/declare.h"
#include "machine/machine.h"
#include "machine/quote.h"
#include "shell/function_text.h"

namespace nacre::machine {

namespace {

bool is_plain_value(std::string_view value) {
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '~' && (i == 0 || value[i - 1] == ':' || value[i - 1] == '=')) return false;
    if (std::string_view(" \t\n'\"\\|&;()<>!{}*[]?^$`").find(value[i]) != value.npos) return false;
  }
  return !value.starts_with('#');
}

}  // namespace

std::string assignment_text(const Machine& machine, NameId name) {
  const std::string& text = machine.names().text(name);
  const std::string* value = machine.state.variables.get(name);
  if (!machine.is_bash()) {
    return value == nullptr ? "" : fmt::format("{}={}\n", text, quoted(*value));
  }
  std::shared_ptr<const Array> array = machine.state.variables.array(name);
  if (array != nullptr) {
    return array->is_assigned ? fmt::format("{}={}\n", text, compound_text(*array)) : "";
  }
  if (value == nullptr) return "";
  bool is_bare = is_plain_value(*value) && !needs_ansi_quotes(*value);
  return fmt::format("{}={}\n", text, is_bare ? *value : reusable_quoted(*value));
}

std::vector<std::string> function_names(const Machine& machine) {
  std::vector<std::string> result;
  for (size_t i = 0; i < machine.state.functions.size(); ++i) {
    if (machine.state.functions[i].code == nullptr) continue;
    result.push_back(machine.names().text(NameId{static_cast<uint32_t>(i)}));
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::string function_text(const Machine& machine, NameId name) {
  const Function* function = machine.function(name);
  if (function == nullptr || function->definition == nullptr) return "";
  return shell::function_text(machine.names().text(name), *function->definition->source);
}

void export_function(Machine& machine, NameId name, bool on) {
  const std::string& text = machine.names().text(name);
  machine.state.functions[static_cast<uint32_t>(name)].is_exported = on;
  std::string variable = fmt::format("BASH_FUNC_{}%%=", text);
  machine.state.variables.remove_foreign(variable);
  if (!on) return;
  std::string body = function_text(machine, name).substr(text.size() + 1);  // from the () on
  while (!body.empty() && body.back() == '\n') body.pop_back();
  std::erase(body, '\0');
  size_t newline = body.find('\n');
  if (newline != std::string::npos && body.starts_with("() \n")) body.replace(0, 4, "() ");
  machine.state.variables.add_foreign(variable + body);
}

}  // namespace nacre::machine
