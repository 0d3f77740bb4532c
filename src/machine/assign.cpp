// Assignments to variables, and what follows from them.
#include <fmt/format.h>

#include "machine/machine.h"

namespace nacre::machine {

bool Machine::assign(NameId name, std::string_view value) {
  Variables& variables = state.variables;
  if (variables.at(name).is_readonly) {
    error(fmt::format("{}: is read only", names().text(name)));
    return false;
  }
  variables.set(name, value);
  if (state.options.has(Option::kAllExport)) variables.set_exported(name, true);
  if (variables.has_changes()) react_to_changes();
  return true;
}

void Machine::react_to_changes() {
  uint8_t changes = state.variables.take_changes();
  if ((changes & kPathChanged) != 0) state.hashed.clear();
  if ((changes & kOptindChanged) != 0) state.getopts_offset = 0;
  if ((changes & kLocaleChanged) != 0) {
    auto category = [&](std::string_view name) {
      for (std::string_view from : {std::string_view("LC_ALL"), name, std::string_view("LANG")}) {
        const std::string* value = state.variables.get(from);
        if (value != nullptr && !value->empty()) return *value;
      }
      return std::string();
    };
    state.locale = Locale(category("LC_CTYPE"), category("LC_COLLATE"));
  }
  if ((changes & (kIfsChanged | kLocaleChanged)) != 0) classify_separators();
}

}  // namespace nacre::machine
