// Word lists as minimal automata, in one pass over the sorted words: Daciuk, Mihov, Watson and
// Watson's incremental construction. Linear in the text; 100,000 words take tens of milliseconds.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "regular/char_set.h"
#include "regular/dfa.h"

namespace nacre::regular {

// The minimal automaton, in the canonical form of minimise(), of a list of words in any order,
// repeated or not.
std::shared_ptr<const Dfa> dictionary(std::span<const std::string_view> words, Alphabet alphabet);

}  // namespace nacre::regular
