// Languages as text for people. The text is in Nacre's type syntax and denotes exactly the language
// (parsing it back gives an equal one), or it is a shape in words that says so.
//
// What the printed regexes use, tightest first:
//   \n \t \r \xHH \x{HHHH}   symbols; a backslash before any punctuation makes it literal, inside
//                            brackets too
//   .                        any symbol but newline
//   [a-z,] [^a-z,]           a set; a negated one never holds newline
//   (...)  ()  []            grouping; the empty word; no word at all
//   {name}                   a named type
//   * + ? {n} {n,} {n,m}     repetition
//   !(A)                     complement: every word, newlines included, that is not in A
//   AB   A&B   A|B           concatenation, intersection, union
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "base/budget.h"
#include "regular/lang.h"

namespace nacre::regular {

// A language that has a name people know; printing folds it back.
struct NamedLang {
  std::string name;
  Lang lang;
};

struct PrintOptions {
  size_t longest = 120;                   // a regex of more bytes is not worth reading
  std::span<const NamedLang> names = {};  // of the same context
  Budget budget = {.steps = 1'000'000, .states = 2'000};  // for the automata on the way
};

// The shorter and clearer of the expression the language was made by, simplified, and a regex made
// from its minimal automaton. Nothing if neither is within options.longest. Never inexact.
std::optional<std::string> to_regex(Lang a, const PrintOptions& options = {});

// to_regex() if there is one; else a shape: what every word begins and ends with, its length, its
// fields or its symbols, and examples.
std::string describe(Lang a, const PrintOptions& options = {});

// A set as the regexes above show it: x, ., [a-z], [^,].
std::string to_regex(const CharSet& set, Alphabet alphabet);

// The minimal automaton in Graphviz's language.
std::string to_dot(Lang a, const Budget& budget = {});

}  // namespace nacre::regular
