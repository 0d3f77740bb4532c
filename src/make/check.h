// Everything there is to say about one Makefile: what make refuses, what the rules find, and what
// the shell code in its recipes gets wrong. A pure function of its arguments; it runs nothing.
#pragma once

#include <string>
#include <vector>

#include "base/budget.h"
#include "base/suppression.h"
#include "commands/card_library.h"
#include "make/read.h"
#include "make/rules.h"

namespace nacre::make {

struct CheckOptions {
  ReadOptions reading;
  Demands demands;
  bool checks_recipes = true;  // as shell code
  Stop stop = {};
  size_t max_recipe_checks = 2000;  // lines; further ones are only parsed
};

struct CheckResult {
  std::vector<Diagnostic> findings;
  Layout layout;            // for suppressions
  bool is_accepted = true;  // make reads it to its end
  bool is_exhausted = false;
};

[[nodiscard]] CheckResult check(const SourceFile& file, const commands::CardLibrary& cards,
                                const CheckOptions& options);

}  // namespace nacre::make
