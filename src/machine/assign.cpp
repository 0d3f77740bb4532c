// Assignments to variables, and what follows from them.
#include <algorithm>
#include <fmt/format.h>

#include "machine/arithmetic.h"
#include "machine/machine.h"

namespace nacre::machine {

namespace {

std::string with_case(std::string value, uint8_t attributes) {
  bool to_upper = (attributes & kUpperCase) != 0;
  bool to_lower = (attributes & (kLowerCase | kCapitalised)) != 0;
  for (char& c : value) {
    if (to_upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (to_lower && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if ((attributes & kCapitalised) != 0 && !value.empty() && value[0] >= 'a' && value[0] <= 'z') {
    value[0] = static_cast<char>(value[0] - 'a' + 'A');
  }
  return value;
}

}  // namespace

bool Machine::complain_readonly(NameId name) {
  error(
      fmt::format("{}: {}", names().text(name), is_bash() ? "readonly variable" : "is read only"));
  return false;
}

NameId Machine::assignable(NameId name) {
  NameId meant = state.variables.referent(name);
  if (meant == kNoName) {
    error(fmt::format("warning: {}: circular name reference", names().text(name)));
  } else if (state.variables.at(meant).is_readonly) {
    complain_readonly(meant);
    meant = kNoName;
  }
  return meant;
}

// `old`: what the value is appended to, or null.
std::optional<std::string> Machine::converted(NameId name, std::string_view value,
                                              const std::string* old) {
  uint8_t attributes = state.variables.at(name).attributes;
  if ((attributes & kInteger) == 0) {
    return with_case((old == nullptr ? "" : *old) + std::string(value), attributes);
  }
  std::optional<int64_t> number = evaluate_text(value);
  if (!number) return std::nullopt;
  if (old != nullptr) {
    std::optional<int64_t> before = evaluate_text(*old);
    if (!before) return std::nullopt;
    number = static_cast<int64_t>(static_cast<uint64_t>(*number) + static_cast<uint64_t>(*before));
  }
  return std::to_string(*number);
}

// A reference to something that is not a variable: it may be an element, or not refer to anything
// yet.
bool Machine::assign_special(NameId name, std::string_view value, bool is_append) {
  Variables& variables = state.variables;
  if (variables.at(name).is(kReference)) {
    const std::string target = variables.at(name).value;
    if (target.empty()) {
      variables.set_reference(name, value);
      return true;
    }
    if (target.find('[') != std::string::npos) return assign_named(target, value);
  }
  NameId meant = assignable(name);
  if (meant == kNoName) return false;
  const Variable& variable = variables.at(meant);
  if (variable.is(kArray)) {
    return assign_element(meant, variable.is_associative() ? Key("0") : Key(0), value, is_append);
  }
  if (variable.is(kDynamic)) return assign_dynamic(meant, value);
  std::optional<std::string> result =
      converted(meant, value, is_append ? variables.get(meant) : nullptr);
  if (!result) return false;
  variables.set(meant, *result);
  if (state.options.has(Option::kAllExport)) variables.set_exported(meant, true);
  if (variables.has_changes()) react_to_changes();
  return true;
}

std::optional<Key> Machine::key_of(NameId name, std::string_view subscript) {
  const NameId meant = state.variables.referent(name);
  const Variable* variable = meant == kNoName ? nullptr : &state.variables.at(meant);
  if (variable != nullptr && variable->is_associative()) return Key(subscript);
  std::optional<int64_t> index = evaluate_text(subscript);
  if (!index) return std::nullopt;
  if (*index < 0) {
    int64_t end =
        variable != nullptr && variable->array != nullptr ? variable->array->end_index() : 1;
    if (variable != nullptr && variable->is(kDynamic)) return Key(*index);
    *index += end;
  }
  if (*index >= 0) return Key(*index);
  error(fmt::format("{}[{}]: bad array subscript", names().text(name), subscript));
  shell_error(1);
  return std::nullopt;
}

bool Machine::assign_element(NameId name, const Key& key, std::string_view value, bool is_append) {
  NameId meant = assignable(name);
  if (meant == kNoName) return false;
  Variables& variables = state.variables;
  if (variables.at(meant).is(kDynamic)) {  // as bash, which ignores all but DIRSTACK
    auto at = static_cast<size_t>(key.index);
    bool is_stack = names().text(meant) == "DIRSTACK" && !key.is_text;
    if (is_stack && at > 0 && at <= state.directories.size()) state.directories[at - 1] = value;
    return true;
  }
  Key at = key;
  if (!key.is_text && key.index < 0) {
    const Variable& variable = variables.at(meant);
    at.index += variable.array == nullptr ? 1 : variable.array->end_index();
    if (at.index < 0) {
      error(fmt::format("{}[{}]: bad array subscript", names().text(name), key.index));
      return false;
    }
  }
  if (variables.at(meant).attributes == kArray && !is_append) {
    variables.array_for_change(meant).at(at).assign(value);
    return true;
  }
  const std::string* old = nullptr;
  if (is_append && variables.at(meant).array != nullptr) {
    old = variables.at(meant).array->find(at);
  } else if (is_append && at.index == 0) {
    old = variables.get(meant);
  }
  std::optional<std::string> result = converted(meant, value, old);
  if (!result) return false;
  variables.array_for_change(meant).at(at) = std::move(*result);
  return true;
}

bool Machine::assign_named(std::string_view target, std::string_view value) {
  size_t bracket = target.find('[');
  if (bracket == std::string_view::npos) return assign(names().intern(target), value);
  NameId name = names().intern(target.substr(0, bracket));
  std::string_view inside = target.substr(bracket + 1, target.size() - bracket - 2);
  std::optional<Key> key = key_of(name, inside);
  return key && assign_element(name, *key, value);
}

bool Machine::assign_place(const Place& place, std::string_view value) {
  if (place.kind == Place::Kind::kElement) return assign_element(place.name, place.key, value);
  return assign(place.name, value);
}

void Machine::set_array(std::string_view name, const std::vector<std::string>& values) {
  NameId id = names().intern(name);
  Array& array = state.variables.array_for_change(id);
  array.clear();
  array.is_assigned = true;
  for (size_t i = 0; i < values.size(); ++i) array.at(Key(static_cast<int64_t>(i))) = values[i];
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
