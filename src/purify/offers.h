// The rewrites of shell scripts: a list of small functions. Each looks at the whole script and adds
// what it would change, with the obligations for it; the driver (purify.h) applies them in rounds.
// An offer whose obligation fails is reported as kept; what must not stay is in refusals.cpp.
#pragma once

#include <vector>

#include "purify/script.h"

namespace nacre::purify {

using Offers = std::vector<Rewrite>;
using Offer = void (*)(const Script& script, Offers& offers);

// offers_quotes.cpp
void offer_quotes(const Script& script, Offers& offers);
void offer_marks(const Script& script, Offers& offers);
void offer_removal_guards(const Script& script, Offers& offers);
// offers_again.cpp
void offer_flags(const Script& script, Offers& offers);
void offer_links(const Script& script, Offers& offers);
void offer_guards(const Script& script, Offers& offers);
void offer_single_lines(const Script& script, Offers& offers);
// offers_varying.cpp
void offer_clock(const Script& script, Offers& offers);
void offer_temporary_names(const Script& script, Offers& offers);
void offer_order(const Script& script, Offers& offers);
void offer_listed_files(const Script& script, Offers& offers);
// offers_conditions.cpp
void offer_conditionals(const Script& script, Offers& offers);
void offer_test_operators(const Script& script, Offers& offers);
void offer_patterns(const Script& script, Offers& offers);
// offers_arithmetic.cpp
void offer_arithmetic(const Script& script, Offers& offers);
void offer_arithmetic_loops(const Script& script, Offers& offers);
void offer_let(const Script& script, Offers& offers);
// offers_words.cpp
void offer_backquotes(const Script& script, Offers& offers);
void offer_quote_forms(const Script& script, Offers& offers);
void offer_braces(const Script& script, Offers& offers);
void offer_parameters(const Script& script, Offers& offers);
// offers_syntax.cpp
void offer_functions(const Script& script, Offers& offers);
void offer_redirections(const Script& script, Offers& offers);
void offer_here_strings(const Script& script, Offers& offers);
void offer_appends(const Script& script, Offers& offers);
void offer_fall_through(const Script& script, Offers& offers);
// offers_input.cpp
void offer_process_substitutions(const Script& script, Offers& offers);
// offers_builtins.cpp
void offer_builtins(const Script& script, Offers& offers);
// offers_echo.cpp
void offer_echo(const Script& script, Offers& offers);
// offers_options.cpp
void offer_options(const Script& script, Offers& offers);
// offers_arrays.cpp
void offer_arrays(const Script& script, Offers& offers);
// offers_locals.cpp
void offer_locals(const Script& script, Offers& offers);

// Constructs that no rewrite removes and the result must not have.
[[nodiscard]] std::vector<Rewrite> find_refusals(const Script& script);
// `#!/bin/bash` to `#!/bin/sh`; only when nothing else is left.
void offer_interpreter(const Script& script, Offers& offers);

// A rewrite with one edit, equal unless it is changed.
[[nodiscard]] inline Rewrite rewrite(std::string_view name, Span place, std::string message,
                                     RewriteClass kind = RewriteClass::kEqual) {
  Rewrite result{.name = name, .kind = kind, .place = place};
  result.message = std::move(message);
  return result;
}
inline void need(Rewrite& to, ObligationKind kind, bool holds, std::string why) {
  to.needs.push_back({kind, to.place, holds, std::move(why)});
}

}  // namespace nacre::purify
