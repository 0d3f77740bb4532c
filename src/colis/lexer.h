// Text to tokens of the CoLiS language. Blanks are spaces, tabs and newlines; comments are
// `(* ... *)` and nest; a literal stands in single quotes, in which a backslash takes the meaning
// from the byte after it. Linear in the size of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace nacre::colis {

struct Token {
  enum Kind : uint8_t { kWord, kNumber, kLiteral, kSymbol, kEnd, kBad };
  Kind kind = kEnd;
  Span span;
  std::string text;  // without quotes; of kSymbol as it stands; of kBad what is wrong
};

// The last token is kEnd, or kBad where the text cannot be read on. With `accepts_comma`, `,` is a
// symbol: the report has it in lists, the original does not know it. After `max_tokens` comes kBad.
[[nodiscard]] std::vector<Token> tokens_of(std::string_view text, bool accepts_comma,
                                           size_t max_tokens);

}  // namespace nacre::colis
