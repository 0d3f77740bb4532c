// What the text of a script tells before it is interpreted: which variables it sets somewhere,
// which it copes without, what it defines. One walk over the tree, which must outlive the result.
// Internal to this module.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "shell/tree.h"

namespace nacre::flow {

struct Survey {
  using Words = std::set<std::string, std::less<>>;
  Words assigned;                              // variables that get a value; not by `x=$x`
  Words defaulted;                             // ${x-...}: the script copes without them
  Words fallbacks;                             // ${y-$x}: x may be missing as y may
  Words unset;                                 // by a command of that name
  Words passed;                                // x=1 "$0": the script hands them to itself
  Words exported;                              // "*": all of them
  Words associative;                           // declare -A
  bool redirects_input = false;                // exec < file: what it reads is not typed
  std::map<std::string_view, uint32_t> reads;  // how often a variable is expanded
  std::map<std::string_view, const shell::Function*> functions;

  // Whether the variable is assigned under the condition, written alike, that holds at `place`, but
  // further up: `if a; then x=1; fi; ...; if a; then echo $x; fi`.
  [[nodiscard]] bool is_set_alike(std::string_view variable, Span place) const;

  // A condition, and the text that is run only if it holds.
  struct Guarded {
    std::string_view condition;
    Span body;
  };
  std::vector<Guarded> guarded;
  std::multimap<std::string_view, Span> assignments;  // by variable
};

Survey survey_of(const shell::Tree& tree);

// The expansion copes with a variable that is not set.
bool has_own_default(const shell::Parameter& node);

// What follows a name in the file; empty if it is not written there: in a Makefile the assignment
// may come from the value of a variable.
[[nodiscard]] std::string_view text_after(const shell::Tree& tree, std::string_view name,
                                          uint32_t begin);

}  // namespace nacre::flow
