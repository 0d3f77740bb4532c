// The second question that can be asked of a document: the types of a script's commands and
// variables, or of the expressions of a Python program.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "project/language.h"
#include "project/settings.h"
#include "project/workspace.h"

namespace nacre::project {

// The type of something at one place, for people. Nothing is printed before it is asked for.
struct TypeAt {
  Span span;
  bool is_variable = false;  // or another value; else a command
  bool is_read = false;      // of a variable: it is not set here
  std::string name;          // of the command or the variable; empty for anything else
  std::function<std::string()> input, output, polymorphic;  // as in flow::TypeAt
};

// In the order of the text. `input`: what the script reads, as a type; empty: nothing is known of
// it. Must parse. `language`: none: by the first line or the name.
std::vector<TypeAt> types_of(const SourceFile& file, const Settings& settings, Workspace& workspace,
                             const std::string& input = "",
                             std::optional<Language> language = std::nullopt, Stop stop = {});

}  // namespace nacre::project
