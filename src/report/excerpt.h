// A line of source with a range underlined, as the text format shows it:
//
//    12 | cat "$f" | sort
//       |     ^^^^ assigned here
//
// Tabs are expanded, wide characters aligned, long lines cut around the range. Costs the width of
// what is shown, not the length of the line.
#pragma once

#include <string>
#include <string_view>

#include "base/source_file.h"
#include "report/report.h"

namespace nacre::report {

enum class Ink : uint8_t { kPlain, kBold, kRed, kYellow, kBlue, kGreen, kDim };

std::string ink(std::string_view text, Ink color, const Style& style);

// At most `cells` characters before `offset`, not before `line_begin`.
uint32_t walk_back(const SourceFile& file, uint32_t line_begin, uint32_t offset, unsigned cells);

// `mark` is the character of the underline, '^' for the finding itself and '~' for notes. A range
// over several lines is underlined to the end of its first.
std::string excerpt(const SourceFile& file, Span span, std::string_view label, char mark, Ink color,
                    const Style& style);

}  // namespace nacre::report
