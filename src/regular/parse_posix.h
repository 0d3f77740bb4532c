// POSIX basic and extended regular expressions as the GNU tools read them, with their extensions
// (\+ \? \| \w \W \s \S \b \B \< \> \` \'), their errors, and the warnings that grep prints.
//
// "Basic" and "extended" do not say it all: grep (its own parser, then glibc's), sed (glibc's,
// after sed's escapes) and regcomp(3) (bash's [[ =~ ]], and most programs in C) differ in what `*`
// means at the start, whether `a**` and `a{1` are errors, what a lone `)` is. The tool is therefore
// asked for.
#pragma once

#include <string_view>

#include "base/result.h"
#include "regular/regex.h"

namespace nacre::regular {

enum class PosixTool : uint8_t { kGrep, kSed, kRegcomp };

// What grep's options add around the whole pattern.
enum class GrepBounds : uint8_t { kNone, kWord /* -w */, kLine /* -x */ };

struct PosixOptions {
  bool is_extended = false;
  PosixTool tool = PosixTool::kGrep;
  bool folds_case = false;    // grep -i, sed's I
  bool is_multiline = false;  // sed's M: ^ and $ at every newline, which . and [^a] then refuse
  GrepBounds bounds = GrepBounds::kNone;
  Alphabet alphabet = Alphabet::kBytes;
};

// For kGrep, newlines in the pattern separate alternatives. For kSed, the pattern is the text
// between the delimiters, with escaped delimiters already undone.
Result<Regex> parse_posix(std::string_view pattern, const PosixOptions& options = {});

// grep -F: each line of the pattern is a word.
Result<Regex> parse_fixed(std::string_view pattern, const PosixOptions& options = {});

}  // namespace nacre::regular
