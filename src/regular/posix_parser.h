// The parser behind parse_posix.h and parse_awk.h. Internal to this module. What tells the tools
// apart is data: PosixDialect, close to glibc's RE_* syntax bits.
#pragma once

#include "base/result.h"
#include "regular/pattern_reader.h"
#include "regular/posix_bracket.h"
#include "regular/regex.h"

namespace nacre::regular {

// What an operator means where there is nothing to repeat.
enum class LeadingOperator : uint8_t {
  kLiteral,  // basic syntax, gawk: `*a` matches "*a"
  kSkipped,  // grep -E: `*a` is `a`, with a warning
  kRefused,  // sed -E, regcomp, mawk
};

struct PosixDialect {
  Alphabet alphabet = Alphabet::kBytes;
  bool is_extended = false;  // ( ) { } | + ? are operators without a backslash
  bool folds_case = false;
  CaseReading case_reading = CaseReading::kMembers;
  bool has_gnu_escapes = true;  // \w \W \s \S \b \B \< \> \` \'
  bool has_back_references = true;
  bool has_intervals = true;
  LeadingOperator leading_operator = LeadingOperator::kLiteral;
  bool refuses_leading_interval = false;       // even where other leading operators are literal
  bool repeats_anchors = false;                // grep: `x\b*` repeats the \b
  bool refuses_double_repeat = false;          // `a**` is an error
  bool bad_interval_is_literal = false;        // `a{1` and `a{x}` are literal
  bool lone_close_is_literal = false;          // `)` without `(`
  bool refuses_empty = false;                  // mawk: `()`, `a||b`
  bool trailing_backslash_is_literal = false;  // mawk
  bool anchors_see_lines = false;              // ^ and $ hold at every newline
  bool excludes_newline = false;               // . and [^a] do not match a newline
  bool warns = false;                          // grep's warnings
  bool has_class_escapes = false;              // awk: [\]] is a set of one
  bool refuses_bare_class = false;             // [:space:] is an error
  bool has_posix_brackets = true;              // [.a.], [=a=], and glibc's strictness in ranges
};

// Parses from where the reader stands to its end. Groups count from 1 in each call; the builder's
// regex() gets the largest count and the warnings, and must know its `word` already.
Result<NodeId> parse_posix_dialect(PatternReader reader, const PosixDialect& dialect,
                                   RegexBuilder& builder);

}  // namespace nacre::regular
