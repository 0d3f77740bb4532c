// From the syntax of a regex to the language of the subjects it matches. Anchors, word boundaries
// and lookaround are exact wherever they stand: they are conditions on what lies before and after a
// place in the subject, and those are regular too (lower_context.h).
//
//   Result<Lang> lines = lower(cx, *parse_posix("^a.*\\bb", {}), {.match = Match::kContains,
//                                                                .subject = kLineBytes});
//
// The result is a Lang::bound() superset where the pattern is not regular (back-references, atomic
// groups other than those of character classes) and the options allow it, or where the budget ran
// out. A pattern without conditions costs microseconds and stays symbolic.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/result.h"
#include "regular/lang.h"
#include "regular/regex.h"

namespace nacre::regular {

enum class Match : uint8_t {
  kWhole,     // the regex matches the subject from end to end
  kContains,  // the regex matches somewhere in it, as grep searches
};

enum class BackReferences : uint8_t {
  kRefuse,
  kWiden,  // \1 stands for any word of group 1: a superset
};

// How a character of the pattern becomes bytes of the subject. Only for regexes over characters
// that are lowered into a context over bytes.
enum class Utf8 : uint8_t {
  kStrict,  // every character is a valid UTF-8 sequence, as tools in a UTF-8 locale demand
  // As strict, but an unbounded repetition of a class that holds everything beyond ASCII (.*,
  // [^,]+) admits any bytes there: a superset that costs a fifth of the states and accepts mangled
  // text.
  kLoose,
};

struct LowerOptions {
  Match match = Match::kWhole;
  // The symbols that subjects are made of: all_but_newline() for lines. Other symbols of the
  // pattern match nothing.
  std::optional<CharSet> subject = {};  // none: the context's alphabet
  BackReferences back_references = BackReferences::kRefuse;
  Utf8 utf8 = Utf8::kStrict;
  Budget budget = {};
};

inline CharSet all_but_newline(Alphabet alphabet) {
  return CharSet::all(alphabet) - CharSet::of('\n');
}

// Errors have the span of what cannot be lowered.
Result<Lang> lower(Context& context, const Regex& regex, const LowerOptions& options = {});

// What parts of the regex consume, each on its own. Conditions in a part are taken as true; its
// language is then a superset. options.match does not matter.
Result<std::vector<Lang>> lower_parts(Context& context, const Regex& regex,
                                      std::span<const NodeId> parts,
                                      const LowerOptions& options = {});

}  // namespace nacre::regular
