// Questions about languages, answered lazily: inclusion by antichains over derivatives, equivalence
// by Hopcroft and Karp's algorithm. Nothing is determinised beyond what the search visits.
// Witnesses are shortest, and among the shortest those with the most natural symbols (char_set.h).
// Answers are remembered: asking again costs a table lookup.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/budget.h"
#include "regular/lang.h"

namespace nacre::regular {

// kUnknown: the budget ran out.
enum class Answer : uint8_t { kYes, kNo, kUnknown };

struct Verdict {
  Answer answer = Answer::kUnknown;
  // A word that shows a "no": in `a` but not in `b`; for equivalence, in exactly one of them.
  std::string witness;
  // Whether the answer also holds for what inexact operands (Lang::bound) stand for.
  bool is_certain = true;

  [[nodiscard]] bool yes() const { return answer == Answer::kYes; }
  [[nodiscard]] bool no() const { return answer == Answer::kNo; }
};

Verdict included(Lang a, Lang b, const Budget& budget = {});    // is every word of a in b?
Verdict equivalent(Lang a, Lang b, const Budget& budget = {});  // the same words?
Verdict disjoint(Lang a, Lang b, const Budget& budget = {});    // no common word? witness: in both
Verdict is_empty(Lang a, const Budget& budget = {});            // no word? witness: a member

// A shortest and most natural member; nothing if there is none or the budget ran out.
std::optional<std::string> shortest(Lang a, const Budget& budget = {});

}  // namespace nacre::regular
