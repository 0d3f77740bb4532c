// A shell script as a program of the CoLiS language, if it has a meaning there: strict mode is
// always on there, statuses are true or false, and only standard output is known. What has none is
// refused, with its place and the reason; nothing is left out silently.
//
//   TranslationOptions options;
//   options.arguments = {"configure"};          // "$@" of the script itself
//   Result<Program> program = from_shell(tree, options);
//
// With `is_original` it accepts and refuses what the original translator does, with its words.
// Otherwise more: docs/colis.md has the table. String operations that CoLiS lacks (`${x%.*}`,
// patterns of `case`, arithmetic) become calls of the utility `sh`, which sees nothing but their
// operands.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/result.h"
#include "colis/syntax.h"
#include "shell/parse.h"

namespace nacre::colis {

struct TranslationOptions {
  bool is_original = false;
  std::vector<std::string> arguments;
  // The text that `. PATH` reads, for an absolute path; nothing: it is not there. Without one, no
  // file can be read in.
  std::function<std::optional<std::string>(const std::string& path)> sources = {};
  uint32_t max_sources = 20;  // files within each other
  uint32_t max_depth = 400;   // of the tree that comes out
};

// The tree must be valid (ParseResult::is_valid).
[[nodiscard]] Result<Program> from_shell(const shell::Tree& tree,
                                         const TranslationOptions& options);

// Builtins that act on the shell itself: as a utility they would do nothing.
[[nodiscard]] bool acts_on_shell(std::string_view name);

}  // namespace nacre::colis
