// Text to a tree of the CoLiS language.
//
//   Result<Program> program = parse("begin mkdir ['/a'] ; cd '/a' end", {});
//   if (!program) program.error().span, program.error().message;
//
// The grammar is the one that the original implementation accepts. Without `is_original` also what
// the report has and that one lacks: `cd STRING`, `,` between the items of a list, and what every
// tree needs to be written: a literal in place of a name (`'[' ['-e'; '/a'; ']']`), and a `;`
// before the end of a sequence. Trees deeper than `max_depth` and larger programs than the
// other limits say are refused; linear in the size of the text.
#pragma once

#include "base/result.h"
#include "colis/syntax.h"

namespace nacre::colis {

struct ParseOptions {
  bool is_original = false;
  uint32_t max_depth = 500;  // of instructions and strings within each other
  // Of the whole program: words and symbols, parts of strings, and instructions. Together they take
  // at most 700 MB.
  size_t max_tokens = 4'000'000;
  size_t max_strings = 2'000'000;
  size_t max_instructions = 1'000'000;
};

[[nodiscard]] Result<Program> parse(std::string_view text, const ParseOptions& options);

}  // namespace nacre::colis
