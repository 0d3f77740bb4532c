// Single words against languages. Internal to this module: contains() (lang.h) is the face.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "regular/terms.h"

namespace nacre::regular {

// Whether the word is in the language of the term. Nothing is determinised: Boolean operators at
// the top are asked one by one, and below them the word is followed along all arcs at once.
bool accepts(TermStore& terms, TermId id, std::span<const Symbol> word);

// The only word of a term with `is_word`, unless it is very long or repeats one of several letters.
std::optional<std::vector<Symbol>> only_word(const TermStore& terms, TermId id);

}  // namespace nacre::regular
