// What a script does to files, one touch at a time, in the order of its text: the cards say it of
// commands (`does`, `again`, `uses`), and redirections, tests and patterns have touches of their
// own. Paths are languages: everything that the words may stand for.
//
//   const Footprint all = footprint_of(subject);
//   for (const Touch& each : all.touches) ...
#pragma once

#include "prove/subject.h"

namespace nacre::prove {

enum class TouchKind : uint8_t {
  kRead,    // what a file or a directory holds
  kLook,    // what is there, if anything
  kWrite,   // a file or a link, whose contents do not depend on what was there
  kGrow,    // adds to what was there
  kMake,    // a directory, and those above it
  kRemove,  // it and everything below
  kMode,    // permissions or owner
};

// What must be there before, or a second call fails or does something else.
enum class Need : uint8_t {
  kNothing,
  kPresent,
  kAbsent,
  kSettled,  // whether a directory is there decides where it goes
};

struct Touch {
  TouchKind kind = TouchKind::kRead;
  std::string symbol;   // the path as it is written, with constants put in
  regular::Lang paths;  // every text that it may be
  const purify::Place* place = nullptr;
  Span span;
  Span target;               // of a redirection: its word; of a command: all of it
  bool is_constant = false;  // `symbol` is the path
  bool is_below = false;     // or anything below it
  Need need = Need::kNothing;
  bool takes_mode = false;  // a new file gets the mode of what is copied
  bool is_tree = false;     // a directory with all that is in it is put there
  bool may_lead = false;    // a link or a directory, through which other paths lead
  std::string command;      // that does it; empty for a redirection
};

struct Footprint {
  std::vector<Touch> touches;
  std::optional<Finding> doubt;  // something is not known
};

[[nodiscard]] Footprint footprint_of(const Subject& subject);

// Some path of the one is a path of the other, or above or below it.
[[nodiscard]] bool may_overlap(const Touch& a, const Touch& b);
[[nodiscard]] bool may_be_same(const Touch& a, const Touch& b);
// `a` may lie below `b`.
[[nodiscard]] bool may_be_below(const Touch& a, const Touch& b);

// The path of a word, as touches have it.
[[nodiscard]] std::string path_symbol(const Subject& subject, const shell::Word& word);

// `later` runs after `earlier`, if both run: they are not in one loop or pipeline, and in no
// function.
[[nodiscard]] bool is_earlier(const Subject& subject, const Touch& earlier, const Touch& later);

// Each run in which `first` has succeeded comes to `second`, and no other run does.
[[nodiscard]] bool always_follows(const Subject& subject, const Touch& first, const Touch& second);

// Whenever `later` runs, `earlier` has run before it in the same pass, and nothing in between has
// changed the variables of `earlier`'s path.
[[nodiscard]] bool comes_before(const Subject& subject, const Touch& earlier, const Touch& later);

}  // namespace nacre::prove
