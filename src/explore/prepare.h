// From a user's text to a Script that can be explored: what its first line asks for, what its words
// expect, which of its arguments and variables have no value.
#pragma once

#include "base/result.h"
#include "base/source_file.h"
#include "explore/explorer.h"

namespace nacre::explore {

struct Given {
  std::string user = "root";
  std::vector<std::string> arguments;
  bool has_arguments = false;  // else $1 ... are unknown
  // Values by name (1, 2, ..., X); for a type, its shortest word. Nothing: unset.
  std::map<std::string, std::optional<std::string>> values;
  bool is_deep = false;
  bool has_variables = false;  // those of the environment that have no value are not set
};

// Sets the actor and its directory in `world`, too. An error says why the script cannot be explored
// (it is not for sh, does not parse, ...); its span is in the file.
[[nodiscard]] Result<Script> prepare(const SourceFile& file, const Given& given, World& world);

// A shortest word of the type `text`; the span of an error is in it.
[[nodiscard]] Result<std::string> word_of_type(std::string_view text);

}  // namespace nacre::explore
