// Variables in the words of a Dockerfile, as the builder (not a shell) replaces them in FROM, ENV,
// COPY and most other instructions: $name, ${name} and its modifiers, within quotes as in a shell.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::docker {

struct VariableUse {
  std::string name;
  bool has_default = false;  // ${x:-y}, ${x:+y}: unset is foreseen
};

struct Expanded {
  std::string text;      // without quotes; what is not known is left out
  bool is_known = true;  // false: a variable has no known value
  std::vector<VariableUse> uses;
};

// The value of a variable; nothing: not known.
using Lookup = std::function<std::optional<std::string>(std::string_view name)>;

Expanded expand(std::string_view word, char escape, const Lookup& lookup);

// The variables of a word, and its text without quotes.
Expanded find_variables(std::string_view word, char escape);

}  // namespace nacre::docker
