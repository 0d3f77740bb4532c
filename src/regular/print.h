// Languages as text for people. The text is in Nacre's type syntax and denotes exactly the language
// (parsing it back gives an equal one), or it is a shape in words that says so.
//
// The text uses the part of the type syntax (parse_type.h) that most people know from grep -E, and
//   A&B  A&!(B)  {name}       intersection, difference, named types
//   [^,]  .                   sets that never hold newline
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "regular/lang.h"

namespace nacre::regular {

// A language that has a name people know; printing folds it back.
struct NamedLang {
  std::string name;
  Lang lang;
  std::optional<bool> is_shorter = {};  // the name, than its text; found out if it is not known
};

struct PrintOptions {
  size_t longest = 120;                   // a regex of more bytes is not worth reading
  std::span<const NamedLang> names = {};  // of the same context
  Budget budget = {.steps = 1'000'000, .states = 2'000};  // for the automata on the way
};

// The shorter and clearer of the expression the language was made by, simplified, and a regex made
// from its minimal automaton. Nothing if neither is within options.longest. Never inexact.
std::optional<std::string> to_regex(Lang a, const PrintOptions& options = {});

// The named types of the type syntax, as languages of this context; to be kept by callers that
// print more than once.
std::vector<NamedLang> known_names(Context& context);

// to_regex() if there is one; else a shape: what every word begins and ends with, its length, its
// fields or its symbols, and examples.
std::string describe(Lang a, const PrintOptions& options = {});

// A set as the regexes above show it: x, ., [a-z], [^,].
std::string to_regex(const CharSet& set, Alphabet alphabet);

// The minimal automaton in Graphviz's language.
std::string to_dot(Lang a, const Budget& budget = {});

}  // namespace nacre::regular
