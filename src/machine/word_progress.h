// A word in the middle of its expansion, as text: what is expanded, then what is still as written.
#pragma once

#include <optional>
#include <string>

#include "machine/machine.h"

namespace nacre::machine {

// The body of a here-document is quoted as a whole: no marks are needed.
enum class QuoteMarks : uint8_t { kShown, kHidden };

// The word of the WordFrame at machine.frames[at]. Double quotes mark what is quoted; after
// splitting each field is in ‹›.
[[nodiscard]] std::string word_progress(const Machine& machine, size_t at,
                                        QuoteMarks marks = QuoteMarks::kShown);
// The same for the frame directly above `at`, if that is a word's.
[[nodiscard]] std::optional<std::string> word_above(const Machine& machine, size_t at,
                                                    QuoteMarks marks = QuoteMarks::kShown);

}  // namespace nacre::machine
