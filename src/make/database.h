// What a Makefile says, once it has been read as GNU make reads it: variables with their values,
// rules with their recipes, the targets they make. Where a condition is not known, every arm has
// been read; `excludes` tells which rules cannot hold together. A plain value: rules (rules.h),
// recipes (recipe.h) and the simulated make work on it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "make/variables.h"

namespace nacre::make {

// A way through the conditionals that are not known: 0 is what always holds.
enum class ArmId : uint32_t {};
constexpr ArmId kAlways{0};
struct Arm {
  ArmId parent = kAlways;
  uint32_t choice = 0;  // arms of one choice exclude each other
};

struct RecipeLine {
  std::string text;  // without the prefix; continued lines as they stand
  Place place;
  bool is_own = true;  // `text` is what stands at `place`; false: it comes from an expansion
  ArmId arm = kAlways;
};

struct Rule {
  std::vector<std::string> targets;
  std::vector<std::string> prerequisites;
  std::vector<std::string> order_only;
  std::string target_pattern;    // of a static pattern rule; its prerequisites have `%`
  std::string second_expansion;  // prerequisites that are expanded once more, with `$@` and so on
  bool has_unknown_targets = false;  // further ones, whose names are known only to make
  bool has_unknown_prerequisites = false;
  bool is_assumed = false;  // names in it rest on defaults
  bool is_double_colon = false;
  bool is_grouped = false;
  bool is_pattern = false;
  bool is_suffix = false;   // `.c.o:` stands for `%.o: %.c`
  bool has_recipe = false;  // also an empty one
  std::vector<RecipeLine> recipe;
  ArmId arm = kAlways;
  Place place;        // the line
  Span targets_span;  // empty if the rule comes from an expansion
  Span prerequisites_span;
  bool is_own = true;  // it stands in the file as it is
};

struct TargetVariable {
  std::string target;  // a name or a pattern
  std::string name;
  Variable variable;
  AssignOp op = AssignOp::kRecursive;
};

// One name, from all rules that have it as a target.
struct Target {
  std::vector<size_t> rules;  // indices, in the order of the text
  bool is_phony = false;
};

struct AssignedAt {
  std::string name;
  Place place;       // of the statement
  Statement syntax;  // spans in place.file, if `is_own`
  bool is_own = true;
  ArmId arm = kAlways;
};

struct Database {
  SourceFile file;
  VariableMap variables;
  std::vector<Rule> rules;
  std::vector<TargetVariable> target_variables;
  std::map<std::string, Target, std::less<>> targets;
  std::vector<AssignedAt> assignments;
  std::vector<Arm> arms = {Arm{}};
  std::string default_goal;
  std::vector<Diagnostic> findings;  // what make itself would refuse
  bool is_accepted = true;           // make would read it to its end, as far as is known
  bool has_unknown_parts = false;    // a file that is included was not read, an unknown $(eval)
  bool is_exhausted = false;         // a limit was reached: what is beyond it is missing
  char recipe_prefix = '\t';

  [[nodiscard]] bool has_special(std::string_view name) const { return targets.contains(name); }
  [[nodiscard]] bool excludes(ArmId a, ArmId b) const;
  // Names that a special target lists: .PHONY, .PRECIOUS ...
  [[nodiscard]] std::vector<std::string> listed(std::string_view special) const;
};

}  // namespace nacre::make
