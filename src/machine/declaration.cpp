#include "machine/declaration.h"

#include <fmt/format.h>

#include "machine/machine.h"
#include "machine/quote.h"
#include "machine/transform.h"
#include "shell/ansi_quote.h"

namespace nacre::machine {

std::string attribute_letters(const Variable& variable) {
  std::string result;
  auto add = [&](bool has, char letter) {
    if (has) result += letter;
  };
  add(variable.is(kArray) && !variable.is_associative(), 'a');
  add(variable.is_associative(), 'A');
  add(variable.is(kInteger), 'i');
  add(variable.is(kReference), 'n');
  add(variable.is_readonly, 'r');
  add(variable.is(kTraced), 't');
  add(variable.is_exported, 'x');
  add(variable.is(kCapitalised), 'c');
  add(variable.is(kLowerCase), 'l');
  add(variable.is(kUpperCase), 'u');
  return result;
}

namespace {

std::string value_text(std::string_view value) {
  return needs_ansi_quotes(value) ? ansi_quoted(value) : double_quoted(value);
}

std::string key_text(const Array::Entry& entry) {
  if (entry.key == nullptr) return std::to_string(entry.index);
  if (needs_ansi_quotes(*entry.key)) return ansi_quoted(*entry.key);
  bool has_special = entry.key->empty() ||
                     entry.key->find_first_of(" \t\n'\"\\|&;()<>!{}*[]?^$`~#@=") != entry.key->npos;
  return has_special ? double_quoted(*entry.key) : *entry.key;
}

// ${a[@]@K}
std::string pairs_text(const Array& array) {
  std::string result;
  for (const Array::Entry& entry : array.entries()) {
    if (!result.empty() && !array.is_associative()) result += ' ';
    result += fmt::format("{} {}", key_text(entry), value_text(*entry.value));
    if (array.is_associative()) result += ' ';
  }
  return result;
}

}  // namespace

std::string compound_text(const Array& array) {
  std::string result = "(";
  for (const Array::Entry& entry : array.entries()) {
    if (result.size() > 1 && !array.is_associative()) result += ' ';
    result += fmt::format("[{}]={}", key_text(entry), value_text(*entry.value));
    if (array.is_associative()) result += ' ';
  }
  return result + ')';
}

std::string declaration(const Machine& machine, NameId name, const Variable& variable) {
  std::string letters = attribute_letters(variable);
  std::string result =
      fmt::format("declare -{} {}", letters.empty() ? "-" : letters, machine.names().text(name));
  if (variable.is(kArray)) {
    if (variable.array->is_assigned) result += "=" + compound_text(*variable.array);
  } else if (variable.is_set || variable.is(kReference)) {
    result += "=" + value_text(variable.value);
  }
  return result;
}

// ${x@letter}
std::string Machine::letter_transform(char letter, const Place& place, std::string_view value) {
  using shell::ParameterOp;
  const bool is_variable = place.name != kNoName;
  switch (letter) {
    case 'Q': return reusable_quoted(value);
    case 'U': return transformed(ParameterOp::kUpperAll, value, "", "", pattern_rules());
    case 'u': return transformed(ParameterOp::kUpperFirst, value, "", "", pattern_rules());
    case 'L': return transformed(ParameterOp::kLowerAll, value, "", "", pattern_rules());
    case 'E': return shell::decode_ansi_quoted(value);
    case 'P': return decoded_prompt(value);
    case 'a': return is_variable ? attribute_letters(state.variables.at(place.name)) : "";
    case 'K':
    case 'k':
      if (place.kind == Place::Kind::kAllElements && state.variables.at(place.name).is(kArray)) {
        return pairs_text(*state.variables.at(place.name).array);
      }
      return reusable_quoted(value);
    default: break;
  }
  if (!is_variable) {  // A
    return "set -- " + reusable_quoted(value);
  }
  const Variable& variable = state.variables.at(place.name);
  if (place.kind == Place::Kind::kAllElements && variable.is(kArray)) {
    return declaration(*this, place.name, variable);
  }
  std::string letters = attribute_letters(variable);
  const std::string& name = names().text(place.name);
  std::string scratch;
  const std::string* now = value_at(place, scratch);
  std::string assignment = now == nullptr ? name : name + "=" + reusable_quoted(*now);
  if (now == nullptr && letters.empty()) return "";
  return letters.empty() ? assignment : fmt::format("declare -{} {}", letters, assignment);
}

}  // namespace nacre::machine
