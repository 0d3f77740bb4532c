// Terms as text in the syntax of print.h. Internal to this module.
#pragma once

#include <optional>
#include <string>

#include "regular/print.h"
#include "regular/terms.h"

namespace nacre::regular {

// Nothing if the text would be longer than options.longest or an automaton is in the way.
std::optional<std::string> print_term(TermStore& terms, TermId id, const PrintOptions& options);

// A name for what is hardly longer than the name hides more than it says.
bool is_worth_naming(TermStore& terms, const NamedLang& named, const PrintOptions& options);

// The same language with alternatives factored (ab|ac: a(b|c)), repeated stretches counted and
// neighbouring counters of one base joined.
TermId factored(TermStore& terms, TermId id);

// A regex for the automaton, by elimination of states in the order of Delgado and Morais, cheapest
// first. Sizes multiply: meant for a few hundred states.
TermId eliminate(TermStore& terms, const Dfa& dfa);

}  // namespace nacre::regular
