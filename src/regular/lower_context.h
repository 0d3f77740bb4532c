// The general case of lower.h: a part of a regex whose conditions (anchors, \b, lookaround,
// possessive quantifiers) depend on what lies before and after them. Internal to this module.
//
// The regex becomes a little program over languages: consume a word of a language, go on at one of
// two places, demand that what follows is in a language (right conditions), or that what came
// before is (left conditions). run() determinises it with derivatives:
//
//   state   = the derivatives of all left conditions ("tracks") by what was read, and a set of
//             threads (place in the program, rest of the language being consumed, obligation)
//   thread  = stands for the suffixes that the program accepts from there AND that are in its
//             obligation; a right condition is an intersection with it
//
// Obligations are ordinary languages, so a lookahead, a negative lookahead, `$` and the right half
// of \b are one mechanism; tracks do the same for the left. Both have finitely many derivatives.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "regular/lang.h"

namespace nacre::regular {

enum class Place : uint32_t {};    // in the program
enum class TrackId : uint32_t {};  // a left condition

class ContextProgram {
 public:
  explicit ContextProgram(Context& context) : context_(&context) {}

  // Programs are built from their end: each instruction names where it goes on.
  Place accept();
  Place consume(Lang language, Place next);
  Place either(Place first, Place second);
  Place demand(Lang suffix, Place next);  // what follows is in `suffix`
  Place demand_before(TrackId track, bool holds, Place next);
  // What follows is (not) accepted by the program at `body`, started here.
  Place demand_branch(Place body, bool is_negative, Place next);
  // A place to be filled in later, for loops.
  Place forward();
  void resolve(Place forward, Place target);

  // The words that end here: `prefix` is a language of everything before this place.
  TrackId track(Lang prefix);

  [[nodiscard]] size_t size() const { return code_.size(); }

  struct Outcome {
    Lang language;
    bool is_complete;       // false: the budget ran out, `language` is meaningless
    bool looks_beyond_end;  // with `open_end`: acceptance depends on what follows the end
  };
  // `open_end`: the words are prefixes of something longer, so conditions on what follows the end
  // cannot be decided here (for the bodies of lookbehinds).
  Outcome run(Place start, bool open_end, const Budget& budget);

 private:
  struct Accept {};
  struct Consume {
    TermId language;
    Place next;
  };
  struct Either {
    Place first, second;
  };
  struct Demand {
    TermId suffix;
    Place next;
  };
  struct DemandBefore {
    TrackId track;
    bool holds;
    Place next;
  };
  struct DemandBranch {
    Place body;
    bool is_negative;
    Place next;
  };
  struct Jump {
    Place target;
  };
  using Instruction =
      std::variant<Accept, Consume, Either, Demand, DemandBefore, DemandBranch, Jump>;
  using Tracks = std::vector<TermId>;
  struct Thread {
    Place place;
    TermId rest;  // of the language being consumed there
    TermId obligation;
    friend auto operator<=>(const Thread&, const Thread&) = default;
  };
  class Run;

  Place add(Instruction instruction);

  Context* context_;
  std::vector<Instruction> code_;
  std::vector<TermId> tracks_;
};

}  // namespace nacre::regular
