// The rules about Makefiles: a list of small functions over facts. A rule adds what it finds and
// changes nothing. To add one: write it in the file of its subject (rules_*.cpp) with an example
// that is reported and one that is not above it, name it here, and write the page of its code.
#pragma once

#include <span>

#include "make/facts.h"

namespace nacre::make {

// What a project demands beyond what make needs.
struct Demands {
  std::vector<std::string> required_targets;  // must be there and phony
  size_t max_recipe_lines = 0;                // 0: any number
  bool no_clock = false;                      // also where it gets into nothing that is built
};

class Findings {
 public:
  explicit Findings(const SourceFile& file) : file_(file) {}

  // The finding can be given notes and fixes. `alias`: checkmake's name of the rule.
  Diagnostic& add(std::string_view code, Span span, std::string message,
                  Confidence confidence = Confidence::kLikely);
  [[nodiscard]] std::vector<Diagnostic> take() { return std::move(list_); }

 private:
  SourceFile file_;
  std::vector<Diagnostic> list_;
};

using RuleFunction = void (*)(const Facts& facts, const Demands& demands, Findings& findings);
[[nodiscard]] std::span<const RuleFunction> rules();

#define NACRE_MAKE_RULES(RULE)       \
  /* rules_targets.cpp */            \
  RULE(report_not_phony)             \
  RULE(report_two_recipes)           \
  RULE(report_recipe_without_target) \
  RULE(report_always_remade)         \
  RULE(report_repeated_recipe)       \
  RULE(report_missing_clean)         \
  RULE(report_missing_targets)       \
  /* rules_graph.cpp */              \
  RULE(report_cycles)                \
  RULE(report_unordered_writers)     \
  /* rules_values.cpp */             \
  RULE(report_repeated_shell)        \
  RULE(report_unsorted_lists)        \
  RULE(report_misspelt_variables)    \
  RULE(report_trailing_blanks)       \
  RULE(report_clock)                 \
  RULE(report_vain_default)          \
  /* rules_recipes.cpp */            \
  RULE(report_lost_directory)        \
  RULE(report_single_dollar)         \
  RULE(report_half_written)          \
  RULE(report_plain_make)            \
  RULE(report_long_recipe)

// A name that stands for an action in the GNU coding standards and their like: all, clean,
// test-all.
[[nodiscard]] bool is_action_name(std::string_view name);

#define NACRE_DECLARE(name) \
  void name(const Facts& facts, const Demands& demands, Findings& findings);
NACRE_MAKE_RULES(NACRE_DECLARE)
#undef NACRE_DECLARE

}  // namespace nacre::make
