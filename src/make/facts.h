// What the rules about Makefiles look at: the statements, the database, the recipes as shell
// programs and what their commands do. Rules only read it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "make/calls.h"
#include "make/database.h"
#include "make/recipe.h"

namespace nacre::make {

// A recipe with the facts of each of its lines.
struct RecipeFacts {
  const Recipe* recipe = nullptr;
  std::vector<LineFacts> lines;

  [[nodiscard]] bool is_understood() const;
  [[nodiscard]] bool uses_target_variable() const;           // `$@`, `$(@D)`
  [[nodiscard]] bool contains(std::string_view name) const;  // in the text of some line
  // Whether a line whose effects are not known names the path, also as `$@`: it may make it.
  [[nodiscard]] bool mentions(std::string_view name) const;
};

// `$(x)` somewhere in the Makefile itself.
struct VariableUse {
  std::string_view name;  // in the text of the file
  Span span;              // of the reference
  bool in_recipe = false;
};

struct Facts {
  SourceFile file;
  std::vector<Statement> statements;
  const Database* database = nullptr;
  std::vector<Recipe> recipes;
  std::vector<RecipeFacts> recipe_facts;  // of each recipe
  std::vector<VariableUse> uses;
  std::map<std::string_view, size_t> use_counts;  // by name
  // Indices into recipe_facts by target; npos: it has several recipes.
  std::map<std::string_view, size_t> recipe_by_target;
  RecipeShell shell;
  bool phony_is_unknown = false;  // .PHONY has names that only make knows

  [[nodiscard]] std::string_view of(Span span) const { return file.text(span); }
  // It stands in the Makefile that is checked, not in one that it includes.
  [[nodiscard]] bool is_here(const Place& place) const { return place.file.name() == file.name(); }
  [[nodiscard]] bool is_phony(std::string_view target) const;
  // The recipe of a target; null if it has none, or several.
  [[nodiscard]] const RecipeFacts* recipe_of(std::string_view target) const;
  // Where the name of a target stands in a rule; the whole list if it is the value of something.
  [[nodiscard]] Span target_span(const Rule& rule, std::string_view target) const;
};

[[nodiscard]] Facts gather_facts(const SourceFile& file, const Database& database,
                                 const ReadOptions& options, const commands::CardLibrary& cards,
                                 std::vector<Diagnostic>& findings);

// Every reference in `text`, also those within others; offsets are of `text`.
[[nodiscard]] std::vector<Span> references_in(std::string_view text);

}  // namespace nacre::make
