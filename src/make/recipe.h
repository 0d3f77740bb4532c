// Recipes as shell programs. Each line of a recipe (or all of them, under .ONESHELL) becomes the
// text that make would give to the shell: prefixes `@-+` off, `$$` is `$`, references replaced by
// their values. What is not known stands in the text as a parameter that nothing assigns, a *hole*;
// spans of the tree are places in the Makefile.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "make/read.h"
#include "shell/parse.h"

namespace nacre::make {

struct ShellLine {
  std::string text;  // as the shell gets it, with holes as `${make_0}`
  std::unique_ptr<shell::ParseResult> program;
  std::vector<Span> holes;       // references in the Makefile whose value is not known
  std::vector<Span> references;  // all of them, also known ones
  Place place;                   // of the line's text, without its prefix character
  bool is_own = true;            // it stands in the Makefile, not in the value of a variable
  bool is_silent = false;        // @
  bool ignores_errors = false;   // -
  bool always_runs = false;      // +
  ArmId arm = kAlways;
};

struct Recipe {
  const Rule* rule = nullptr;
  // The only target; empty if there are several, or a pattern.
  std::string target;
  std::vector<ShellLine> lines;
};

// How recipes are run: SHELL and .SHELLFLAGS.
struct RecipeShell {
  std::optional<shell::Dialect> dialect = shell::Dialect::kSh;  // nothing: no shell that is known
  std::string options;                                          // "set -e" for `-ec`; or empty
  bool is_one_shell = false;
};
[[nodiscard]] RecipeShell recipe_shell(const Database& database, const ReadOptions& options);

// One for each rule with a recipe. Problems of references in them are added to `findings`.
[[nodiscard]] std::vector<Recipe> read_recipes(const Database& database, const ReadOptions& options,
                                               std::vector<Diagnostic>& findings);

[[nodiscard]] bool is_hole_name(std::string_view parameter);

}  // namespace nacre::make
